import Foundation
import HDRCore
import HDRPlan
import TestPlans
import TestSupport
import Testing

/// Filters whose stages are their own, against values that another program computed in binary64 from the definitions.
@Suite(.enabled(if: SharedData.url(LightVectors.path) != nil, "skipped: no vectors"))
struct LightVectorTests {
  static let names = [
    "maximum-component", "minimum-component", "color-cross-polynomial", "spot-color", "rounded-rectangle-generator",
    "rounded-rectangle-stroke-generator", "star-shine-generator", "sunbeams-generator", "lenticular-halo-generator",
    "spot-light", "mesh-generator", "shaded-material", "bokeh-blur", "gabor-gradients", "edge-preserve-upsample",
    "guided-filter", "page-curl-transition", "page-curl-with-shadow-transition", "kmeans", "area-bounds-red",
  ]

  @Test("a filter gives the pixels of its vectors", arguments: names)
  func pixels(name: String) throws {
    let group = try #require(LightVectors.groups[name]), cases = try #require(group["cases"] as? [[String: Any]])
    let tolerance = try #require(group["tolerance"] as? [Double])
    #expect(!cases.isEmpty)
    for one in cases {
      let result = try LightVectors.render(name, one), size = try #require(one["size"] as? [Int])
      #expect([result.width, result.height] == size)
      for pixel in try #require(one["pixels"] as? [[Double]]) {
        let got = result[Int(pixel[0]), Int(pixel[1])]
        for channel in 0..<4 {
          // Red and blue of the hill have opposite slopes: rounding decides which of them is further from 0.
          let isTie = name == "gabor-gradients" && "\(one["inputs"]!)".contains("hill")
          let want = pixel[2 + channel], error = isTie ? abs(abs(got[channel]) - abs(want)) : abs(got[channel] - want)
          #expect(error <= tolerance[0] + tolerance[1] * abs(want), "\(one["parameters"]!) \(pixel): \(got)")
        }
      }
    }
  }

  @Test func edgesAreThoseOfTheVectors() throws {
    let name = "canny-edge-detector", cases = try #require(LightVectors.groups[name]?["cases"] as? [[String: Any]])
    #expect(cases.count == 3)
    for one in cases {
      let result = try LightVectors.render(name, one)
      for (y, row) in try #require(one["red"] as? [String]).enumerated() {
        for (x, want) in row.enumerated() where want != "?" {
          let edge = want == "1" ? 1.0 : 0
          #expect(result[x, y] == SIMD4(edge, edge, edge, 1), "\(one["parameters"]!) at \(x), \(y)")
        }
      }
    }
  }
}

/// The file of vectors: pictures by formulas, and cases.
enum LightVectors {
  static let path = "specs/filters-178-vectors.json"
  static var groups: [String: [String: Any]] { SharedData.json(path)?["filters"] as? [String: [String: Any]] ?? [:] }

  /// Renders a case of a filter, in binary32 between passes.
  static func render(_ name: String, _ one: [String: Any]) throws -> FilterPicture {
    var inputs = (try #require(one["inputs"] as? [String: [Any]])).compactMapValues(picture)
    let own = inputs.removeValue(forKey: "picture") ?? FilterPicture.noise(width: 16, height: 12)
    var values = (try #require(one["parameters"] as? [String: Any])).mapValues(value)
    for key in inputs.keys { values[key] = .word(key) }
    return try own.edited(FilterStep(name, values), inputs: inputs)
  }

  private static func value(_ any: Any) -> FilterValue {
    switch any {
    case let text as String: return .word(text)
    // Numbers 0 and 1 are not flags: only these have a type of their own.
    case let number as NSNumber:
      return String(cString: number.objCType) == "c" ? .flag(number.boolValue) : .number(number.doubleValue)
    case let list as [[Double]]:
      return .word(list.map { $0.map { "\($0)" }.joined(separator: "/") }.joined(separator: ";"))
    case let list as [Double]: return .numbers(list)
    default: return .word("\(any)")
    }
  }

  /// Makes a picture of a name, a width and a height; `nil` for a size alone.
  private static func picture(_ form: [Any]) -> FilterPicture? {
    guard let name = form[0] as? String, let w = form[1] as? Int, let h = form[2] as? Int else { return nil }
    func grey(_ v: Double) -> SIMD4<Double> { SIMD4(v, v, v, 1) }
    return FilterPicture(width: w, height: h) { x, y in
      func part(_ a: Int, _ b: Int) -> Double { Double((a * x + b * y) % 16) / 8 }
      let px = Double(x) + 0.5, py = Double(y) + 0.5, dx = px - Double(w) / 2, dy = py - Double(h) / 2
      let far = (dx * dx + dy * dy) / Double(w * h), spark = x == w / 2 && y == h / 2 ? 16.0 : 1.0 / 16
      return switch name {
      case "ramp": SIMD4(px, py, Double(8 * ((x + y) % 2)), 1)
      case "mix": SIMD4(part(7, 3), part(5, 11), part(3, 13) - 0.25, 1)
      case "mixa": SIMD4(part(7, 3), part(5, 11), part(3, 13) - 0.25, 1 - Double((x + 2 * y) % 4) / 8)
      case "hill": SIMD4(1 - far, 1 - far / 2, far, 1)
      case "step": grey(Double(x) + Double(y) / 4 > Double(w) / 2 ? 4 : 0.125)
      case "spark": SIMD4(spark, spark / 2, spark / 4, 1)
      case "sphere": SIMD4(2 * px / Double(w), 2 * py / Double(h), 0.5, 1)
      default: box(form, x, y)
      }
    }
  }

  /// `boxred`: a red of -0.5 in a box that the form names.
  private static func box(_ form: [Any], _ x: Int, _ y: Int) -> SIMD4<Double> {
    let r = form.suffix(4).compactMap { $0 as? Int }
    let isInside = x >= r[0] && y >= r[1] && x < r[0] + r[2] && y < r[1] + r[3]
    return SIMD4(isInside ? -0.5 : 0, 2, 0, 1)
  }
}
