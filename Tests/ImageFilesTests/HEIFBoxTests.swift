import HDRCore
import ImageFiles
import TestFiles
import Testing

/// Structure only, from bytes made here: what the box reader takes, and what it refuses.
struct HEIFBoxTests {
  typealias B = HEIFBuilder

  private func metadata(_ bytes: [UInt8]) throws(DecodeError) -> SourceImage {
    try HEIFDecoder.decode(bytes, request: .metadata, limits: DecodeLimits())
  }

  private func error(of bytes: [UInt8]) -> DecodeError? {
    do throws(DecodeError) {
      _ = try metadata(bytes)
      return nil
    } catch {
      return error
    }
  }

  private func isMalformed(_ error: DecodeError?, _ place: String) -> Bool {
    if case .malformed(let at, _) = error { at == place } else { false }
  }

  // MARK: - What is read

  @Test(arguments: [false, true])
  func itemsReferencesAndPropertiesAreRead(wide: Bool) throws {
    let big = wide ? 70_000 : 7
    var builder = B()
    builder.isWide = wide
    builder.primary = big
    builder.items = [
      B.Item(id: big, type: "iden", data: [1, 2, 3], properties: [B.ispe(30, 20), B.box("irot", [1])]),
      B.Item(id: 9, type: "hvc1", data: [4, 5], properties: [B.ispe(30, 20)]),
    ]
    builder.references = [("dimg", big, [9]), ("cdsc", 9, [big, 9])]
    builder.extra = [
      B.box("grpl", B.fullBox("altr", B.u32(5) + B.u32(2) + B.u32(big) + B.u32(9)))
    ]
    let file = try HEIFFile(builder.bytes)
    #expect(file.brands == ["heic", "heic", "mif1"])
    #expect(file.primaryID == big)
    #expect(file.items[9]?.type == "hvc1")
    #expect(file.targets("dimg", from: big) == [9])
    #expect(file.sources("cdsc", to: big) == [9])
    #expect(file.groups.count == 1 && file.groups[0].type == "altr" && file.groups[0].entities == [big, 9])
    #expect(Array(try file.data(of: big)) == [1, 2, 3])
    #expect(Array(try file.data(of: 9)) == [4, 5])
    let properties = try file.properties(of: big)
    #expect(properties.width == 30 && properties.height == 20)
    #expect(properties.transforms == [.rotation(quarterTurns: 1)])
  }

  @Test func boxesOfEverySizeFormAreRead() throws {
    var builder = B()
    builder.items = [B.Item(id: 1, type: "hvc1")]
    let meta = builder.meta
    let payload = Array(meta.dropFirst(8))
    let long = B.u32(1) + Array("meta".utf8) + B.u64(UInt64(16 + payload.count)) + payload
    let open = B.u32(0) + Array("meta".utf8) + payload
    let uuid = B.box("uuid", [UInt8](repeating: 7, count: 20))
    for form in [meta, long, open, uuid + meta] {
      #expect(try HEIFFile(builder.ftyp + form).primaryID == 1)
    }
  }

  @Test("extents of an item are joined in order")
  func joinsExtents() throws {
    // Two extents in the file itself: bytes 4..<8 ("ftyp") and 8..<10 ("he").
    let iloc = B.fullBox(
      "iloc",
      [0x44, 0x40] + B.u16(1) + B.u16(2) + B.u16(0) + B.u32(4) + B.u16(2) + B.u32(0) + B.u32(4) + B.u32(4)
        + B.u32(2))
    #expect(Array(try file(iloc: iloc).data(of: 2)) == Array("ftyphe".utf8))
  }

  @Test func theFirstColourOfAKindIsKept() throws {
    var builder = B()
    let pq = B.box("colr", Array("nclx".utf8) + [0, 9, 0, 16, 0, 9, 0x80])
    let srgb = B.box("colr", Array("nclx".utf8) + [0, 1, 0, 13, 0, 6, 0])
    let icc = B.box("colr", Array("prof".utf8) + [1, 2, 3])
    builder.items = [B.Item(id: 1, type: "hvc1", properties: [pq, icc, srgb])]
    let properties = try HEIFFile(builder.bytes).properties(of: 1)
    #expect(properties.nclx == CICP(9, 16, 9, full: true))
    #expect(properties.icc.map { Array($0) } == [1, 2, 3])
    #expect(properties.hasRepeatedColor)
  }

  @Test func unknownPropertiesMatterOnlyWhenEssential() throws {
    var builder = B()
    builder.items = [B.Item(id: 1, type: "hvc1", properties: [B.ispe(8, 8), B.box("zzzz", [])])]
    var bytes = builder.bytes
    #expect(throws: DecodeError.unsupported(feature: "essential item property", found: "zzzz")) {
      try HEIFFile(bytes).properties(of: 1)
    }
    // The association of the second property is the last 0x82 of the file.
    bytes[try #require(bytes.lastIndex(of: 0x82))] = 0x02
    #expect(try HEIFFile(bytes).properties(of: 1).width == 8)
  }

  // MARK: - What is refused

  @Test("a HEIF item that contains itself is refused")
  func refusesCycles() {
    let grid = B.grid(rows: 1, columns: 1, width: 8, height: 8)
    var builder = B()
    builder.items = [B.Item(id: 1, type: "grid", data: grid, properties: [B.ispe(8, 8)])]
    builder.references = [("dimg", 1, [1])]
    #expect(isMalformed(error(of: builder.bytes), "dimg reference"))
    builder.items.append(B.Item(id: 2, type: "iden", properties: [B.ispe(8, 8)]))
    builder.references = [("dimg", 1, [2]), ("dimg", 2, [1])]
    #expect(isMalformed(error(of: builder.bytes), "dimg reference"))
  }

