import HDRCore
import HDRPlan
import Testing

/// Signals below 0 and above 1: the same light whatever the samples are, by the standards' formulas in binary64.
struct SignalRangeTests {
  /// R'G'B' floats of grey signals, or others.
  static func floats(_ signals: [Float], transfer: Int) -> SourceImage {
    let image = SampleImage.interleaved(
      width: signals.count, height: 1, channelCount: 3, format: .float32, bitDepth: 32)
    for (x, signal) in signals.enumerated() {
      for plane in image.channels {
        plane.buffer.base.storeBytes(of: signal, toByteOffset: plane.offset + x * plane.stepBytes, as: Float.self)
      }
    }
    return SourceImage(
      format: .memory, image: image,
      color: SourceColor(matrix: 0, fullRange: true, encoding: .cicp(primaries: 9, transfer: transfer)),
      geometry: Geometry(width: signals.count, height: 1))
  }

  /// Light of a grey signal as a factor of reference white: BT.2100, odd.
  static func light(_ signal: Double, transfer: Int) -> Double {
    let v = abs(signal)
    let nits =
      if transfer == CICP.Transfer.pq {
        Transfer.pqEOTF(v)
      } else {
        1000 * ExactMath.pow(Transfer.hlgInverseOETF(v), 1.2)
      }
    return (signal < 0 ? -nits : nits) / ReferenceWhite.nits
  }

  @Test(
    "limited-range codes below black and above white keep the curve", arguments: [CICP.Transfer.pq, CICP.Transfer.hlg],
    [10, 12])
  func limitedCodes(transfer: Int, bits: Int) throws {
    let unit = 1 << (bits - 8), codes = Array(0..<(1 << bits))
    let source = MatrixCoefficientTests.source(
      codes.map { [$0, 128 * unit, 128 * unit] }, bits: bits, CICP(9, transfer, 9, full: false))
    let got = try MatrixCoefficientTests.light(source, primaries: 9)
    #expect(codes.filter { $0 > 235 * unit }.count > 80)
    for (code, rgb) in zip(codes, got) {
      let want = Self.light(Double(code - 16 * unit) / Double(219 * unit), transfer: transfer)
      for value in rgb { #expect(abs(value - want) <= 1e-4 * abs(want) + 1e-6, "code \(code): \(value), not \(want)") }
    }
  }

  @Test("floats beyond 0...1 are the light of the same codes", arguments: [CICP.Transfer.pq, CICP.Transfer.hlg])
  func floatSignals(transfer: Int) throws {
    let codes = Array(0..<1024), signals = codes.map { Float($0 - 64) / 876 }
    let asFloats = try MatrixCoefficientTests.light(Self.floats(signals, transfer: transfer), primaries: 9)
    let asCodes = try MatrixCoefficientTests.light(
      MatrixCoefficientTests.source(codes.map { [$0, 512, 512] }, bits: 10, CICP(9, transfer, 9, full: false)),
      primaries: 9)
    for (a, b) in zip(asFloats.joined(), asCodes.joined()) { #expect(abs(a - b) <= 2e-5 * abs(b) + 1e-6, "\(a), \(b)") }
    #expect(asFloats[0][1] < 0 && asFloats[1023][1] > asFloats[940][1] * 1.2)
  }

  @Test("signals that no picture has are finite light", arguments: [CICP.Transfer.pq, CICP.Transfer.hlg])
  func endsOfSignals(transfer: Int) throws {
    let signals: [Float] = [1.25, 1.3, 1.99, 4, 1e30, .infinity, -.infinity, .nan, -1e30, .leastNonzeroMagnitude]
    let got = try MatrixCoefficientTests.light(Self.floats(signals, transfer: transfer), primaries: 9)
    #expect(got.joined().allSatisfy { $0.isFinite })
    // PQ stands still from 1.25 on, HLG from 4 on.
    let end = transfer == CICP.Transfer.pq ? 0 : 3
    for rgb in got[(end + 1)...4] { #expect(abs(rgb[0] - got[end][0]) <= 1e-3 * got[end][0]) }
  }
}
