import CPUReference
import HDRCore
import HDRPlan
import Kernels
import TestSupport
import Testing
import VideoStreams

/// Reshaping of Dolby Vision as stages, against the reference of one pixel and against points in double precision.
@Suite(.enabled(if: SharedData.json("specs/video-vectors.json") != nil, "skipped: no ../shared/specs"))
struct DolbyReshapeStageTests {
  private typealias Fields = [String: Any]

  private static func vector(_ name: String) throws -> [String: Any] {
    let all = try #require(SharedData.json("specs/video-vectors.json")?["dolby"] as? Fields)
    return try #require(all[name] as? Fields)
  }

  private static func reshape(_ vector: [String: Any]) throws -> DolbyReshape {
    let hex = Array(try #require(vector["rpu_hex"] as? String))
    let bytes = stride(from: 0, to: hex.count, by: 2).compactMap { UInt8(String(hex[$0...$0 + 1]), radix: 16) }
    var state = DolbyState()
    return try state.read(bytes[...], startsOver: true).reshape
  }

  /// A row of pixels of 10 bits in planes.
  private static func source(_ codes: [[Int]], _ reshape: DolbyReshape) -> SourceImage {
    let image = SampleImage.planar(width: codes.count, height: 1, model: .ycc, format: .uint16, bitDepth: 10)
    for (channel, plane) in image.channels.enumerated() {
      for (x, code) in codes.enumerated() {
        (plane.buffer.base + plane.offset + 2 * x).storeBytes(of: UInt16(code[channel]), as: UInt16.self)
      }
    }
    var source = SourceImage(
      format: .memory, image: image,
      color: SourceColor(matrix: 9, fullRange: true, encoding: .cicp(primaries: 9, transfer: 16)),
      geometry: Geometry(width: codes.count, height: 1))
    source.color.reshape = reshape
    return source
  }

  @Test(
    "the stage gives the bits of the reference, with chroma as it is loaded",
    arguments: ["p5-real", "p5-mmr", "p84", "p81"], [1, 4, 16])
  func stageGivesTheBitsOfTheReference(name: String, chroma: Int) throws {
    let reshape = try Self.reshape(Self.vector(name))
    // All codes of luma, and chroma between codes where it was interpolated.
    let codes = (0..<1024).map { code -> SIMD3<Float> in
      let steps = (code * 37 % 1024 * chroma + code % chroma, (1023 - code) * chroma - code % chroma)
      return SIMD3(Float(code), Float(steps.0) / Float(chroma), Float(max(steps.1, 0)) / Float(chroma))
    }
    var words = PlanDataBuilder()
    let stage = words.stage(
      .dolbyReshape, DolbyReshapeStage.words(reshape, chroma: chroma) { words.table($0) })
    var lanes = codes.map { SIMD4($0.x, $0.y * Float(chroma), $0.z * Float(chroma), 1) }
    CPURenderer.apply([stage], constants: words.constants, tables: words.tables, to: &lanes)
    for (code, lane) in zip(codes, lanes) {
      let wanted = reshape.reshaped(code)
      #expect(lane == SIMD4(wanted, 1), "\(code)")
    }
  }

  @Test("planned light is within half a code of double precision", arguments: ["p5-real", "p5-mmr", "p84", "p81"])
  func plannedLightIsThatOfDoublePrecision(name: String) throws {
    let vector = try Self.vector(name), points = try #require(vector["points"] as? [Fields])
    let codes = try points.map { try #require($0["code"] as? [Int]) }
    let light = try MatrixCoefficientTests.light(Self.source(codes, try Self.reshape(vector)), primaries: 9)
    for (point, found) in zip(points, light) {
      let wanted = try #require(point["pq"] as? [Double])
      for (signal, light) in zip(wanted, found) {
        #expect(abs(Transfer.pqInverseEOTF(light * ReferenceWhite.nits) - signal) * 1023 < 0.1, "\(point)")
      }
    }
  }
}
