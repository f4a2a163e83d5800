/// ISOBMFF: boxes whose sizes are right, and graphs of items that refer to each other at random.
enum HEIFGrammar {
  @Sendable static func mutate(_ bytes: [UInt8], maxSize: Int, random: inout Random) -> [UInt8] {
    switch random.below(8) {
    case 0, 1: return graph(&random, maxSize: maxSize)
    case 2, 3, 4, 5:
      var boxes = BoxNode.read(bytes[...], depth: 0)
      for _ in 0...random.below(3) { change(&boxes, maxSize: maxSize, random: &random) }
      return boxes.flatMap(\.bytes)
    default: return blindly(bytes, maxSize: maxSize)
    }
  }

  // MARK: Boxes

  /// A box, or bytes that are none.
  struct BoxNode {
    var type: [UInt8]
    /// Fields in front of the children; everything in a leaf.
    var fields: [UInt8]
    var children: [BoxNode] = []

    /// Bytes of fields in front of the children of boxes that have some.
    private static let containers: [String: Int] = [
      "meta": 4, "iinf": 6, "iref": 4, "iprp": 0, "ipco": 0, "grpl": 0, "moov": 0,
    ]

    static func read(_ bytes: ArraySlice<UInt8>, depth: Int) -> [BoxNode] {
      var result: [BoxNode] = [], rest = bytes
      while rest.count >= 8 {
        let size = rest.number(0, 4), type = Array(rest.dropFirst(4).prefix(4))
        guard size >= 8, size <= rest.count else { break }
        let payload = rest.prefix(size).dropFirst(8)
        rest = rest.dropFirst(size)
        if depth < 4, let skip = containers[String(decoding: type, as: UTF8.self)], payload.count >= skip {
          result.append(
            BoxNode(
              type: type, fields: Array(payload.prefix(skip)),
              children: read(payload.dropFirst(skip), depth: depth + 1)))
        } else {
          result.append(BoxNode(type: type, fields: Array(payload)))
        }
      }
      if !rest.isEmpty { result.append(BoxNode(type: [], fields: Array(rest))) }
      return result
    }

    var bytes: [UInt8] {
      let payload = fields + children.flatMap(\.bytes)
      return type.isEmpty ? payload : u32(8 + payload.count) + type + payload
    }
  }

  private static func change(_ boxes: inout [BoxNode], maxSize: Int, random: inout Random) {
    guard !boxes.isEmpty else { return boxes.append(BoxNode(type: Array("meta".utf8), fields: [0, 0, 0, 0])) }
    let index = random.below(boxes.count)
    if !boxes[index].children.isEmpty, !random.one(in: 4) {
      return change(&boxes[index].children, maxSize: maxSize, random: &random)
    }
    switch random.below(8) {
    case 0: boxes.remove(at: index)
    case 1: boxes.insert(boxes[index], at: random.below(boxes.count + 1))
    case 2: boxes.swapAt(index, random.below(boxes.count))
    case 3: boxes[index].type = Array(random.pick(types).utf8)
    case 4: boxes.insert(property(&random), at: index)
    default: boxes[index].fields = blindly(boxes[index].fields, maxSize: min(maxSize, 4096))
    }
  }

  private static let types = [
    "ftyp", "meta", "hdlr", "pitm", "iinf", "infe", "iloc", "iref", "iprp", "ipco", "ipma", "idat", "grpl", "altr",
    "moov", "mdat", "dimg", "auxl", "cdsc", "prem", "thmb", "ispe", "colr", "pixi", "irot", "imir", "clap", "auxC",
    "hvcC", "av1C", "clli", "mdcv", "cclv", "amve", "ndwt", "a1op", "lsel", "cmpd", "uncC", "cmpC", "icef", "jpgC",
    "uuid", "free",
  ]

  // MARK: Graphs

  private static func box(_ type: String, _ payload: [UInt8]) -> [UInt8] {
    u32(8 + payload.count) + Array(type.utf8) + payload
  }

  private static func leaf(_ type: String, _ payload: [UInt8]) -> BoxNode {
    BoxNode(type: Array(type.utf8), fields: payload)
  }

  /// The configuration and data of a 10-bit 4:2:0 picture by x265.
  private static let hevc = hex(
    "0104080000009db80000000096f000fcfdfafa00000f03600001001740010c01ffff0408000003009db8000003000096ba0240610001002c4201010408000003009db8000003000096a003c0800a01365ba924a6b9b8488048200000030320000003002162000100074401c172b06240"
  )

