import CodecService
import HDRCore
import HDRPlan
import ImageFiles

extension RenderJob {
  /// Makes JPEG XL of an unchanged JPEG, with its gain map for readers of JPEG XL.
  ///
  /// - Parameter isWhole: true to make all of the file restorable, not only its primary picture.
  func makeRecompressed(isWhole: Bool) throws(HDRError) -> RecompressRequest {
    let file = try sourceFile(), head = try decode(file, .metadata)
    guard head.codedFormat == .jpeg else {
      throw HDRError(
        code: "recompress.format", message: "recompress-jxl takes JPEG files, and this is \(head.format.rawValue)")
    }
    let coded = try payloads(file)
    guard case .jpegStream(let primary) = coded.base else { throw Self.lostMap }
    var request = RecompressRequest(
      jpeg: primary, primaries: head.knownCICP.primaries, threads: tools.codecThreads)
    request.pixels = head.image.pixelCount + (head.gainMap?.image.pixelCount ?? 0)
    if isWhole, let preview = coded.preview {
      request.jpeg = preview
    } else if isWhole {
      do throws(CodecError) {
        request.jpeg = try file.content().bytes
      } catch {
        throw HDRError(error, reading: file)
      }
    }
    // The JPEG that is restored has its credentials and segments; the whole file has all.
    if !isWhole || head.format != .jpeg {
      var dropped = head.extras
      if head.format == .jpeg {
        dropped.credentials = nil
        dropped.trailers.removeAll { [.parts, .text].contains($0.kind) }
      }
      found.warn(DroppedExtras(extras: dropped).warnings)
    }
    if let old = head.gainMap?.metadata, old.isComplete, coded.map != nil {
      request.alternateColor = head.alternateColor
      if old.kind == .apple {
        // Its codes have another formula, so the map is made again, in stored orientation.
        var picture = try decode(file, .pixels, onDevice: false).auxiliaryGainMap
        if let size = picture?.image { picture?.geometry = Geometry(width: size.width, height: size.height) }
        guard let picture else { throw Self.lostMap }
        let (map, metadata) = try recodedMap(picture, old, AdaptiveOptions(container: .jxl))
        (request.map, request.metadata) = (map, metadata)
      } else {
        (request.map, request.metadata) = (coded.map, try Self.rounded(old))
      }
    }
    (found.width, found.height) = (head.geometry.outputWidth, head.geometry.outputHeight)
    explain("recompress  \(isWhole ? "the whole file" : "the primary picture") can be restored byte for byte")
    return request
  }
}
