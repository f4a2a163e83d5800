import FileParts
import HDRCore
import TestSupport
import Testing
import VideoStreams

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

  @Test("each kind of field is read and written", arguments: MadeRPU.names)
  func everyKindOfFieldIsKept(name: String) throws {
    let bytes = try MadeRPU.bytes(name), rpu = try MadeRPU.read(name)
    #expect(rpu.bytes == bytes && rpu.statesSequence == (name != "bare"))
    let isFloat = rpu.sequence.coefficients == .float
    #expect(isFloat == (name == "float") && rpu.padding == (name == "compressed" ? 3 : 0))
    guard name != "bare" else {
      #expect(rpu.mapping == .earlier(id: 15) && rpu.display == nil)
      return
    }
    let display = try #require(rpu.display)
    #expect((display.affectedID, display.currentID, display.sceneRefresh) == (1, 2, 1))
    guard case .own(let mapping) = rpu.mapping, name == "full" else { return }
    #expect(
      mapping.curves[0].pivots == [2, 2, 700, 1000] && mapping.curves[0].pieces[0] == .polynomial([-5, 1 << 23]))
    #expect(mapping.residual?.components.map(\.offset) == [511, 0, 1])
    #expect(mapping.residual?.components[2].threshold == 123_456_789)
    #expect(display.colors?.toSignal[4] == -933 && display.colors?.offsets == [0, 1 << 27, 0xFFFF_FFFF])
    #expect(display.colors?.transfer == [65_535, 1, 2, 0x8000_0003] && display.colors?.diagonal == 1000)
    #expect(display.levels == [1, 5, 254, 11] && display.borders?.bottom == 18)
  }

  @Test("fields that are changed are read as they were written")
  func changedFieldsAreWritten() throws {
    var rpu = try MadeRPU.read("full")
    rpu.format = 2047 & ~0x700
    rpu.syntaxLevel = 9
    rpu.sequence.hasChromaFilter.toggle()
    rpu.sequence.mappingExtension = 7
    rpu.sequence.signalDepth = 16
    rpu.display?.colors?.toLMS[8] = -32_768
    rpu.display?.colors?.chroma = 2
    rpu.display?.lists[1][0].payload = [1, 2, 3]
    if case .own(var mapping) = rpu.mapping {
      mapping.id = 11
      mapping.curves[1].pieces[0] = .polynomial([-(1 << 37), (1 << 38) - 1, 0])
      mapping.residual?.components[0].slope = 1 << 30
      rpu.mapping = .own(mapping)
    }
    var again = try DolbyRPU(parsing: rpu.bytes[...])
    // The bits up to a whole byte may be more or less.
    #expect(again.rest.count < 8 && !again.rest.contains(true))
    again.rest = rpu.rest
    #expect(again == rpu)
  }

  @Test("a changed bit of an RPU is found by its checksum")
  func changedBitsAreFound() throws {
    let bytes = try MadeRPU.bytes("full")
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
  func fieldsThatEndAreRefused() throws {
    var rpu = try MadeRPU.read("compressed")
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
    let full = try MadeRPU.read("full")
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