  /// A JPEG of 8x8, 4:2:0, by Pillow.
  private static let jpeg = hex(
    "ffd8ffe000104a46494600010100000100010000ffdb0043001b12141714111b1716171e1c1b2028422b28252528513a3d3042605565645f555d5b6a7899816a7190735b5d85b586909ea3abadab6780bcc9baa6c799a8aba4ffdb0043011c1e1e2823284e2b2b4ea46e5d6ea4a4a4a4a4a4a4a4a4a4a4a4a4a4a4a4a4a4a4a4a4a4a4a4a4a4a4a4a4a4a4a4a4a4a4a4a4a4a4a4a4a4a4a4a4a4a4ffc00011080008000803012200021101031101ffc4001500010100000000000000000000000000000003ffc4001810010003010000000000000000000000000004051122ffc4001501010100000000000000000000000000000203ffc4001b11000202030100000000000000000000000102000403111231ffda000c03010002110311003f008c3acdce404b180cbb3157b0fc7b3fffd9"
  )

  static func hex(_ digits: StaticString) -> [UInt8] {
    let text = Array("\(digits)".utf8).map { $0 >= 97 ? $0 - 87 : $0 - 48 }
    return stride(from: 0, to: text.count - 1, by: 2).map { text[$0] << 4 | text[$0 + 1] }
  }

  /// A property that is right, or nearly.
  private static func property(_ random: inout Random) -> BoxNode {
    func side() -> [UInt8] { u32(random.one(in: 8) ? random.number() : 8 << random.below(5)) }
    switch random.below(20) {
    case 14:
      return leaf("cclv", [UInt8(random.pick([0x08, 0x38, 0x18, 0]))] + (0..<40).map { _ in UInt8(random.below(64)) })
    case 15: return leaf("amve", u32(random.number() * 1000) + u16(15_635) + u16(16_450))
    case 16: return leaf("ndwt", (random.one(in: 2) ? [0, 0, 0, 0] : []) + u32(random.number() * 10_000))
    case 17: return leaf("pasp", u32(1) + u32(1 + random.below(2)))
    case 0, 1, 2: return leaf("ispe", [0, 0, 0, 0] + side() + side())
    case 3, 4: return leaf("hvcC", random.one(in: 4) ? blindly(hevc, maxSize: 512) : hevc)
    case 5: return leaf("av1C", [0x81, 0, UInt8(random.below(256)), 0])
    case 6:
      return leaf(
        "colr", Array("nclx".utf8) + u16(random.number()) + u16(random.number()) + u16(random.pick([9, 6, 0])) + [128])
    case 7: return leaf("colr", Array("prof".utf8) + u32(random.number()))
    case 8: return leaf("pixi", [0, 0, 0, 0, 3, 10, 10, 10])
    case 9: return leaf("irot", [UInt8(random.below(4))])
    case 10: return leaf("imir", [UInt8(random.below(2))])
    case 11:
      return leaf("clap", (0..<8).flatMap { _ in u32(random.number() * (random.one(in: 4) ? -1 : 1)) })
    case 12: return leaf("clli", u16(random.number()) + u16(random.number()))
    case 18: return leaf("lsel", u16(random.pick([0, 1, 0xFFFF])))
    case 19:
      let box = random.pick(UncompressedGrammar.properties(&random, count: 192))
      return BoxNode(type: Array(box[4..<8]), fields: Array(box[8...]))
    case 13: return leaf("mdcv", (0..<24).map { _ in UInt8(random.below(256)) })
    default:
      return leaf(
        "auxC",
        [0, 0, 0, 0]
          + Array(
            random.pick([
              "urn:com:apple:photo:2020:aux:hdrgainmap", "urn:com:samsung:photo:2024:aux:hdrgainmap",
              "urn:com:photo:aux:hdrgainmap", "urn:mpeg:mpegB:cicp:systems:auxiliary:alpha", "urn:x",
            ]).utf8) + [0])
    }
  }

  private static let xmp = Array(
    ("<x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'>"
      + "<rdf:Description xmlns:hdrgm='http://ns.adobe.com/hdr-gain-map/1.0/' hdrgm:Version='1.0' hdrgm:GainMapMax='2' "
      + "hdrgm:HDRCapacityMax='2' xmlns:HDRGainMap='http://ns.apple.com/HDRGainMap/1.0/' "
      + "HDRGainMap:HDRGainMapVersion='65536'/></rdf:RDF></x:xmpmeta>").utf8)

  private static let toneMap: [UInt8] =
    [0, 0, 0, 0, 0, 0x40] + u32(0) + u32(1) + u32(2) + u32(1) + u32(0) + u32(1) + u32(2) + u32(1) + u32(1) + u32(1)
    + u32(1) + u32(64) + u32(1) + u32(64)

