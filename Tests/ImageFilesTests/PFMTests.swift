import Foundation
import HDRCore
import ImageFiles
import TestFiles
import TestSupport
import Testing

@Suite struct PFMTests {
  static func file(_ header: String, _ floats: [Float], isLittle: Bool = true) -> [UInt8] {
    Array(header.utf8)
      + floats.flatMap { value in
        let word = isLittle ? value.bitPattern.littleEndian : value.bitPattern.bigEndian
        return (0..<4).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) }
      }
  }

  @Test(.enabled(if: PlainExpectations.isHere, "skipped: no data"))
  func sharedFilesHaveTheirTruth() throws {
    let files = PlainExpectations.files("pfm")
    #expect(files.count >= 9)
    for (name, rows) in files {
      let source = try Plain.read(try PlainExpectations.bytes(name)), isHalf = name.hasSuffix(".phm")
      #expect(source.format == .pfm && source.isLinearLight && source.image.bitDepth == (isHalf ? 16 : 32))
      for row in rows {
        let found = Plain.stored(source, row.x, row.y), expected = isHalf ? row.values : row.values.map(Plain.bounded)
        #expect(found.count == expected.count)
        for (a, b) in zip(found, expected) {
          #expect(abs(a - b) <= 1e-7 * abs(b), "\(name) \(row.x),\(row.y): \(a), \(b)")
        }
      }
      #expect(source.header.contains(HeaderField("rows", name.contains("photoshop") ? "top-down" : "bottom-up")))
    }
  }

  @Test("words, sizes and scales stand between any white space, and one byte of it ends them")
  func headersMayBeWrittenInManyWays() throws {
    let light: [Float] = [1, 2, 3, 4, 5, 6]
    for header in ["PF\n1 2\n-1.0\n", "PF 1\t2  -1 ", "PF\r\n1 2\r\n-.5\n"] {
      let source = try Plain.read(Self.file(header, light))
      #expect(Plain.stored(source, 0, 0) == [4, 5, 6] && Plain.stored(source, 0, 1) == [1, 2, 3], "\(header)")
    }
    #expect(Plain.stored(try Plain.read(Self.file("PF\n1\n2\n-1\n", light)), 0, 0) == [1, 2, 3])
    #expect(Plain.stored(try Plain.read(Self.file("PF 2 1 1 ", light, isLittle: false)), 1, 0) == [4, 5, 6])
    // A second byte of white space is a sample's.
    let grey = try Plain.read(Array("Pf 1 1 -1\n".utf8) + [0x20, 0x20, 0x20, 0x41])
    #expect(Plain.stored(grey, 0, 0) == [Double(Float(bitPattern: 0x4120_2020))] && grey.image.model == .grey)
    let alpha = try Plain.read(Self.file("PF4 1 1 -1\n", [1, 2, 3, 4]))
    #expect(Plain.stored(alpha, 0, 0) == [1, 2, 3, 1] && !alpha.image.alphaIsPremultiplied)
    let odd = try Plain.read(Self.file("PF 1 1 -1\n", [.nan, -.infinity, 1e30]))
    #expect(Plain.stored(odd, 0, 0) == [0, -65_504, 0x1p20] && odd.image.madeFinite == 2)
    let longer = try Plain.read(Self.file("Pf 1 1 -1\n", [1, 2]))
    #expect(Plain.codes(longer) == ["pfm.trailing"])
  }

  @Test func primariesAreTheCallers() throws {
    let file = Self.file("PF 1 1 -1\n", [1, 2, 3])
    let own = try Plain.read(file),
      stated = try Plain.read(file) { $0.reading.raw = RawDescription(primaries: 9, transfer: 8) }
    #expect(own.color.encoding == .cicp(primaries: 1, transfer: 8) && own.color.cicp == nil)
    #expect(stated.color.encoding == .cicp(primaries: 9, transfer: 8) && stated.color.cicp?.primaries == 9)
    #expect(
      Plain.error(file) { $0.reading.raw = RawDescription(primaries: 9, transfer: 16) }?.code == "decode.undescribed")
  }

  @Test func faultsAreErrors() {
    func expect(_ file: [UInt8], _ code: String) {
      #expect(Plain.error(file)?.code == code, "\(String(decoding: file.prefix(48), as: UTF8.self))")
    }
    expect(Self.file("PF 1 1 0\n", [1, 2, 3]), "decode.malformed")
    expect(Self.file("PF 1 1 nan\n", [1, 2, 3]), "decode.malformed")
    expect(Self.file("PF 1 -1 1\n", [1, 2, 3]), "decode.malformed")
    expect(Self.file("PF 0 1 1\n", [1, 2, 3]), "decode.malformed")
    expect(Self.file("PF 99999999999999999999 1 1\n", [1]), "decode.malformed")
    expect(Self.file("PF 2 1 1\n", [1, 2, 3]), "decode.truncated")
    expect(Self.file("PF 100000 1 1\n", [1, 2, 3]), "decode.limit")
    expect(Self.file("PF 60000 60000 1\n", [1, 2, 3]), "decode.limit")
    expect(Array("PF 1 1".utf8), "decode.truncated")
    expect(Array("PF\(String(repeating: " ", count: 400))".utf8), "decode.malformed")
    expect(Array("PFM 1 1 1 ".utf8), "decode.unsupported")
  }

  @Test(.enabled(if: PlainExpectations.isHere, "skipped: no data"))
  func malformedFilesHaveTheirCodes() throws {
    for (name, code) in [("huge", "decode.limit"), ("scale0", "decode.malformed"), ("short", "decode.truncated")] {
      #expect(Plain.error(try PlainExpectations.bytes("malformed/dpfm_\(name).pfm"))?.code == code, "\(name)")
    }
  }

  @Test("a written picture has the words it was given, and primaries that it cannot say have a warning")
  func writtenFilesAreReadAgain() throws {
    let image = Writer.floats(37, 23)
    var request = EncodeRequest(
      kind: .pfm, image: image, hasAlpha: false, cicp: CICP(1, 8, 0, full: true), contentHeadroom: 4, displayHeadroom: 4
    )
    let files = try encodeImage(request), again = try Plain.read(files.main)
    try verifyEncoded(files, request)
    #expect(files.warnings.isEmpty && files.main.starts(with: "PF\n37 23\n-1.0\n".utf8))
    #expect(files.main.count == 14 + 37 * 23 * 12)
    for y in 0..<23 {
      for x in 0..<37 {
        #expect(Plain.stored(again, x, y) == image.channels.map { Double($0.floats(y)[x]) }, "\(x),\(y)")
      }
    }
    request.cicp.primaries = 9
    #expect(try encodeImage(request).warnings.map(\.code) == ["pfm.colour-dropped"])
    #expect(throws: EncodeError.self) { try verifyEncoded(files, request) }
  }
}
