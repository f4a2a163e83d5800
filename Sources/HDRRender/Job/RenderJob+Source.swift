import CodecService
import HDRCore
import HDRRecipe
import ImageFiles

extension RenderJob {
  /// Returns the picture that the task starts with: its file's, or a black one of the recipe's size.
  func source(_ request: DecodeRequest) throws(HDRError) -> SourceImage {
    switch task.source {
    case .file, .open: return try decode(try sourceFile(), request)
    case .picture(var picture):
      found.format = picture.format
      recordSpace(of: picture)
      picture = try placed(picture)
      if let metadata = choice.rendition.toneMetadata { picture.light.toneMetadata = metadata }
      if let cap = choice.rendition.appleHeadroomCap { picture.capAppleHeadroom(at: cap) }
      return picture
    case .canvas(let canvas):
      let side = max(canvas.width, canvas.height), pixels = canvas.width * canvas.height
      guard side <= tools.limits.maxSide, pixels <= tools.limits.maxPixels else {
        throw HDRError(
          code: "plan.parameter",
          message:
            "size: \(canvas.width)x\(canvas.height) pixels are more than \(setting: "max-side") or "
            + "\(setting: "max-pixels") allow")
      }
      found.inputDigest = canvas.digest
      found.format = .size
      return canvas.picture
    }
  }

  /// Returns the task's file; throws for a canvas, which has none.
  func sourceFile() throws(HDRError) -> InputFile {
    switch task.source {
    case .file(let item):
      let file = try open(item)
      openedSource = file
      return file
    case .open(let file):
      if found.bytesIn == 0 { found.bytesIn = file.byteCount }
      openedSource = file
      return file
    case .picture:
      throw HDRError(code: "adaptive.sdr", message: "a frame of a pipe has no gain map to keep")
    case .canvas:
      throw HDRError(code: "adaptive.sdr", message: "a recipe's size is no file: there is no gain map to keep")
    }
  }
}

extension Recipe.Size {
  /// The digest that replaces that of an input file.
  package var digest: Digest { Digest(of: Array("size \(width)x\(height)".utf8)) }

  /// A black picture in linear BT.2020.
  var picture: SourceImage {
    let image = SampleImage.interleaved(width: width, height: height, channelCount: 3, format: .float16, bitDepth: 16)
    if let plane = image.channels.first {
      plane.buffer.base.initializeMemory(as: UInt8.self, repeating: 0, count: height * plane.rowBytes)
    }
    return SourceImage(
      format: .size, image: image,
      color: SourceColor(
        matrix: CICP.Matrix.identity, fullRange: true,
        encoding: .cicp(primaries: CICP.Primaries.bt2020, transfer: CICP.Transfer.linear)),
      geometry: Geometry(width: width, height: height))
  }
}