  @Test func deepDerivationIsRefused() {
    var builder = B()
    builder.items = (1...20).map { B.Item(id: $0, type: "iden", properties: [B.ispe(8, 8)]) }
    builder.references = (1...19).map { ("dimg", $0, [$0 + 1]) }
    #expect(isMalformed(error(of: builder.bytes), "dimg reference"))
  }

  @Test func impossibleGridsAreRefused() {
    var builder = B()
    func check(_ data: [UInt8], tiles: Int) -> DecodeError? {
      builder.items = [B.Item(id: 1, type: "grid", data: data, properties: [B.ispe(8, 8)])]
      builder.references = [("dimg", 1, (0..<tiles).map { 2 + $0 })]
      return error(of: builder.bytes)
    }
    #expect(isMalformed(check(B.grid(rows: 2, columns: 2, width: 8, height: 8), tiles: 3), "grid item"))
    #expect(isMalformed(check(B.grid(rows: 1, columns: 1, width: 9, height: 8), tiles: 1), "grid item"))
    #expect(isMalformed(check(B.grid(rows: 1, columns: 1, width: 8, height: 0), tiles: 1), "grid item"))
    #expect(check([0, 0, 0], tiles: 1) == .truncated(where: "grid item"))
  }

  @Test func boxesThatDoNotFitAreRefused() {
    let builder = B()
    #expect(error(of: builder.ftyp) == .malformed(where: "meta box", what: "there is none"))
    #expect(error(of: builder.ftyp + B.u32(4) + Array("meta".utf8)) != nil)
    #expect(error(of: builder.ftyp + B.u32(100) + Array("meta".utf8)) == .truncated(where: "meta box"))
    let huge = B.u32(1) + Array("meta".utf8) + B.u64(.max)
    #expect(error(of: builder.ftyp + huge) == .truncated(where: "meta box"))
    #expect(isMalformed(error(of: builder.ftyp + B.u32(1) + Array("meta".utf8) + B.u64(9)), "meta box"))
  }

  @Test func wrappingAndMissingExtentsAreRefused() throws {
    func located(_ base: UInt64, _ offset: UInt64, _ length: UInt64) throws -> HEIFFile {
      try file(
        iloc: B.fullBox(
          "iloc",
          [0x88, 0x80] + B.u16(1) + B.u16(2) + B.u16(0) + B.u64(base) + B.u16(1) + B.u64(offset) + B.u64(length)))
    }
    func failure(_ base: UInt64, _ offset: UInt64, _ length: UInt64) throws -> DecodeError? {
      let file = try located(base, offset, length)
      do throws(DecodeError) {
        _ = try file.data(of: 2)
        return nil
      } catch {
        return error
      }
    }
    #expect(try failure(0, 4, 4) == nil)
    #expect(isMalformed(try failure(.max, 1, 1), "iloc box"))
    #expect(isMalformed(try failure(0, 16, .max - 4), "iloc box"))
    #expect(try failure(0, 1 << 40, 1) == .truncated(where: "data of item 2"))
    #expect(try failure(0, 0, 1 << 40) == .truncated(where: "data of item 2"))
    #expect(try failure(1 << 40, 0, 0) == .truncated(where: "data of item 2"))
  }

  @Test func tooManyExtentsAndItemsAreRefused() {
    let extents = [UInt8](repeating: 0, count: 33 * 8)
    let many = B.fullBox("iloc", [0x44, 0] + B.u16(1) + B.u16(2) + B.u16(0) + B.u16(33) + extents)
    #expect(throws: DecodeError.self) { try file(iloc: many) }
    let items = B.fullBox("iloc", [0x44, 0] + B.u16(10_001))
    #expect(throws: DecodeError.malformed(where: "iloc box", what: "10001 items, more than 10000")) {
      try file(iloc: items)
    }
    #expect(throws: DecodeError.self) { try file(iloc: B.fullBox("iloc", [0x35, 0] + B.u16(0))) }
  }

  @Test func doubledItemsAreRefused() {
    var builder = B()
    builder.items = [B.Item(id: 1, type: "hvc1"), B.Item(id: 1, type: "hvc1")]
    #expect(isMalformed(error(of: builder.bytes), "infe box"))
  }

  @Test func everyPrefixIsAnErrorOrAPicture() {
    var builder = B()
    builder.items = [
      B.Item(id: 1, type: "grid", data: B.grid(rows: 1, columns: 1, width: 8, height: 8), properties: [B.ispe(8, 8)]),
      B.Item(id: 2, type: "hvc1", data: [1, 2, 3], properties: [B.ispe(8, 8), B.box("hvcC", [1, 2, 3])]),
    ]
    builder.references = [("dimg", 1, [2])]
    let bytes = builder.bytes
    for count in bytes.indices { #expect(error(of: Array(bytes.prefix(count))) != nil) }
    #expect(error(of: bytes) == .truncated(where: "hvcC box"))
  }

  /// A file whose item 2 is located by `iloc`; item 1 is the primary one.
  private func file(iloc: [UInt8]) throws -> HEIFFile {
    let pitm = B.fullBox("pitm", B.u16(1))
    let entries = [1, 2].flatMap { B.fullBox("infe", version: 2, B.u16($0) + [0, 0] + Array("hvc1".utf8) + [0]) }
    let iinf = B.fullBox("iinf", B.u16(2) + entries)
    return try HEIFFile(B().ftyp + B.fullBox("meta", pitm + iinf + iloc))
  }
}
