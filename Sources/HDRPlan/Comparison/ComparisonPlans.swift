import HDRCore
import Kernels

/// The plans that compare two pictures (docs/compare.md): ordinary stages on the light of both, so that every executor
/// gives the same words. Sums and counts of their results are integers.
///
/// Light is three planes of binary32, R, G, B in linear BT.2020, 1.0 = 203 cd/m². Components below 0 and above
/// 10 000 cd/m² are cut first.
package enum ComparisonPlans {
  /// The rows above and below a pixel on which its result depends.
  package static let reach = 9

  /// Returns a plan for PQ signals of R, G, B in 16-bit codes, interleaved (`rgba16`).
  package static func signals(of light: SampleImage) -> Plan {
    var builder = begin(light)
    builder.add(.encode(.pq))
    return builder.finish(RenderRecipe(target: OutputSignal(encoding: .pq, sink: .rgba16)), PlanReport())
  }

  /// Returns a plan for curves of luminance, in planes: its PQ signal of 0...1, and its PU21 value of 0...596 twice.
  package static func luminances(of light: SampleImage) -> Plan {
    var builder = begin(light)
    let weights = Primaries.bt2020.luminance
    builder.add(.matrix(Matrix3(weights + weights + weights)))
    let perceptual = CurveTable(octaves: -30..<10, k: 4) { PU21.openValue(nits: $0 * ReferenceWhite.nits) }
    builder.addCurves([TransferCurve.pq.encodeTable, perceptual, perceptual])
    return builder.ended(channels: 3)
  }

  /// Returns a plan for I, Ct / 2, Cp of ICtCp with PQ (BT.2100), in planes.
  package static func perceptual(of light: SampleImage) -> Plan {
    var builder = begin(light)
    builder.add(perceptualSteps(veil: 0, sign: 1))
    return builder.ended(channels: 3)
  }

  /// Returns a plan for dE ITP (BT.2124) of each pixel, in one plane.
  package static func differences(_ a: SampleImage, _ b: SampleImage) -> Plan {
    var builder = difference(a, b, veil: 0)
    builder.add(.custom { $0.stage(.vectorLength, VectorLength.words(scale: scale)) })
    return builder.ended(channels: 1)
  }

  /// Returns a plan for dE ITP of what an eye sees, in one plane: with 1 cd/m² of veil, and differences blurred, those
  /// of intensity by 1.5 pixels and those of colour by 3.
  package static func seenDifferences(_ a: SampleImage, _ b: SampleImage) -> Plan {
    var builder = difference(a, b, veil: 1 / ReferenceWhite.nits)
    let all = builder.close(channels: 3)
    builder.blur(all, channels: 1, sigma: 1.5)
    builder.add(.matrix(.diagonal(1, 0, 0)))
    let intensity = builder.close(channels: 4)
    builder.blur(all, channels: 3, sigma: 3)
    builder.add(.matrix(.diagonal(0, 1, 1)))
    builder.add(intensity)
    builder.add(.custom { $0.stage(.vectorLength, VectorLength.words(scale: scale)) })
    return builder.ended(channels: 1)
  }

  /// Returns a plan for the log2 gains of a gain map at full weight, in three planes, turned as the picture is shown.
  ///
  /// - Parameter source: a picture with a gain map whose metadata is complete; others have no plan.
  package static func gains(of source: SourceImage) -> Plan? {
    guard let map = source.gainMap, map.metadata.isComplete else { return nil }
    let meta = map.metadata
    var builder = PlanBuilder(
      SourceImage(
        format: .memory, image: map.image.withRGBPlanes(matrix: map.matrix),
        color: SourceColor(
          matrix: CICP.Matrix.ofCodes(map.matrix), fullRange: map.fullRange,
          encoding: .cicp(primaries: CICP.Primaries.bt709, transfer: CICP.Transfer.linear),
          cicp: CICP(source.color.cicp?.primaries ?? 1, 2, map.matrix, full: map.fullRange)),
        geometry: Geometry(
          width: map.image.width, height: map.image.height, orientation: source.geometry.orientation)))
    builder.add(.clamp(low: 0, high: 1))
    if let apple = meta.apple {
      builder.addCurves([apple.log2GainTable()])
    } else {
      if !meta.gamma.allSatisfy({ $0 == 1 }) {
        builder.addCurves(
          meta.gamma.map { gamma in CurveTable(octaves: -16..<1, k: 6) { ExactMath.pow($0, 1 / gamma) } })
      }
      builder.add(.affine(scale: (0..<3).map { meta.max[$0] - meta.min[$0] }, offset: meta.min))
    }
    return builder.ended(channels: 3)
  }

  /// The scale of dE ITP: 1 is about what an adapted eye tells apart.
  private static let scale = 720.0

  private static func begin(_ light: SampleImage) -> PlanBuilder {
    var builder = PlanBuilder(light: light)
    builder.add(.clamp(low: 0, high: 10_000 / ReferenceWhite.nits))
    return builder
  }

  private static func perceptualSteps(veil: Double, sign: Double) -> [PixelOperation] {
    let halved = Matrix3.diagonal(sign, 0.5 * sign, sign) * ICtCp.lmsToICtCpPQ
    let veiling = PixelOperation.affine(scale: [1, 1, 1], offset: [veil, veil, veil])
    return (veil == 0 ? [] : [veiling]) + [.matrix(ICtCp.rgbToLMS), .encode(.pq), .matrix(halved)]
  }

  /// Begins with the differences of I, Ct / 2, Cp, A less B.
  private static func difference(_ a: SampleImage, _ b: SampleImage, veil: Double) -> PlanBuilder {
    var builder = begin(b)
    builder.add(perceptualSteps(veil: veil, sign: -1))
    let negative = builder.close(channels: 4)
    builder.begin(light: a)
    builder.add(.clamp(low: 0, high: 10_000 / ReferenceWhite.nits))
    builder.add(perceptualSteps(veil: veil, sign: 1))
    builder.add(negative)
    return builder
  }
}

