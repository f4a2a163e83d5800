import CDeflate
import FileParts
import HDRCore

/// ZIP archives, and deflate streams, which our code expands as libdeflate does.
extension Target {
  static let zipArchive = Target("zip", maxLength: 1 << 14) { bytes in
    stream(bytes)
    do throws(DecodeError) {
      let archive = try ZIPArchive(bytes)
      for name in archive.names.prefix(16) {
        demand(archive.has(name) && !name.split(separator: "/").contains(".."), "a name that leads out")
        if let file = try archive.file(name) {
          demand(file.count <= ZIPArchive.maxFileBytes, "a file beyond the limit")
        }
      }
    } catch {
      demand(!"\(error)".contains("\n"), "an error of two lines")
    }
  }

  private static func stream(_ bytes: [UInt8]) {
    guard let decompressor = libdeflate_alloc_decompressor() else { return }
    defer { libdeflate_free_decompressor(decompressor) }
    var room = [UInt8](repeating: 0, count: 1 << 16), count = 0
    let capacity = room.count
    let isWhole = room.withUnsafeMutableBytes { out in
      bytes.withUnsafeBytes {
        libdeflate_deflate_decompress(decompressor, $0.baseAddress, $0.count, out.baseAddress, capacity, &count)
      } == LIBDEFLATE_SUCCESS
    }
    // libdeflate takes some codes that are not whole.
    let wanted = isWhole ? count : bytes.count
    if let made = try? Inflater.inflated(bytes[...], count: wanted, place: "fuzz") {
      demand(isWhole && made == Array(room[..<count]), "another result than libdeflate's")
    }
  }
}
