import FileParts
import HDRCore
import HDRPlan
import ImageFiles
import TestFiles
import Testing

/// ICC profiles as the space of an output.
@Suite struct ICCOutputTests {
  /// Adobe RGB (1998): linear to XYZ under D50, columns R, G, B, as the vendor's profile has them, and the inverse.
  static let adobe = [[0.60974, 0.31111, 0.01947], [0.20528, 0.62567, 0.06087], [0.14919, 0.06322, 0.74457]]

  static func inverse(_ columns: [[Double]]) -> [Double] {
    Matrix3((0..<3).flatMap { row in columns.map { $0[row] } }).inverse!.rows
  }

  static func tables(_ colorants: [[Double]] = adobe, gamma: Double = 2.2) -> [UInt8] {
    TinyICC.profile(
      space: "RGB ",
      tags: TinyICC.tables(colorants: colorants, inverse: inverse(colorants), gamma: gamma)
        .merging(["desc": TinyICC.name("tables")]) { $1 })
  }

  @Test func matrixProfilesAreTakenAsTheyStand() throws {
    let space = try deviceSpace(ofICC: TinyICC.displayP3)
    #expect(space.description == "P3 of the tests" && space.coding == .curves([.sRGB, .sRGB, .sRGB]))
    #expect(space.toBT2020 == Primaries.displayP3.matrix(to: .bt2020)?.rows)
    for (got, want) in zip(space.luminance, Primaries.displayP3.luminance) { #expect(abs(got - want) < 1e-9) }
    let own = try deviceSpace(ofICC: TinyICC.matrix(colorants: Self.adobe, curve: TinyICC.gammaCurve(563)))
    let curve = ToneCurve.gamma(563.0 / 256)
    #expect(own.coding == .curves([curve, curve, curve]))
  }

  /// Adobe RGB as tables: the same colours as by its matrix, within what 16 bits and 65 nodes say.
  @Test func tablesBecomeACubeOfTheDevicesOwnLight() throws {
    let space = try deviceSpace(ofICC: Self.tables())
    guard case .table(let size, let values) = space.coding else {
      Issue.record("not a table")
      return
    }
    #expect(space.description == "tables" && size == 65)
    let exact = try deviceSpace(ofICC: TinyICC.matrix(colorants: Self.adobe, curve: TinyICC.gammaCurve(563)))
    for (got, want) in zip(space.toBT2020, exact.toBT2020) { #expect(abs(got - want) < 1e-3) }
    var worst = 0.0
    for blue in stride(from: 0, to: size, by: 8) {
      for green in stride(from: 0, to: size, by: 8) {
        for red in 0..<size {
          let at = ((blue * size + green) * size + red) * 3
          for (channel, node) in [red, green, blue].enumerated() {
            // The device's curve is the table's.
            worst = max(worst, abs(Double(values[at + channel]) - Double(node) / Double(size - 1)))
          }
        }
      }
    }
    // In the dark 16 bits of XYZ weigh most.
    #expect(worst < 1e-2, "\(worst)")
  }

  @Test func whatIsNoSpaceOfAnOutputIsRefusedByName() throws {
    func refusal(_ bytes: [UInt8]) -> String {
      do throws(DecodeError) {
        _ = try deviceSpace(ofICC: bytes)
        return ""
      } catch {
        return error.description
      }
    }
    let colorants: [[Double]] = try #require(TinyICC.colorants[1])
    let curve = TinyICC.srgbCurve
    #expect(refusal(TinyICC.profile(space: "GRAY", tags: ["kTRC": TinyICC.gammaCurve(512)])).contains("grey"))
    #expect(refusal(TinyICC.profile(space: "CMYK", tags: [:])).contains("CMYK"))
    #expect(refusal(TinyICC.profile(space: "Lab ", tags: [:])).contains("Lab"))
    let cicp = Array("cicp".utf8) + [0, 0, 0, 0, 9, 16, 0, 1]
    #expect(refusal(TinyICC.matrix(colorants: colorants, curve: curve, extra: ["cicp": cicp])).contains("PQ"))
    var link = TinyICC.displayP3
    link.replaceSubrange(12..<16, with: "link".utf8)
    #expect(refusal(link).contains("'link'"))
    #expect(refusal(TinyICC.matrix(colorants: colorants, curve: TinyICC.curv([65535, 0]))).contains("falls"))
    // A table from the device alone.
    #expect(!refusal(TinyICC.profile(space: "RGB ", tags: ["A2B0": TinyICC.linearTable(colorants)])).isEmpty)
    var monster = TinyICC.tables(colorants: colorants, inverse: Self.inverse(colorants), gamma: 2)
    monster["B2A0"]?[10] = 255
    #expect(refusal(TinyICC.profile(space: "RGB ", tags: monster)).contains("table"))
    for bytes in [[], Array(TinyICC.displayP3.dropLast())] { #expect(!refusal(bytes).isEmpty) }
  }

  @Test func noChangedByteTraps() {
    var usable = 0, state: UInt64 = 11
    let table = Self.tables()
    for round in 0..<200 {
      var bytes = round % 20 != 0 ? TinyICC.displayP3 : table
      for _ in 0..<3 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        bytes[Int(state >> 33) % min(bytes.count, 1000)] = UInt8(truncatingIfNeeded: state >> 24)
      }
      guard let space = try? deviceSpace(ofICC: bytes) else { continue }
      usable += 1
      let isFinite = (space.toBT2020 + space.fromBT2020.rows).allSatisfy { $0.isFinite }
      #expect(isFinite)
    }
    #expect(usable > 0)
  }
}