extension PlanBuilder {
  fileprivate init(light: SampleImage) { self.init(SourceImage(light: light)) }

  fileprivate mutating func begin(light: SampleImage) { begin(SourceImage(light: light)) }

  /// Adds a picture of the same size, with alpha, to the open pass's.
  fileprivate mutating func add(_ planes: PlaneRef) {
    let source = addSource(planes, rows: .same(height: planes.height))
    add(
      .custom {
        $0.stage(
          .composite,
          Compositing.words(.addition, source: source, x: 0, y: 0, width: planes.width, height: planes.height))
      })
  }

  /// Opens a pass with the first channels of a picture blurred.
  fileprivate mutating func blur(_ planes: PlaneRef, channels: Int, sigma: Double) {
    let half = Gaussian.half(sigma)
    let across = AxisWeights.symmetric(planes.width, half, edges: .clamp)
    let down = AxisWeights.symmetric(planes.height, half, edges: .clamp)
    begin(
      "blur x", .convolveX, of: planes, width: planes.width, height: planes.height, rows: .same(height: planes.height),
      ConvolveX.words(channels: channels, weights: words.table(across.words)))
    let rows = close(channels: channels)
    begin(
      "blur y", .convolveY, of: rows, width: rows.width, height: rows.height, rows: down.rows,
      ConvolveY.words(channels: channels, weights: words.table(down.words)))
  }

  /// Ends with planes of the open pass.
  fileprivate mutating func ended(channels: Int) -> Plan {
    _ = close(channels: channels)
    return Plan(passes: passes, constants: words.constants, tables: words.tables, report: PlanReport())
  }
}

extension SourceImage {
  /// Makes a picture of linear BT.2020 light.
  fileprivate init(light: SampleImage) {
    self.init(
      format: .size, image: light,
      color: SourceColor(
        matrix: CICP.Matrix.identity, fullRange: true,
        encoding: .cicp(primaries: CICP.Primaries.bt2020, transfer: CICP.Transfer.linear)),
      geometry: Geometry(width: light.width, height: light.height))
  }
}
