import Foundation
import HDRCore
import HDRPlan
import TestPlans
import TestSupport
import Testing

/// The stages of `rcd` against the method written down in binary64.
@Suite struct RatioCorrectedTests {
  /// A plane with borders mirrored.
  struct Plane {
    var width: Int
    var height: Int
    var values: [Double]

    init(_ width: Int, _ height: Int, _ value: (Int, Int) -> Double) {
      (self.width, self.height) = (width, height)
      values = (0..<width * height).map { value($0 % width, $0 / width) }
    }

    subscript(x: Int, y: Int) -> Double {
      values[LinearDemosaic.mirrored(y, height, period: 2) * width + LinearDemosaic.mirrored(x, width, period: 2)]
    }
  }

  static let eps = 1e-5

  static func demosaic(_ filters: ColorFilterArray, _ v: Plane) -> [[Double]] {
    let (w, h) = (v.width, v.height)
    func high(_ x: Int, _ y: Int, _ dx: Int, _ dy: Int) -> Double {
      func at(_ k: Int) -> Double { v[x + k * dx, y + k * dy] }
      let sum = at(-3) - 3 * at(-2) - at(-1) + 6 * at(0) - at(1) - 3 * at(2) + at(3)
      return sum * sum
    }
    func stat(_ x: Int, _ y: Int, _ dx: Int, _ dy: Int) -> Double {
      // The neighbours' samples, not their mirrored sums.
      max((-1...1).reduce(0) { $0 + high(x + $1 * dx, y + $1 * dy, dx, dy) }, 1e-10)
    }
    func share(_ a: (Int, Int), _ b: (Int, Int)) -> Plane {
      Plane(w, h) { x, y in
        let first = stat(x, y, a.0, a.1), second = stat(x, y, b.0, b.1)
        return first / (first + second)
      }
    }
    let cardinal = share((0, 1), (1, 0)), diagonal = share((1, 1), (-1, 1))
    func clear(_ p: Plane, _ x: Int, _ y: Int) -> Double {
      let around = (p[x - 1, y - 1] + p[x + 1, y - 1] + p[x - 1, y + 1] + p[x + 1, y + 1]) / 4
      return abs(0.5 - p[x, y]) < abs(0.5 - around) ? around : p[x, y]
    }
    func low(_ x: Int, _ y: Int) -> Double {
      var sum = v[x, y]
      for (dx, dy) in [(0, -1), (0, 1), (-1, 0), (1, 0)] { sum += 0.5 * v[x + dx, y + dy] }
      for (dx, dy) in [(-1, -1), (1, -1), (-1, 1), (1, 1)] { sum += 0.25 * v[x + dx, y + dy] }
      return max(sum, 0)
    }
    typealias Found = (gradient: Double, value: Double)
    func weighed(_ a: Found, _ b: Found) -> Double {
      (b.gradient * a.value + a.gradient * b.value) / (a.gradient + b.gradient)
    }
    let green = Plane(w, h) { x, y in
      if filters.color(x: x, y: y) == 1 { return v[x, y] }
      func along(_ dx: Int, _ dy: Int) -> Found {
        func at(_ k: Int) -> Double { v[x + k * dx, y + k * dy] }
        let gradient = eps + abs(at(1) - at(-1)) + abs(at(0) - at(2)) + abs(at(1) - at(3)) + abs(at(2) - at(4))
        let here = low(x, y), beyond = low(x + 2 * dx, y + 2 * dy)
        return (gradient, at(1) * (1 + (here - beyond) / (eps + here + beyond)))
      }
      let s = clear(cardinal, x, y)
      return s * weighed(along(-1, 0), along(1, 0)) + (1 - s) * weighed(along(0, -1), along(0, 1))
    }
    let opposite = Plane(w, h) { x, y in
      func along(_ dx: Int, _ dy: Int) -> Found {
        func at(_ k: Int) -> Double { v[x + k * dx, y + k * dy] }
        let gradient =
          eps + abs(at(1) - at(-1)) + abs(at(1) - at(3)) + abs(green[x, y] - green[x + 2 * dx, y + 2 * dy])
        return (gradient, at(1) - green[x + dx, y + dy])
      }
      let s = clear(diagonal, x, y)
      return green[x, y] + (1 - s) * weighed(along(-1, -1), along(1, 1)) + s * weighed(along(1, -1), along(-1, 1))
    }
    return (0..<w * h).map { at in
      let x = at % w, y = at / w, own = filters.color(x: x, y: y)
      func value(_ color: Int, _ x: Int, _ y: Int) -> Double {
        let (mx, my) = (
          LinearDemosaic.mirrored(x, w, period: 2), LinearDemosaic.mirrored(y, h, period: 2)
        )
        return filters.color(x: mx, y: my) == color ? v[mx, my] : opposite[mx, my]
      }
      return [0, 1, 2].map { color in
        if color == 1 { return green[x, y] }
        if own != 1 { return value(color, x, y) }
        func along(_ dx: Int, _ dy: Int) -> Found {
          func at(_ k: Int) -> Double { value(color, x + k * dx, y + k * dy) }
          let gradient =
            eps + abs(green[x, y] - green[x + 2 * dx, y + 2 * dy]) + abs(at(1) - at(-1)) + abs(at(1) - at(3))
          return (gradient, at(1) - green[x + dx, y + dy])
        }
        let s = clear(cardinal, x, y)
        return green[x, y] + (1 - s) * weighed(along(0, -1), along(0, 1)) + s * weighed(along(-1, 0), along(1, 0))
      }
    }
  }

