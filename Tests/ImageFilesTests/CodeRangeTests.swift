import HDRCore
import ImageFiles
import Testing

/// Codes of cameras' logarithms that may be of the limited range.
@Suite struct CodeRangeTests {
  /// Returns a grey of codes of 10 bits in 16, in a space that the caller states.
  private func warnings(
    _ codes: [UInt16], _ space: String = "S-Log3 S-Gamut3.Cine", _ change: (inout ReadingOptions) -> Void = { _ in }
  ) throws -> [String] {
    let image = SampleImage.interleaved(width: codes.count, height: 1, channelCount: 3, format: .uint16, bitDepth: 10)
    for (x, code) in codes.enumerated() {
      for plane in image.channels {
        (plane.buffer.base + plane.offset + x * plane.stepBytes).storeBytes(of: code, as: UInt16.self)
      }
    }
    let source = SourceImage(
      format: .memory, image: image,
      color: SourceColor(matrix: 0, fullRange: true, encoding: .cicp(primaries: 1, transfer: 13)),
      geometry: Geometry(width: codes.count, height: 1))
    var reading = ReadingOptions()
    let known = try #require(NamedSpace.named(space))
    reading.space = known
    change(&reading)
    return try reading.placed(source).warnings.map(\.code)
  }

  @Test func codesThatNeverLeaveTheLimitedRangeAreWarnedOf() throws {
    #expect(try warnings([64, 500, 940]) == ["space.range"])
    #expect(try warnings([63, 500, 940]).isEmpty && warnings([64, 500, 941]).isEmpty)
  }

  @Test func aStatedRangeAndSpacesOfNoCameraAreNotWarnedOf() throws {
    for isFull in [true, false] { #expect(try warnings([64, 940]) { $0.fullRange = isFull }.isEmpty) }
    for space in ["ACEScg", "ACEScct", "ACESproxy", "Cineon Rec.709", "sRGB - Texture"] {
      #expect(try warnings([64, 940], space).isEmpty, "\(space)")
    }
    #expect(try warnings([64, 940], "ARRI LogC4") == ["space.range"])
  }
}
