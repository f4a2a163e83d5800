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

  /// Returns `nil` for layouts that are not an encoder's R, G, B or Y'CbCr, for planes that are kept as coded, and for
  /// codes of an ICC profile's device.
  package init?(_ image: SampleImage, _ report: PlanReport, _ pool: BandPool) {
    if report.outputProfile != nil { return nil }
    let cicp = report.outputCICP, bound = report.bound ?? .infinity
    switch (image.model, image.format) {
    case (.rgb, .float16):
      (peak, clippedShare) = Self.halves(image, bound: bound, pool)
      level = nil
    case (.rgb, .float32):
      (peak, clippedShare) = Self.floats(image, bound: Float(bound), pool)
      level = nil
    case (.rgb, .uint8):
      let (most, full) = Self.codes(image, pool)
      (level, peak, clippedShare) = (nil, TransferCurve.sRGB.decode(Double(most) / 255), full)
    default:
      // Luminances are in cd/m²; the output's white makes them factors.
      guard
        let reading = readLight(
          image, cicp: cicp, isScene: report.writesScene, bound: bound * report.signalWhite, pool)
      else { return nil }
      (level, peak, clippedShare) = (reading.level, reading.peak / report.white, reading.boundShare)
      // Scene light has no luminance.
      if report.writesScene { level = nil }
    }
    if !report.mayExceed { clippedShare = 0 }
  }

  /// Takes what a device has measured of codes of 8 bits; `nil` for codes of an ICC profile's device.
  init?(_ codes: JPEGBand.Light, pixels: Int, _ report: PlanReport) {
    if report.outputProfile != nil { return nil }
    (level, peak) = (nil, TransferCurve.sRGB.decode(Double(codes.largest) / 255))
    clippedShare = report.mayExceed ? Double(codes.full) / Double(max(1, pixels)) : 0
  }

  /// Returns the largest component of interleaved halves of light, at least 0, and the share of pixels with one at
  /// `bound` or above. NaN counts as 0.
  private static func halves(_ image: SampleImage, bound: Double, _ pool: BandPool) -> (peak: Double, share: Double) {
    typealias Lanes = SIMD8<Int16>
    let plane = image.channels[0], width = image.width
    let base = UInt(bitPattern: plane.buffer.base + plane.offset), rowBytes = plane.rowBytes
    // Positive halves are ordered like their patterns, negative ones are negative integers too; NaN is above infinity.
    let colours = Lanes(-1, -1, -1, 0, -1, -1, -1, 0), infinity = Lanes(repeating: 0x7c00)
    let first = Lanes(repeating: bound < 65_504 ? Int16(truncatingIfNeeded: E32.half(Float(bound))) : .max)
    let parts = pool.reduce(rows: image.height) { (rows, part: inout (most: Int16, count: Int)) in
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
      part.most = max(part.most, largest.max())
      part.count += count
    } start: {
      (0, 0)
    }
    let most = parts.map(\.most).max() ?? 0, count = parts.reduce(0) { $0 + $1.count }
    return (Double(E32.float(half: UInt32(most))), Double(count) / Double(max(1, width * image.height)))
  }

  /// Returns the largest component of planes of light, at least 0, and the share of pixels that reach `bound`.
  private static func floats(_ image: SampleImage, bound: Float, _ pool: BandPool) -> (peak: Double, share: Double) {
    let planes = image.channels, width = image.width
    let parts = pool.reduce(rows: image.height) { (rows, part: inout (most: Float, count: Int)) in
      for y in rows {
        let lines = planes.map {
          ($0.buffer.base + $0.offset + y * $0.rowBytes).assumingMemoryBound(to: Float.self)
        }
        let r = lines[0], g = lines[1], b = lines[2]
        for x in 0..<width {
          let most = max(r[x], max(g[x], b[x]))
          part.most = max(part.most, most)
          part.count += most >= bound ? 1 : 0
        }
      }
    } start: {
      (0, 0)
    }
    let count = parts.reduce(0) { $0 + $1.count }
    return (Double(parts.map(\.most).max() ?? 0), Double(count) / Double(max(1, width * image.height)))
  }

  /// Returns the largest code of R, G and B, and the share of pixels that have the maximum code.
  private static func codes(_ image: SampleImage, _ pool: BandPool) -> (most: UInt8, full: Double) {
    typealias Lanes = SIMD16<UInt8>
    let plane = image.channels[0], width = image.width
    let base = UInt(bitPattern: plane.buffer.base + plane.offset), rowBytes = plane.rowBytes
    // The alpha, or other bytes beside R, G and B, are ignored.
    let colours = unsafeBitCast(SIMD4<UInt32>(repeating: 0x00ff_ffff), to: Lanes.self), top = Lanes(repeating: 255)
    let none = SIMD4<UInt32>(repeating: 0)
    let parts = pool.reduce(rows: image.height) { (rows, part: inout (most: UInt8, full: Int)) in
      var largest = Lanes(repeating: 0)
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
        part.full += Int(full.wrappedSum())
      }
      part.most = max(part.most, largest.max())
    } start: {
      (0, 0)
    }
    let pixels = Double(max(1, width * image.height))
    return (parts.map(\.most).max() ?? 0, Double(parts.reduce(0) { $0 + $1.full }) / pixels)
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
    return light.peak > 1.01 * outputHeadroom && contentHeadroomSource != "measured"
  }
}
