import CodecService
import HDRCore
import HDRRecipe
import ImageFiles

extension ItemRunner {
  /// The picture that an item begins with: its file's, or a black one of the recipe's size.
  func source(
    _ item: BatchItem, _ request: DecodeRequest, _ record: inout ItemRecord, _ clock: inout PhaseClock
  ) throws(ItemFailure) -> SourceImage {
    guard let canvas = options.canvas else {
      return try decode(try open(item.input.path, &record, &clock), request, &record, &clock)
    }
    let side = max(canvas.width, canvas.height), pixels = canvas.width * canvas.height
    guard side <= options.limits.maxSide, pixels <= options.limits.maxPixels else {
      throw ItemFailure(
        code: "plan.parameter",
        message: "size: \(canvas.width)x\(canvas.height) pixels are more than --max-side or --max-pixels allow")
    }
    record.inputDigest = canvas.digest
    record.format = "size"
    return canvas.picture
  }
}

extension Recipe.Size {
  /// Stands for the digest of an input file.
  var digest: Digest { Digest(of: Array("size \(width)x\(height)".utf8)) }

  /// Black in linear BT.2020.
  fileprivate var picture: SourceImage {
    let image = SampleImage.interleaved(width: width, height: height, channelCount: 3, format: .float16, bitDepth: 16)
    if let plane = image.channels.first {
      plane.buffer.base.initializeMemory(as: UInt8.self, repeating: 0, count: height * plane.rowBytes)
    }
    return SourceImage(
      format: "size", image: image,
      color: SourceColor(matrix: 0, fullRange: true, encoding: .cicp(primaries: 9, transfer: 8)),
      geometry: Geometry(width: width, height: height))
  }
}
