import CodecService
import HDRCore
import HDRPlan
import HDRRender
import ImageFiles

/// A decoded file of a comparison.
package struct ComparedFile: Sendable {
  package let path: FilePath
  package var source: SourceImage
  package let digest: Digest?

  /// Reads and decodes a file.
  ///
  /// - Parameters:
  ///   - look: how a camera raw file is rendered.
  ///   - admit: gets what the file declares, and its size in bytes, before it is decoded; it may refuse.
  /// - Throws: `HDRError` with the file's name.
  package init(
    _ input: InputReference, limits: DecodeLimits, look: CameraLook = CameraLook(), codecs: any CodecBorder,
    admit: (DecodeHead, Int) throws(CodecError) -> Void = { (_, _) throws(CodecError) in }
  ) throws(HDRError) {
    path = input.path
    let file: InputFile
    do throws(FileFault) {
      file = try InputFile(input, maxBytes: limits.maxFileBytes)
    } catch {
      throw HDRError(opening: error, limit: limits.maxFileBytes).about(input.path)
    }
    do throws(CodecError) {
      let answer = try codecs.decode(file, request: .pixels, limits: limits) { head throws(CodecError) in
        try admit(head, file.byteCount)
      }
      var read = answer.value
      read.sensor?.look = look
      (source, digest) = (read, answer.inputDigest)
    } catch {
      throw HDRError(error, reading: file).about(input.path)
    }
  }

  package init(_ path: FilePath, _ source: SourceImage) {
    (self.path, self.source, digest) = (path, source, nil)
  }

  /// The kinds of two files decide which of their renditions can be compared.
  package enum Kind: String, Sendable, Hashable {
    case sdr = "SDR"
    case hdr = "HDR"
    /// Both, by a gain map.
    case gainMap = "HDR with a gain map"
    /// Samples of a sensor, of which renditions are made.
    case raw = "camera raw"
  }

  package var kind: Kind {
    if source.sensor != nil { return .raw }
    if source.gainMap?.metadata.isComplete == true { return .gainMap }
    return source.isHDR ? .hdr : .sdr
  }

  /// The size in viewing orientation.
  package var width: Int { source.geometry.outputWidth }
  package var height: Int { source.geometry.outputHeight }

  /// True if a pixel is not opaque.
  package var isTransparent: Bool {
    guard let plane = source.image.alpha else { return false }
    let format = source.image.alphaFormat, depth = source.image.alphaBitDepth
    for y in 0..<plane.height {
      for x in 0..<plane.width where plane.alpha(x, y, format, depth) != 65_535 { return true }
    }
    return false
  }

  /// The samples of the picture, those of alpha too, that are NaN or infinite in the file.
  package var nonfinite: Int {
    let image = source.image
    let left = image.format.isInteger ? 0 : image.channels.reduce(0) { $0 + $1.nonfinite(image.format) }
    let alpha = image.alphaFormat.isInteger ? 0 : image.alpha?.nonfinite(image.alphaFormat) ?? 0
    return image.madeFinite + left + alpha
  }
}

extension SamplePlane {
  /// Returns the number of floats that are NaN or infinite.
  fileprivate func nonfinite(_ format: SampleFormat) -> Int {
    var count = 0
    for y in 0..<height {
      let row = row(y)
      for x in 0..<width {
        let at = row + x * stepBytes
        let isFinite =
          format == .float16
          ? at.loadUnaligned(as: UInt16.self) & 0x7c00 != 0x7c00
          : at.loadUnaligned(as: UInt32.self) & 0x7f80_0000 != 0x7f80_0000
        count += isFinite ? 0 : 1
      }
    }
    return count
  }

  /// Returns a sample of alpha in 16-bit codes; NaN is 0.
  func alpha(_ x: Int, _ y: Int, _ format: SampleFormat, _ depth: Int) -> Int {
    let at = row(y) + x * stepBytes
    func code(_ x: Double) -> Int { x > 0 ? Int((min(x, 1) * 65_535).rounded()) : 0 }
    let largest = Double((1 << depth) - 1)
    switch format {
    case .uint8: return code(Double(at.load(as: UInt8.self)) / largest)
    case .uint16: return code(Double(at.loadUnaligned(as: UInt16.self)) / largest)
    case .float16: return code(Double(Float(at.loadUnaligned(as: Float16.self))))
    case .float32: return code(Double(at.loadUnaligned(as: Float.self)))
    }
  }
}
