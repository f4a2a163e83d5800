import Foundation
import HDRCore

/// Profiles made of the fewest bytes that count.
package enum TinyICC {
  /// Columns of linear RGB to XYZ (D50), as color-vectors.json has them: red, green, blue.
  package static let colorants: [Int: [[Double]]] = [
    1: [
      [0.436041251616051, 0.222484540229477, 0.0139201874713754],
      [0.385112910798156, 0.716905078608458, 0.0970672386971241],
      [0.143045837585794, 0.0606103811620653, 0.713912573831501],
    ],
    9: [
      [0.673480187925327, 0.279042584746334, -0.0019334827800528],
      [0.165671206657657, 0.675344495876177, 0.0299828499664111],
      [0.125048605417016, 0.0456129193774888, 0.796850632813642],
    ],
    12: [
      [0.515118700928096, 0.241189167837403, -0.0010504527079767],
      [0.291977832041374, 0.69224405063782, 0.0418791200601511],
      [0.157103467030529, 0.0665667815247776, 0.784071332647826],
    ],
  ]
  package static let chad = [
    1.04788600322255, 0.0229187651747795, -0.050216095311733, 0.0295817824980035, 0.990483518490549,
    -0.0170787077044827, -0.00925188083920884, 0.0150726074870313, 0.751678133617603,
  ]
  package static let srgbCurve = para(3, [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045])

  /// Adobe RGB (1998) as a matrix and a curve.
  package static let adobe = matrix(
    colorants: adobeColorants, curve: gammaCurve(563), extra: ["desc": name("Adobe RGB of the tests")])
  /// A profile that describes Adobe RGB (1998) by tables.
  package static let adobeTables = profile(
    space: "RGB ",
    tags: tables(
      colorants: adobeColorants,
      inverse: Matrix3((0..<3).flatMap { row in adobeColorants.map { $0[row] } }).inverse!.rows,
      gamma: 563.0 / 256))
  private static let adobeColorants = [
    [0.60974, 0.31111, 0.01947], [0.20528, 0.62567, 0.06087], [0.14919, 0.06322, 0.74457],
  ]

  package static var displayP3: [UInt8] {
    matrix(colorants: colorants[12] ?? [], curve: srgbCurve, extra: ["desc": name("P3 of the tests")])
  }

  package static func word(_ value: Int) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
  }
  package static func half(_ value: Int) -> [UInt8] { [UInt8(value >> 8), UInt8(value & 255)] }
  package static func fixed(_ value: Double) -> [UInt8] { word(Int((value * 65536).rounded())) }

  package static func curv(_ values: [Int]) -> [UInt8] {
    Array("curv".utf8) + word(0) + word(values.count) + values.flatMap(half)
  }
  package static func gammaCurve(_ u8Fixed8: Int) -> [UInt8] { curv([u8Fixed8]) }
  package static func para(_ kind: Int, _ parameters: [Double]) -> [UInt8] {
    Array("para".utf8) + word(0) + half(kind) + half(0) + parameters.flatMap(fixed)
  }
  package static func xyz(_ value: [Double]) -> [UInt8] { Array("XYZ ".utf8) + word(0) + value.flatMap(fixed) }
  package static func name(_ text: String) -> [UInt8] {
    let units = text.utf16.flatMap { half(Int($0)) }
    return Array("mluc".utf8) + word(0) + word(1) + word(12) + Array("enUS".utf8) + word(units.count) + word(28) + units
  }

  /// A display of a power law: tables from its device to XYZ and back, `mft2` too. The way back takes XYZ to linear
  /// light by its matrix; three nodes a side, because 1.0 is the middle of what XYZ can say.
  package static func tables(colorants: [[Double]], inverse: [Double], gamma: Double) -> [String: [UInt8]] {
    func head(_ nodes: Int, _ matrix: [Double], _ input: Int, _ output: Int) -> [UInt8] {
      Array("mft2".utf8) + word(0) + [3, 3, UInt8(nodes), 0] + matrix.flatMap(fixed) + half(input) + half(output)
    }
    func curve(_ count: Int, _ f: (Double) -> Double) -> [UInt8] {
      let one = (0..<count).flatMap { half(Int((f(Double($0) / Double(count - 1)) * 65535).rounded())) }
      return one + one + one
    }
    let plain: [Double] = [1, 0, 0, 0, 1, 0, 0, 0, 1]
    var there = head(2, plain, 4096, 2) + curve(4096) { pow($0, gamma) }
    there += linearTable(colorants).dropFirst(52 + 12).prefix(48) + curve(2) { $0 }
    var back = head(3, inverse, 2, 4096) + curve(2) { $0 }
    for red in 0..<3 {
      for green in 0..<3 {
        for blue in 0..<3 { back += [red, green, blue].flatMap { half($0 == 0 ? 0 : 65535) } }
      }
    }
    back += curve(4096) { pow($0, 1 / gamma) }
    return ["A2B0": there, "B2A0": back]
  }

  /// `mft2` of two nodes per side, PCS XYZ, straight input and output tables.
  package static func linearTable(_ colorants: [[Double]]) -> [UInt8] {
    var bytes = Array("mft2".utf8) + word(0) + [3, 3, 2, 0]
    for value in [1, 0, 0, 0, 1, 0, 0, 0, 1] as [Double] { bytes += fixed(value) }
    bytes += half(2) + half(2)
    for _ in 0..<3 { bytes += half(0) + half(0xFFFF) }
    for red in 0..<2 {
      for green in 0..<2 {
        for blue in 0..<2 {
          for axis in 0..<3 {
            let value =
              Double(red) * colorants[0][axis] + Double(green) * colorants[1][axis] + Double(blue) * colorants[2][axis]
            // u1Fixed15: 1.0 is 0x8000.
            bytes += half(max(0, min(0xFFFF, Int((value * 32768).rounded()))))
          }
        }
      }
    }
    for _ in 0..<3 { bytes += half(0) + half(0xFFFF) }
    return bytes
  }

  package static func matrix(
    colorants: [[Double]], curve: [UInt8], chad hasChad: Bool = true, extra: [String: [UInt8]] = [:]
  ) -> [UInt8] {
    var tags = extra
    for (index, letter) in ["r", "g", "b"].enumerated() {
      tags[letter + "XYZ"] = xyz(colorants[index])
      tags[letter + "TRC"] = curve
    }
    if hasChad { tags["chad"] = Array("sf32".utf8) + word(0) + chad.flatMap(fixed) }
    return profile(space: "RGB ", tags: tags)
  }

  package static func profile(space: String, tags: [String: [UInt8]]) -> [UInt8] {
    let names = tags.keys.sorted()
    var table = word(names.count), data: [UInt8] = []
    let start = 132 + 12 * names.count
    for name in names {
      let bytes = tags[name] ?? []
      table += Array(name.utf8) + word(start + data.count) + word(bytes.count)
      data += bytes + [UInt8](repeating: 0, count: (4 - bytes.count % 4) % 4)
    }
    var header = [UInt8](repeating: 0, count: 128)
    func put(_ bytes: [UInt8], _ at: Int) { header.replaceSubrange(at..<at + bytes.count, with: bytes) }
    put(word(start + data.count), 0)
    put([4, 0x40, 0, 0], 8)
    put(Array("mntr".utf8), 12)
    put(Array(space.utf8), 16)
    put(Array("XYZ ".utf8), 20)
    put(Array("acsp".utf8), 36)
    put(fixed(0.9642) + fixed(1) + fixed(0.8249), 68)
    return header + table + data
  }
}
