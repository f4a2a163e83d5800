import FileParts
import CPURender
import GPURender
import HDRCore
import HDRPlan
import ImageFiles
import Kernels

/// The brightness of a rendition, measured from the encoder's input.
package struct RenderedLight: Sendable, Hashable {
  /// The light level of PQ and HLG; `nil` for others and for black.
  package var level: ContentLightLevel?
  /// The largest component, as a factor of the output's white.
  package var peak: Double
  /// The share of the pixels with a component at the bound of display or signal, where brighter light was clipped. 0 if
  /// nothing bounds the light.
  package var clippedShare: Double

  /// Measures a picture; `nil` where `LightGauge` is.
  package init?(_ image: SampleImage, _ report: PlanReport, _ pool: BandPool) {
    guard let light = LightGauge(image, report)?.measure(image, pool) else { return nil }
    self = light
  }

  fileprivate init(level: ContentLightLevel? = nil, peak: Double, clippedShare: Double) {
    (self.level, self.peak, self.clippedShare) = (level, peak, clippedShare)
  }
}

/// Measures the brightness of a rendition from the encoder's input.
package struct LightGauge: PixelGauge {
  /// The sums of some rows.
  package enum Part: Sendable {
    /// The word of the largest component, and the number of pixels with a component at the bound.
    case extremes(most: UInt32, atBound: Int)
    case meter(LightMeter?)
  }

  private enum Layout: Sendable {
    case halves(bound: Int16), floats(bound: Float), codes
    /// Codes of PQ and HLG.
    case signal(LightRows)
  }

  private let layout: Layout
  private let report: PlanReport
  /// Light at which display or signal bound the picture, as a factor.
  private var bound: Double { report.bound ?? .infinity }

  /// Takes the layout of a picture; `nil` for layouts that are not an encoder's R, G, B or Y'CbCr, for planes that are
  /// kept as coded, for codes of SDR in planes or of 16 bits, and for codes of an ICC profile's device.
  package init?(_ image: SampleImage, _ report: PlanReport) {
    if report.outputProfile != nil { return nil }
    self.report = report
    let bound = report.bound ?? .infinity
    switch (image.model, image.format) {
    case (.rgb, .float16):
      layout = .halves(bound: bound < 65_504 ? Int16(truncatingIfNeeded: E32.half(Float(bound))) : .max)
    case (.rgb, .float32): layout = .floats(bound: Float(bound))
    case (.rgb, .uint8): layout = .codes
    default:
      guard
        let rows = LightRows(
          image, cicp: report.outputCICP, isScene: report.writesScene, bound: bound * report.signalWhite)
      else { return nil }
      layout = .signal(rows)
    }
  }

  /// Takes the layout of a plan's output.
  package init?(_ plan: Plan) {
    guard let sink = plan.passes.last?.sink else { return nil }
    self.init(sink.makeImage(width: 1, height: 1), plan.report)
  }

  package func start() -> Part {
    if case .signal(let rows) = layout { .meter(rows.start()) } else { .extremes(most: 0, atBound: 0) }
  }

  package func add(_ image: SampleImage, _ rows: Range<Int>, _ part: inout Part) {
    switch part {
    case .meter(var meter):
      // A meter is changed in one place.
      part = .meter(nil)
      if case .signal(let lines) = layout { lines.add(image, rows, &meter) }
      part = .meter(meter)
    case .extremes(let most, let atBound):
      let found: (most: UInt32, atBound: Int)
      switch layout {
      case .halves(let bound): found = Self.halves(image, rows, bound: bound)
      case .floats(let bound): found = Self.floats(image, rows, bound: bound)
      default: found = Self.codes(image, rows)
      }
      part = .extremes(most: max(most, found.most), atBound: atBound + found.atBound)
    }
  }

  package func sums(of parts: [Part], pixels: Int) -> RenderedLight? {
    var most: UInt32 = 0, atBound = 0, whole: LightMeter?
    for part in parts {
      switch part {
      case .extremes(let more, let count): (most, atBound) = (max(most, more), atBound + count)
      case .meter(let meter):
        guard let meter else { return nil }
        if whole == nil { whole = meter } else { whole?.merge(meter) }
      }
    }
    if case .signal(let rows) = layout {
      if whole == nil { whole = rows.start() }
      return whole.map { light($0) }
    }
    return light(most, atBound, pixels)
  }

  package var measurement: Measurement? {
    switch layout {
    case .codes: return .codes
    case .floats(let bound): return .planes(3, bound: bound)
    case .halves(let bound): return .halves(bound: Int(bound))
    case .signal(let rows):
      // The OOTF of HLG is computed in binary64.
      guard report.outputCICP.transfer == CICP.Transfer.pq else { return nil }
      let bound = LightMeter.pqCode(ofBound: bound * report.signalWhite)
      return rows.conversion.map { .planarPQ(bound: bound, $0) } ?? .pq(bound: bound)
    }
  }

  package func sums(of measured: PixelSums, pixels: Int) -> RenderedLight? {
    let atBound = measured.atBound
    switch layout {
    case .halves, .codes: return light(measured.extremes[0], atBound, pixels)
    case .floats: return light((0..<3).reduce(0) { max($0, measured.largest($1)) }.bitPattern, atBound, pixels)
    case .signal:
      return LightReading(
        largest: Int(measured.extremes[0]), mean: measured.meanLight(pixels: pixels), error: PQCodeLight.error,
        atBound: atBound, pixels: pixels
      ).map { light($0) }
    }
  }

  /// Returns the light of a picture with this word of its largest component.
  private func light(_ most: UInt32, _ atBound: Int, _ pixels: Int) -> RenderedLight {
    let peak =
      switch layout {
      case .halves: Double(E32.float(half: most))
      case .floats: Double(Float(bitPattern: most))
      default: TransferCurve.sRGB.decode(Double(most) / 255)
      }
    return RenderedLight(peak: peak, clippedShare: report.mayExceed ? Double(atBound) / Double(max(1, pixels)) : 0)
  }

  /// Luminances are in cd/m²; the output's white makes them factors. Scene light has no luminance.
  private func light(_ reading: LightReading) -> RenderedLight {
    RenderedLight(
      level: report.writesScene ? nil : reading.level, peak: reading.peak / report.white,
      clippedShare: report.mayExceed ? reading.boundShare : 0)
  }

  private func light(_ meter: LightMeter) -> RenderedLight {
    var meter = meter
    return light(meter.read())
  }

  /// Returns the largest component of interleaved halves of light, at least 0, as a word, and the number of pixels with
  /// one at `bound` or above. NaN counts as 0.
  private static func halves(_ image: SampleImage, _ rows: Range<Int>, bound: Int16) -> (most: UInt32, atBound: Int) {
    typealias Lanes = SIMD8<Int16>
    let plane = image.channels[0], width = image.width
    let base = UInt(bitPattern: plane.buffer.base + plane.offset), rowBytes = plane.rowBytes
    // Positive halves are ordered like their patterns, negative ones are negative integers too; NaN is above infinity.
    let colours = Lanes(-1, -1, -1, 0, -1, -1, -1, 0), infinity = Lanes(repeating: 0x7c00)
    let first = Lanes(repeating: bound)
    var largest = Lanes(repeating: 0), count = 0
    // Takes two pixels.
    @inline(__always) func take(_ halves: Lanes) {
      let light = halves & colours
      let finite = light.replacing(with: Lanes(repeating: 0), where: light .> infinity)
      largest = largest.replacing(with: finite, where: finite .> largest)
      let atBound = unsafeBitCast(finite .>= first, to: SIMD2<UInt64>.self)
      count &+= (atBound[0] == 0 ? 0 : 1) &+ (atBound[1] == 0 ? 0 : 1)
    }
    for y in rows {
      guard let row = UnsafeRawPointer(bitPattern: base + UInt(y * rowBytes)) else { continue }
      for pair in 0..<width >> 1 { take((row + 16 &* pair).loadUnaligned(as: Lanes.self)) }
      if width & 1 == 1 {
        take(unsafeBitCast(SIMD2((row + 8 * (width - 1)).loadUnaligned(as: UInt64.self), 0), to: Lanes.self))
      }
    }
    return (UInt32(largest.max()), count)
  }

  /// Returns the largest component of planes of light, at least 0, as a word, and the number of pixels that reach
  /// `bound`.
  private static func floats(_ image: SampleImage, _ rows: Range<Int>, bound: Float) -> (most: UInt32, atBound: Int) {
    let planes = image.channels, width = image.width
    var largest: Float = 0, count = 0
    for y in rows {
      let lines = planes.map {
        ($0.buffer.base + $0.offset + y * $0.rowBytes).assumingMemoryBound(to: Float.self)
      }
      let r = lines[0], g = lines[1], b = lines[2]
      for x in 0..<width {
        let most = max(r[x], max(g[x], b[x]))
        largest = max(largest, most)
        count += most >= bound ? 1 : 0
      }
    }
    return (largest.bitPattern, count)
  }

  /// Returns the largest code of R, G and B, and the number of pixels that have the maximum code.
  private static func codes(_ image: SampleImage, _ rows: Range<Int>) -> (most: UInt32, atBound: Int) {
    typealias Lanes = SIMD16<UInt8>
    let plane = image.channels[0], width = image.width
    let base = UInt(bitPattern: plane.buffer.base + plane.offset), rowBytes = plane.rowBytes
    // The alpha, or other bytes beside R, G and B, are ignored.
    let colours = unsafeBitCast(SIMD4<UInt32>(repeating: 0x00ff_ffff), to: Lanes.self), top = Lanes(repeating: 255)
    let none = SIMD4<UInt32>(repeating: 0)
    var largest = Lanes(repeating: 0), count = 0
    for y in rows {
      guard let row = UnsafeRawPointer(bitPattern: base + UInt(y * rowBytes)) else { continue }
      var full = SIMD4<Int32>(repeating: 0)
      // Takes four pixels.
      @inline(__always) func take(_ pixels: Lanes) {
        let codes = pixels & colours
        largest = largest.replacing(with: codes, where: codes .> largest)
        let isFull = unsafeBitCast(codes .== top, to: SIMD4<UInt32>.self) .!= none
        full = full &- unsafeBitCast(isFull, to: SIMD4<Int32>.self)
      }
      for four in 0..<width >> 2 { take((row + 16 &* four).loadUnaligned(as: Lanes.self)) }
      var rest = none
      for x in width & ~3..<width { rest[x & 3] = (row + 4 * x).loadUnaligned(as: UInt32.self) }
      take(unsafeBitCast(rest, to: Lanes.self))
      count += Int(full.wrappedSum())
    }
    return (UInt32(largest.max()), count)
  }
}

extension PlanReport {
  /// The cd/m² of 1.0 before the output's transfer curve.
  var signalWhite: Double { outputCICP.transfer == CICP.Transfer.linear ? white : ReferenceWhite.nits }

  /// Returns true if the picture is brighter than its own declaration allows, beyond any rounding. In other primaries
  /// components may be larger than in the declaration's.
  func isExceeded(by light: RenderedLight, _ source: SourceImage) -> Bool {
    let primaries = Planner.declaredPrimaries(source)
    guard outputCICP.primaries == CICP.Primaries.bt2020 || outputCICP.primaries == primaries else { return false }
    return light.peak > 1.01 * outputHeadroom && contentHeadroomSource != "measured" && view == nil
  }
}