  /// Items of every kind, mostly few, that are made of, describe and belong to each other without any plan.
  static func graph(_ random: inout Random, maxSize: Int) -> [UInt8] {
    let count = random.one(in: 16) ? 200 + random.below(maxSize / 64) : 2 + random.below(10)
    let pool = (0..<(4 + random.below(12))).map { _ in property(&random) }
    let wide = random.one(in: 4), id: (Int) -> [UInt8] = { wide ? u32($0) : u16($0) }
    let favourite = random.pick(["tmap", "mime", "grid", "hvc1", "iden"])
    var infe: [UInt8] = [], iloc: [UInt8] = [], ipma: [UInt8] = [], iref: [UInt8] = [], idat: [UInt8] = []
    func refer(_ type: String, _ from: Int, _ to: [Int]) {
      iref += box(type, id(from) + u16(to.count) + to.flatMap(id))
    }
    func other() -> Int { random.one(in: 30) ? random.number() : 1 + random.below(count) }
    for item in 1...count {
      let type =
        count > 100 && !random.one(in: 8)
        ? favourite
        : random.pick(
          ["hvc1", "hvc1", "hvc1", "av01", "grid", "iden", "tmap", "Exif", "mime", "unci", "iovl", "jpeg", "jpeg"])
      var entry = id(item) + [0, random.one(in: 40) ? 1 : 0] + Array(type.utf8) + [0]
      var data: [UInt8] = []
      switch type {
      case "mime":
        entry += Array("application/rdf+xml".utf8) + [0]
        data = xmp
      case "Exif": data = [0, 0, 0, 0] + hex("4d4d002a00000008000101120003000000010006000000000000")
      case "grid":
        let rows = 1 + random.below(3), columns = 1 + random.below(3)
        data = [0, 0, UInt8(rows - 1), UInt8(columns - 1)] + u16(8 << random.below(6)) + u16(8 << random.below(6))
        let tile = other()
        refer("dimg", item, (0..<(rows * columns)).map { _ in random.one(in: 4) ? other() : tile })
      case "iden": refer("dimg", item, [other()])
      case "iovl":
        let layers = 1 + random.below(4)
        data = [0, 0] + (0..<8).map { _ in UInt8(random.below(256)) }
        data += u16(8 << random.below(4)) + u16(8 << random.below(4))
        for _ in 0..<layers { data += u16(random.below(12)) + u16(random.one(in: 4) ? 65_530 : random.below(12)) }
        refer("dimg", item, (0..<layers).map { _ in other() })
      case "jpeg": data = random.one(in: 4) ? blindly(jpeg, maxSize: 512) : jpeg
      case "tmap":
        data = random.one(in: 4) ? blindly(toneMap, maxSize: 160) : toneMap
        refer("dimg", item, [random.one(in: 4) ? other() : 1, other()])
      default: data = [0, 0, 0, 2, 0x26, 1]
      }
      if random.one(in: 3) { refer("auxl", item, [random.one(in: 3) ? other() : 1]) }
      if random.one(in: 3) {
        refer("cdsc", item, (0...random.below(random.one(in: 20) ? 300 : 2)).map { _ in other() })
      }
      infe += box("infe", [wide ? 3 : 2, 0, 0, 0] + entry)
      let extents = random.one(in: 10) ? 1 + random.below(33) : 1
      iloc += id(item) + [0, 1, 0, 0] + u16(extents)
      for _ in 0..<extents {
        iloc += u32(random.one(in: 40) ? random.number() : idat.count) + u32(random.one(in: 40) ? 0 : data.count)
      }
      if idat.count < maxSize / 4 { idat += data }
      let own = (0..<(2 + random.below(6))).map { _ in UInt8(random.below(pool.count + 1)) }
      ipma += id(item) + [UInt8(own.count)] + own.map { random.one(in: 3) ? $0 | 0x80 : $0 }
    }
    let brands = random.pick(["heicmif1tmap", "avifmif1tmap", "mif1heic"])
    var file = box("ftyp", Array(brands.utf8.prefix(4)) + [0, 0, 0, 0] + Array(brands.utf8))
    var meta: [UInt8] = [0, 0, 0, 0]
    meta += box("hdlr", [UInt8](repeating: 0, count: 8) + Array("pict".utf8) + [UInt8](repeating: 0, count: 13))
    meta += box("pitm", [wide ? 1 : 0, 0, 0, 0] + id(random.one(in: 5) ? other() : 1))
    meta += box("iinf", [wide ? 1 : 0, 0, 0, 0] + (wide ? u32(count) : u16(count)) + infe)
    meta += box("iloc", [wide ? 2 : 1, 0, 0, 0, 0x44, 0] + id(count) + iloc)
    meta += box("iref", [wide ? 1 : 0, 0, 0, 0] + iref)
    meta += box(
      "iprp", box("ipco", pool.flatMap(\.bytes)) + box("ipma", [wide ? 1 : 0, 0, 0, 0] + u32(count) + ipma))
    let group = (0..<(1 + random.below(3))).map { _ in other() } + [1]
    meta += box("grpl", box("altr", [0, 0, 0, 0] + u32(99) + u32(group.count) + group.flatMap(u32)))
    meta += box("idat", idat)
    file += box("meta", meta)
    return file
  }
}
