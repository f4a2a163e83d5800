import FileParts
import HDRCore

extension ReadingOptions {
  /// Returns the colour of codes in a file that says nothing of theirs: what the caller states, else sRGB.
  func colorOfCodes(_ model: ColorModel, transfer: Int = CICP.Transfer.sRGB) throws(DecodeError) -> SourceColor {
    let own = SourceColor(
      matrix: CICP.Matrix.identity, fullRange: true,
      encoding: .cicp(primaries: CICP.Primaries.bt709, transfer: transfer))
    return try statedColor(inPlaceOf: own, model) ?? own
  }
}

extension SampleImage {
  /// Describes a picture of interleaved codes, without samples.
  static func codes(width: Int, height: Int, isGrey: Bool, bits: Int) -> SampleImage {
    SampleImage(
      width: width, height: height, model: isGrey ? .grey : .rgb, format: bits > 8 ? .uint16 : .uint8, bitDepth: bits,
      chroma: isGrey ? .none : .s444, channels: [])
  }

  /// The memory of interleaved codes, row by row without gaps.
  var interleavedBase: UnsafeMutableRawPointer { channels[0].buffer.base }
}
