import FileParts
import HDRCore
import PlainData

/// A search for the gain map of a TIFF file as Adobe's DNG SDK 1.7.1 writes it (dng_image_writer.cpp): an IFD with
/// PhotometricInterpretation 52553 among the pages or below the main picture, with its metadata in `hdrgm` XMP of the
/// main picture. Each fault of a map is a warning `gainmap.*`, as the base is still a good picture.
struct TIFFGainMapSearch {
  let structure: TIFFStructure
  let main: TIFFStructure.Directory
  let directories: [TIFFStructure.Directory]
  let packet: XMPPacket?
  let request: DecodeRequest
  let limits: DecodeLimits

  func find(warnings: inout [Warning]) -> GainMap? {
    let places = structure.childPlaces(of: main)
    let below = places.filter { $0 != main.position }.compactMap { try? structure.directory(at: $0) }
    if below.count < places.count {
      warnings.append(
        Warning("tiff.subifd", "a directory below the picture lies outside the file or is the picture itself; ignored"))
    }
    let map = (directories + below).first {
      structure.integer(TIFFTag.photometric, in: $0) == TIFFPhotometric.gainMap
    }
    guard let map else {
      if packet?.properties[HDRGainMapXMP.namespace]?["Version"] != nil {
        warnings.append(Warning("gainmap.missing", "the file announces a gain map and has none"))
      }
      return nil
    }
    guard let properties = packet?.properties[HDRGainMapXMP.namespace] ?? ownProperties(of: map),
      let metadata = HDRGainMapXMP.parse(properties, warnings: &warnings)
    else {
      if !warnings.contains(where: { $0.code.hasPrefix("gainmap.") }) {
        warnings.append(Warning("gainmap.metadata", "gain map ignored: it has no hdrgm metadata"))
      }
      return nil
    }
    do throws(DecodeError) {
      let page = try TIFFPage(structure, map, limits: limits, warnings: &warnings)
      let pixels = try TIFFPixels(page, transform: nil)
      let image =
        request == .pixels ? try pixels.read(threads: limits.threads, warnings: &warnings) : pixels.description
      return GainMap(
        metadata: metadata, image: image, matrix: CICP.Matrix.identity, fullRange: true, alternateColor: nil,
        bindings: ["tiff"])
    } catch {
      warnings.append(Warning("gainmap.decode", "gain map ignored: \(error)"))
      return nil
    }
  }

  private func ownProperties(of map: TIFFStructure.Directory) -> [String: [String]]? {
    var ignored: [Warning] = []
    guard let text = structure.data(TIFFTag.xmp, in: map), text.count <= XMLScanner.maxBytes else { return nil }
    return XMPPacket(Array(text), warnings: &ignored)?.properties[HDRGainMapXMP.namespace]
  }
}
