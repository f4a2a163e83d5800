import HDRCore
@testable import ImageFiles

extension Target {
  /// Headers of Y4M streams, sidecars of samples, and files of either.
  static let raw = Target("raw", maxLength: 2048) { bytes in
    if bytes.first == mark { return written(bytes.dropFirst()) }
    if let header = try? Y4M(parsing: bytes[...]) {
      demand(header.layout.fault == nil, "a layout that cannot be was taken")
      let again = try? Y4M(parsing: Array(header.text.utf8).dropLast())
      demand(again?.layout == header.layout && again?.fullRange == header.fullRange, "another header than was written")
    }
    if let sidecar = try? RawSidecar(parsing: bytes) {
      demand((try? RawSidecar(parsing: sidecar.bytes)) == sidecar, "another sidecar than was written")
    }
    var limits = DecodeLimits(maxPixels: 1 << 16)
    limits.reading.raw = RawDescription(primaries: 9, transfer: 16, matrix: 9, fullRange: true)
    demandSamples(try? decodeImage(bytes, limits: limits))
    // The first line describes what follows.
    guard let end = bytes.firstIndex(of: 0) else { return }
    limits.reading = ReadingOptions()
    limits.reading.sidecar = Array(bytes[..<end])
    demandSamples(try? decodeImage(Array(bytes[(end + 1)...]), limits: limits))
  }

  /// Pictures as samples without a header, and back by their sidecar.
  private static func written(_ bytes: ArraySlice<UInt8>) {
    guard let first = bytes.first else { return }
    let kinds = [OutputKind.rgba16f] + OutputKind.packed.filter { $0.layout != .planarYCC && $0.format == .raw }
    let kind = kinds[Int(first) % kinds.count]
    guard let made = MadePicture(bytes, kind.layout) else { return }
    let transfer = kind.curve == .pq ? 16 : kind.curve == .hlg ? 18 : kind.curve == .sdr ? 13 : 8
    let request = EncodeRequest(
      kind: kind, image: made.image, hasAlpha: made.hasAlpha,
      cicp: CICP(
        [1, 9, 12][Int(made.choices.1) % 3], transfer, 0, full: kind.curve == .linear || made.choices.1 & 64 == 0),
      contentHeadroom: Double(first) / 16, displayHeadroom: first == 7 ? .infinity : 2)
    // 32 bits are planes, which this picture has not.
    guard let files = try? encodeImage(request) else { return }
    do throws(EncodeError) { try verifyEncoded(files, request) } catch { fatalError("\(error)") }
    var limits = DecodeLimits()
    limits.reading.sidecar = files.sidecar
    do throws(DecodeError) {
      let again = try decodeImage(files.main, limits: limits)
      demand(again.image.width == made.image.width && again.image.height == made.image.height, "another size")
      demandSamples(again)
    } catch {
      fatalError("\(kind.rawValue) is not read: \(error)")
    }
  }

  private static func demandSamples(_ source: SourceImage?) {
    guard let image = source?.image else { return }
    for plane in image.channels + (image.alpha.map { [$0] } ?? []) {
      let last = plane.offset + (plane.height - 1) * plane.rowBytes + (plane.width - 1) * plane.stepBytes
      demand(last < plane.buffer.byteCount, "samples outside their memory")
    }
  }
}
