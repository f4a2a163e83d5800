import BatchEngine
import HDRComparison
import HDRCore
import HDRRecipe
import HDRRender
import ImageFiles
import PlainData

/// The pictures that `compare` writes beside its reports.
extension CompareCommand {
  /// Writes the maps of a pair, named by its B and the rendition, `day/photo.avif@full.png`, and its worst parts, which
  /// have a number too: `day/photo.avif@full-worst1.png`.
  static func draw(_ report: PairReport, _ pair: FilePair, into folder: FilePath) throws(ResultFileError) {
    for rendition in report.comparison?.renditions ?? [] {
      let name = pair.drawingName + Array("@\(rendition.selector.text)".utf8)
      if let map = rendition.map {
        try write(folder.appending(name + Array(".png".utf8))) { () throws(EncodeError) in try map.png() }
      }
      for (index, crop) in rendition.crops.enumerated() {
        let path = folder.appending(name + Array("-worst\(index + 1).png".utf8))
        try write(path) { () throws(EncodeError) in try crop.png() }
      }
    }
  }

  static func write(
    _ path: FilePath, _ encode: () throws(EncodeError) -> [UInt8]
  ) throws(ResultFileError) {
    let bytes: [UInt8]
    do throws(EncodeError) {
      bytes = try encode()
    } catch {
      throw ResultFileError("\(path.display): \(printable("\(error)"))")
    }
    do throws(FileFault) {
      _ = try LinuxFileSystem().makeFolders(path.parent, isDurable: false)
    } catch {
      throw ResultFileError(error.message)
    }
    try writeBytes(bytes, to: path)
  }
}