  @Test("every phase and size has the method's numbers", arguments: 0..<4, [(8, 8), (21, 13), (517, 11), (6, 40)])
  func reference(phase: Int, size: (Int, Int)) throws {
    let (width, height) = size, filters = Camera.bayer[phase], geometry = Geometry(width: width, height: height)
    // Smooth with noise and edges.
    var random = SplitMix(state: UInt64(phase * 1000 + width))
    let codes = (0..<width * height).map { at -> UInt16 in
      let x = at % width, y = at / width, edge = (x + y / 3) % 17 < 8 ? 9000.0 : 30_000
      return UInt16(edge + Double(x * 37 % 2000) + 3000 * random.unit())
    }
    let plan = try Planner.sensor(
      Camera.image(codes, width: width, height: height), geometry, filters: filters,
      levels: SensorLevels(black: [512], white: [60_000]), demosaic: .rcd)
    let wanted = Self.demosaic(filters, Plane(width, height) { (Double(codes[$1 * width + $0]) - 512) / 59_488 })
    let worst = Camera.worst(plan, geometry) { x, y in wanted[y * width + x] }
    #expect(worst < 2e-5, "\(worst)")
  }

  @Test("the crop and orientation are those of the picture", arguments: Orientation.allCases)
  func geometry(orientation: Orientation) throws {
    let (width, height) = (40, 30), codes = Camera.codes(width * height, seed: 3)
    let image = Camera.image(codes, width: width, height: height), levels = SensorLevels(white: [65_535])
    func plan(_ geometry: Geometry) throws -> Plan {
      try Planner.sensor(image, geometry, filters: Camera.bayer[1], levels: levels, demosaic: .rcd)
    }
    let whole = renderOnCPU(try plan(Geometry(width: width, height: height)))
    let geometry = Geometry(crop: PixelRect(x: 3, y: 4, width: 30, height: 21), orientation: orientation)
    #expect(Camera.worst(try plan(geometry), geometry) { x, y in Camera.pixel(whole, x, y) } == 0)
  }

  @Test("grey stays grey, and black with noise below it stays finite")
  func flat() throws {
    let (width, height) = (32, 24), geometry = Geometry(width: width, height: height)
    let grey = try Planner.sensor(
      Camera.image([UInt16](repeating: 20_000, count: width * height), width: width, height: height), geometry,
      filters: Camera.bayer[0], levels: SensorLevels(white: [40_000]), demosaic: .rcd)
    #expect(Camera.worst(grey, geometry) { _, _ in [0.5, 0.5, 0.5] } < 1e-6)
    let dark = try Planner.sensor(
      Camera.image(Camera.codes(width * height, seed: 2, most: 128), width: width, height: height), geometry,
      filters: Camera.bayer[0], levels: SensorLevels(black: [64], white: [16_000]), demosaic: .rcd)
    #expect(Camera.worst(dark, geometry) { _, _ in [0, 0, 0] } < 0.02)
  }

  @Test("fine detail comes out nearer to what it was than by sums")
  func detail() throws {
    let side = 192, geometry = Geometry(width: side, height: side), filters = Camera.bayer[0]
    // Rings that become finer outwards, slightly coloured.
    func light(_ x: Int, _ y: Int) -> [Double] {
      let dx = Double(x) - 96, dy = Double(y) - 96
      let ring = 0.5 + 0.35 * cos((dx * dx + dy * dy) * 0.008)
      return [0.9 * ring, ring, 0.7 * ring + 0.05]
    }
    let codes = (0..<side * side).map { at -> UInt16 in
      let x = at % side, y = at / side
      return UInt16(light(x, y)[filters.color(x: x, y: y)] * 65_535)
    }
    func error(_ demosaic: Demosaic) throws -> Double {
      let plan = try Planner.sensor(
        Camera.image(codes, width: side, height: side), geometry, filters: filters,
        levels: SensorLevels(white: [65_535]), demosaic: demosaic)
      let image = renderOnCPU(plan)
      var sum = 0.0
      for y in 0..<side {
        for x in 0..<side {
          for (a, b) in zip(Camera.pixel(image, x, y), light(x, y)) { sum += (a - b) * (a - b) }
        }
      }
      return sum
    }
    let ratio = try error(.linear) / error(.rcd)
    // 2.3 dB; more on photographs.
    #expect(ratio > 1.6, "\(ratio)")
  }
}
