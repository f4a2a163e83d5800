import FileParts
import HDRCore
import TestSupport
import Testing

@testable import VideoStreams

/// RPUs of other programs against the fields that FFmpeg finds in them, and RPUs made here.
@Suite struct DolbyRPUTests {
  private typealias Fields = [String: Any]

  /// True if numbers differ by less than the last place, which Foundation's JSON does not always read.
  private static func areEqual(_ a: [[Double]], _ b: [[Double]]) -> Bool {
    a.map(\.count) == b.map(\.count) && zip(a.joined(), b.joined()).allSatisfy { abs($0 - $1) < 1e-13 }
  }

  @Test(
    "fields of an RPU are those of the vectors",
    .enabled(if: DolbySamples.areHere, "skipped: no ../shared/data/video"), arguments: DolbySamples.files)
  func fieldsAreThoseOfTheVectors(name: String) throws {
    let expected = try #require((DolbySamples.vectors?["rpu_parse"] as? Fields)?[name] as? Fields)
    let rpu = try DolbyRPU(parsing: DolbySamples.file(name)[...])
    #expect(rpu.profile.rawValue == expected["profile"] as? Int)
    guard case .own(let mapping) = rpu.mapping else {
      Issue.record("no mapping of its own")
      return
    }
    #expect(mapping.curves.map(\.pivots) == expected["pivots"] as? [[Int]])
    let value = rpu.sequence.value
    let kinds = mapping.curves.map { curve in
      curve.pieces.map { piece in
        switch piece {
        case .polynomial(let coefficients): "poly\(coefficients.count - 1)"
        case .regression(_, let orders): "mmr\(orders.count)"
        }
      }
    }
    #expect(kinds == expected["pieces"] as? [[String]])
    let first = mapping.curves.map { curve in
      switch curve.pieces[0] {
      case .polynomial(let coefficients): coefficients.map(value)
      case .regression(let constant, let orders): ([constant] + orders[0]).map(value)
      }
    }
    #expect(Self.areEqual(first, try #require(expected["first_coefs"] as? [[Double]])))
    let residual = mapping.residual?.components.map {
      [Double($0.offset), value($0.maximum), value($0.slope), value($0.threshold)]
    }
    #expect(Self.areEqual(residual ?? [], expected["nlq"] as? [[Double]] ?? []))
    #expect(mapping.isMinimal(rpu.sequence) == (residual == nil || name == "rpu-mel_orig.bin"))
    let display = try #require(rpu.display)
    #expect(display.colors?.minimum == expected["source_min_pq"] as? Int)
    #expect(display.colors?.maximum == expected["source_max_pq"] as? Int)
    #expect(Set(display.levels) == Set(try #require(expected["levels"] as? [Int])))
    #expect(display.frameLight != nil && display.contentLight?.fault == nil)
  }

  @Test(
    "an RPU that is written has the bytes that were read",
    .enabled(if: DolbySamples.areHere, "skipped: no ../shared/data/video"), arguments: DolbySamples.files)
  func writtenBytesAreThoseRead(name: String) throws {
    let bytes = try DolbySamples.file(name)
    #expect(try DolbyRPU(parsing: bytes[...]).bytes == bytes)
    // Zeros behind the end stay, too.
    #expect(try DolbyRPU(parsing: bytes[...] + [0, 0]).bytes == bytes + [0, 0])
  }

  @Test("an RPU of every kind of field is read as it was written")
  func everyKindOfFieldIsKept() throws {
    for rpu in MadeRPU.all {
      let again = try DolbyRPU(parsing: rpu.bytes[...], after: rpu.sequence)
      // The bits up to a whole byte are new.
      #expect(again.rest.count < 8 && !again.rest.contains(true))
      #expect(again.with(rest: []) == rpu)
      #expect(again.bytes == rpu.bytes)
    }
  }

  @Test("a changed bit of an RPU is found by its checksum")
  func changedBitsAreFound() {
    let bytes = MadeRPU.all[0].bytes
    for index in 1..<bytes.count - 1 {
      var changed = bytes
      changed[index] ^= 4
      #expect(throws: DecodeError.self) { try DolbyRPU(parsing: changed[...]) }
    }
    let cut = bytes[..<20]
    #expect(throws: DecodeError.malformed(where: "Dolby Vision RPU", what: "it does not end with 0x80")) {
      try DolbyRPU(parsing: cut)
    }
  }

  @Test("an RPU that ends within its fields is refused although its checksum is right")
  func fieldsThatEndAreRefused() {
    var rpu = MadeRPU.all[2]
    rpu.padding = 0
    let body = rpu.body.dropLast(5)
    for count in 1..<body.count {
      let part = body.prefix(count), sum = CRC32.sum(part, start: .max)
      let bytes = [0x19] + part + withUnsafeBytes(of: sum.bigEndian, Array.init) + [0x80]
      #expect(throws: DecodeError.self, "\(count) bytes") { try DolbyRPU(parsing: bytes[...]) }
    }
  }

  @Test("an RPU takes mapping, matrices and sequence of those before it until a stream starts over")
  func earlierStatementsAreUsed() throws {
    let full = MadeRPU.all[0]
    var short = full
    short.statesSequence = false
    short.mapping = .earlier(id: 3)
    short.display = nil
    var state = DolbyState()
    let first = try state.read(full.bytes[...], startsOver: true)
    let second = try state.read(short.bytes[...], startsOver: false)
    #expect(first.mapping == second.mapping && first.colors == second.colors && first.reshape == second.reshape)
    #expect(throws: DecodeError.self) { try state.read(short.bytes[...], startsOver: true) }
    // One with a mapping, but without matrices.
    var bare = full
    bare.display = nil
    #expect(throws: DecodeError.self) { try state.read(bare.bytes[...], startsOver: true) }
    bare.mapping = .earlier(id: 4)
    #expect(throws: DecodeError.self) { try state.read(bare.bytes[...], startsOver: false) }
  }
}

extension DolbyRPU {
  fileprivate func with(rest: [Bool]) -> DolbyRPU {
    var copy = self
    copy.rest = rest
    return copy
  }
}
