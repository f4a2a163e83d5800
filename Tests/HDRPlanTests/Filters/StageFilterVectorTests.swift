import Foundation
import HDRCore
import HDRPlan
import TestPlans
import TestSupport
import Testing

/// Filters that stages of others make, against the values of an independent program in binary64.
@Suite(.enabled(if: SharedData.url("specs/filters-178-vectors.json") != nil, "skipped: no data"))
struct StageFilterVectorTests {
  static let names = [
    "affine-clamp", "perspective-transform-with-extent", "perspective-rotate", "keystone-correction-vertical",
    "keystone-correction-horizontal", "keystone-correction-combined", "clamp", "nine-part-stretched", "nine-part-tiled",
    "maximum-scale-transform", "mix", "photo-effect-mono", "photo-effect-tonal", "photo-effect-noir",
    "photo-effect-chrome", "photo-effect-fade", "photo-effect-instant", "photo-effect-process", "photo-effect-transfer",
    "blurred-rectangle-generator", "masked-variable-blur", "column-average", "row-average", "area-min-max-red",
    "area-minimum-alpha", "convolution-3x3 alpha:weighted", "convolution-5x5 alpha:weighted", "convolution-rgb-3x3",
    "convolution-rgb-5x5",
  ]

  /// The pictures of the vectors, by their formulas.
  static func picture(_ list: [Any]) throws -> FilterPicture {
    let name = try #require(list[0] as? String), w = try #require(list[1] as? Int), h = try #require(list[2] as? Int)
    func mix(_ x: Int, _ y: Int, _ a: Double) -> SIMD4<Double> {
      let red = Double((7 * x + 3 * y) % 16) / 8, green = Double((5 * x + 11 * y) % 16) / 8
      return SIMD4(red, green, Double((3 * x + 13 * y) % 16) / 8 - 0.25, a)
    }
    let formula: ((Int, Int) -> SIMD4<Double>)?
    switch name {
    case "ramp": formula = { x, y in SIMD4(Double(x) + 0.5, Double(y) + 0.5, 8 * Double((x + y) % 2), 1) }
    case "mix": formula = { x, y in mix(x, y, 1) }
    case "mixa": formula = { x, y in mix(x, y, 1 - Double((x + 2 * y) % 4) / 8) }
    case "hill":
      formula = { x, y in
        let u = Double(x) - Double(w) / 2 + 0.5, v = Double(y) - Double(h) / 2 + 0.5
        let square = (u * u + v * v) / Double(w * h)
        return SIMD4(1 - square, 1 - square / 2, square, 1)
      }
    case "spark":
      formula = { x, y in
        let v = x == w / 2 && y == h / 2 ? 16.0 : 0.0625
        return SIMD4(v, v / 2, v / 4, 1)
      }
    default: formula = nil
    }
    return FilterPicture(width: w, height: h, try #require(formula, "\(name)"))
  }

  /// Parameters of a case by the kinds of the filter's own.
  static func values(_ filter: any Filter.Type, _ given: [String: Any]) -> [String: FilterValue] {
    var values: [String: FilterValue] = [:]
    for (key, value) in given where filter.parameter(key) != nil {
      if case .flag? = filter.parameter(key)?.kind, let flag = value as? NSNumber {
        values[key] = .flag(flag.boolValue)
      } else if let word = value as? String {
        values[key] = .word(word)
      } else if let number = value as? NSNumber {
        values[key] = .number(number.doubleValue)
      } else if let list = value as? [NSNumber] {
        values[key] = .numbers(list.map(\.doubleValue))
      }
    }
    return values
  }

  @Test("filters of stages that there were give the values of the vectors", arguments: names)
  func values(name: String) throws {
    let vectors = SharedData.json("specs/filters-178-vectors.json")?["filters"] as? [String: [String: Any]] ?? [:]
    let group = try #require(vectors[name]), tolerance = group.numbers("tolerance")
    let words = name.split(separator: " ").map(String.init), filter = try #require(Filters.named(words[0]))
    let cases = try #require(group["cases"] as? [[String: Any]])
    #expect(!cases.isEmpty)
    for item in cases {
      let given = try #require(item["parameters"] as? [String: Any]),
        inputs = try #require(item["inputs"] as? [String: Any])
      var step = FilterStep(words[0], Self.values(filter, given)), others: [String: FilterPicture] = [:]
      if words.count == 2 { step.values.values["alpha"] = .word("weighted") }
      for (key, list) in inputs where key != "picture" && key != "size" {
        others[key] = try Self.picture(try #require(list as? [Any]))
        step.values.values[key] = .word(key)
      }
      let own = inputs["picture"] as? [Any] ?? ["ramp"] + (inputs["size"] as? [Any] ?? [])
      let result = try Self.picture(own).edited(step, inputs: others)
      #expect([result.width, result.height] == item["size"] as? [Int], "\(name) \(given)")
      for pixel in try #require(item["pixels"] as? [[NSNumber]]) {
        let at = pixel.map(\.doubleValue), got = result[Int(at[0]), Int(at[1])]
        for channel in 0..<4 {
          // Colours of hardly any alpha are compared as they are seen.
          let share = channel < 3 && at[5] < 0x1p-8 ? (got.w, at[5]) : (1, 1), want = at[channel + 2] * share.1
          #expect(
            abs(got[channel] * share.0 - want) <= tolerance[0] + tolerance[1] * abs(want),
            "\(name) \(given) at \(at[0]), \(at[1]): \(got) for \(at[2...])")
        }
      }
    }
  }
}
