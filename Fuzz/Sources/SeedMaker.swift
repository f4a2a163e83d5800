@testable import FileParts
@testable import BatchEngine
import CodecService
import Glibc
@testable import HDRCore
import HDRPlan
import PlainData
@testable import ImageFiles

/// Cuts seeds out of real files: the parts that parsers read, without the pixels.
struct SeedMaker {
  let folder: String
  private(set) var count = 0

  init(folder: String) { self.folder = folder }

  private mutating func write(_ target: String, _ name: String, _ bytes: some Collection<UInt8>) {
    guard let found = Target.all.first(where: { $0.name == target }), (1...found.maxLength).contains(bytes.count) else {
      return
    }
    mkdir("\(folder)/\(target)", 0o777)
    guard let file = fopen("\(folder)/\(target)/\(name)", "w") else { return }
    Array(bytes).withUnsafeBytes { _ = fwrite($0.baseAddress, 1, $0.count, file) }
    fclose(file)
    count += 1
  }

  /// Seeds that need no file.
  mutating func addMade() {
    for primaries in [1, 9, 12] {
      for transfer in [1, 4, 5, 8, 13, 16, 18] {
        write("icc", "made-\(primaries)-\(transfer)", [UInt8(primaries), UInt8(transfer)])
        if let profile = ICCProfileWriter.profile(primaries: primaries, transfer: transfer) {
          write("icc", "made-\(primaries)-\(transfer)-profile", profile)
        }
      }
    }
    write("mpf", "made", MultiPicture.segment(primarySize: 4096, headerPosition: 128, mapSize: 512).dropFirst(8))
    let manifest = JournalGrammar.manifest
    write("manifest", "made", manifest.bytes)
    let head: JSON = [
      "type": .string("header"), "recipeDigest": .string(manifest.recipeDigest.hex), "version": .string("1"),
      "unixTime": .int(1_790_000_000), "folder": .string("/f"),
      "command": .array([.string("run"), .string("m.jsonl")]),
      "recipe": manifest.recipe.value, "manifest": .string(manifest.digest.hex), "durability": .string("file"),
    ]
    let items = manifest.rows.map { row -> JSON in
      [
        "type": .string("item"), "id": .string(manifest.id(row)), "status": .string(row.index == 1 ? "failed" : "ok"),
        "code": row.index == 1 ? .string("decode.malformed") : .null, "inputDigest": .string(manifest.recipeDigest.hex),
        "outputDigest": .string(manifest.recipeDigest.hex), "bytesOut": .int(1000), "pixels": .int(64),
        "hdrIn": .string("sdr"),
        "hdrOut": .string("pq"), "fallback": .string("none"), "seconds": ["decode": ["wall": .number(0.25)]],
      ]
    }
    write("journal", "made", ([head] + items).flatMap { Journal.line($0) })
    // Inputs that a codec was lost on, again and again; a row of another kind; a summary.
    for code in ["codec.crashed", "codec.timeout", "codec.quarantined", "batch.interrupted"] {
      let lost = items.map { item -> JSON in
        item.with("status", .string("failed")).with("code", .string(code)).with("format", .string("png"))
          .with("bytesIn", .int(1)).with("message", .string("m")).with("input", .string("i"))
      }
      let other: JSON = ["type": .string("summary")]
      write("journal", "made-\(code)", ([head] + lost + items + [other]).flatMap { Journal.line($0) })
    }
    for kind in [OutputKind.pqTIFF, .linearTIFF] {
      let image = SampleImage.interleaved(
        width: 9, height: 5, channelCount: 4, format: kind.layout == .rgba16f ? .float16 : .uint16, bitDepth: 16)
      let cicp = CICP(9, kind == .pqTIFF ? 16 : 8, 0, full: true)
      let request = EncodeRequest(
        kind: kind, image: image, hasAlpha: true, cicp: cicp, contentHeadroom: 1, displayHeadroom: 1)
      if let file = try? encodeImage(request).main { write("tiff", "made-" + kind.rawValue, file) }
    }
    for index in 0..<16 {
      var random = Random(seed: UInt32(100 + index))
      write("radiance", "made-\(index)", RadianceGrammar.mutate([], maxSize: 4096, random: &random))
      write("pfm", "made-\(index)", PFMGrammar.mutate([], maxSize: 4096, random: &random))
      write("dpx", "made-\(index)", DPXGrammar.mutate([], maxSize: 4096, random: &random))
      write("pnm", "made-\(index)", SimpleGrammar.pnm([], maxSize: 4096, random: &random))
      write("bmp", "made-\(index)", SimpleGrammar.bmp([], maxSize: 4096, random: &random))
      write("qoi", "made-\(index)", SimpleGrammar.qoi([], maxSize: 4096, random: &random))
      write("cineon", "made-\(index)", DPXGrammar.mutateCineon([], maxSize: 4096, random: &random))
    }
    for (index, file) in EXRGrammar.files.enumerated() { write("exr", "made-\(index)", file) }
    for (index, file) in EXRGrammar.files.prefix(4).enumerated() {
      write(
        "exr", "written-\(index)", [Target.mark, UInt8(index), 8, 5, 1, 1, UInt8(index), UInt8(index)] + file)
    }
    for (primaries, transfer) in [(1, 13), (9, 16), (9, 18), (12, 8), (11, 17), (1, 1)] {
      if let color = JXLColor(primaries: primaries, transfer: transfer, isGrey: transfer == 1) {
        write(
          "jxl", "color-\(primaries)-\(transfer)", [Target.mark] + color.bits + [UInt8](repeating: 0, count: 8))
      }
      let numbers =
        [UInt8(primaries), UInt8(transfer), 0] + (0..<100).map { UInt8(truncatingIfNeeded: 41 * $0 + transfer) }
      write("jxl", "numbers-\(primaries)-\(transfer)", [Target.mark] + numbers)
    }
    write("jxl", "color-custom", [Target.mark] + Self.customColor)
    for index in 0..<8 {
      write(
        "raw", "written-\(index)",
        [Target.mark, UInt8(index), 9, 4, 1, 1, UInt8(index), UInt8(64 * index & 255)]
          + (0..<90).map { UInt8(truncatingIfNeeded: 29 * $0 + index) })
    }
    for seed in WireMemory.seeds { write("wire", seed.name, seed.bytes) }
    var random = Random(seed: 1)
    for index in 0..<64 {
      let source = BandGrammar.source(&random)
      write("bands", "made-\(index)", BandGrammar.newOrder(&random) + WireMemory.answer(0, source).dropFirst())
      if index % 4 == 0 { write("wire", "made-\(index)", WireMemory.answer(0, source)) }
      write("st2094-50", "made-\(index)", [0] + ToneGrammar.payload(&random))
      if index % 4 == 0 { write("png-pixels", "made-\(index)", PNGPixelGrammar.file(&random)) }
      let uncompressed = UncompressedGrammar.file(&random, maxSize: 1 << 13)
      write("uncompressed", "made-\(index)", uncompressed)
      if index % 4 == 0 { write("heif", "uncompressed-\(index)", uncompressed) }
      write("planes", "made-\(index)", [UInt8(index)] + (0..<24).map { _ in UInt8(random.below(256)) })
      write("png-written", "made-\(index)", (0..<200).map { _ in UInt8(random.below(index % 2 == 0 ? 256 : 3)) })
    }
    let message = HeadroomAdaptiveMetadata.t35 + ToneGrammar.payload(&random)
    var light = LightMetadata(
      clli: ContentLightLevel(maxCLL: 1000, maxFALL: 400), mdcv: .forOutput(primaries: 9, contentHeadroom: 4))
    let white = Chromaticity(0.3127, 0.3290)
    light.cclv = ContentColorVolume(
      primaries: [0.68, 0.265, 0.15].map { Chromaticity($0, 0.9 - $0) }, minLuminance: 0.1, maxLuminance: 1000,
      averageLuminance: 50)
    light.amve = AmbientViewing(illuminance: 31.4, white: white)
    light.reve = ReferenceEnvironment(surround: 5, surroundWhite: white, periphery: 5, peripheryWhite: white)
    light.diffuseWhite = 203
    let boxes = light.boxes(transfer: 16)
    for (index, box) in boxes.enumerated() { write("light", "box-\(index)", [UInt8(index), 0] + box[8...]) }
    write("light", "sei", [6, 0] + boxes[0][8...].reduce([144, 4]) { $0 + [$1] } + [0x80])
    write("light", "obus", [7, 0] + MessageWriter.obu(type: 1, Array(boxes[0][8...])))
    write("light", "all", [8, 0] + boxes.enumerated().flatMap { [UInt8($0), UInt8($1.count - 8)] + $1[8...] })
    write("st2094-50", "sei", [1] + ToneGrammar.sei(message, before: 2))
    write("st2094-50", "obus", [2] + ToneGrammar.obus(message, before: 2))
    for filter in Filters.all { write("filter", filter.name, Array(Self.words(filter).utf8)) }
  }

  /// Bits of a colour with white, primaries and an exponent of its own, least significant first.
  private static var customColor: [UInt8] {
    var bits: [Int] = []
    func put(_ value: Int, _ width: Int) { bits += (0..<width).map { value >> $0 & 1 } }
    func put(_ x: Double, _ y: Double) {
      for millionths in [2e6 * x, 2e6 * y].map({ Int($0) }) {
        put(millionths < 1 << 19 ? 0 : millionths < 1 << 20 ? 1 : 2, 2)
        put(millionths < 1 << 19 ? millionths : millionths & (1 << 19 - 1), millionths < 1 << 20 ? 19 : 20)
      }
    }
    // Not the default, no profile, R G B; then twice the enumeration's 2.
    put(0, 4)
    put(2, 6)
    put(0.3457, 0.3585)
    put(2, 6)
    for (x, y) in [(0.7347, 0.2653), (0.1596, 0.8404), (0.0366, 0.0001)] { put(x, y) }
    put(1, 1)
    put(5_555_556, 24)
    put(1, 2)
    return stride(from: 0, to: bits.count, by: 8).map { start in
      bits[start..<min(start + 8, bits.count)].enumerated().reduce(0) { $0 | UInt8($1.element << $1.offset) }
    }
  }

  /// A filter with every parameter that has a standard value.
  static func words(_ filter: any Filter.Type) -> String {
    let values = filter.parameters.map { parameter -> String in
      switch parameter.kind {
      case .number(let value, _): "\(parameter.name):\(value ?? 1)"
      case .count(let value, _): "\(parameter.name):\(value ?? 1)"
      case .vector(let list, let size, _):
        "\(parameter.name):\((list ?? Array(repeating: 1, count: size)).map { "\($0)" }.joined(separator: "/"))"
      case .color(let list): "\(parameter.name):\(list.map { "\($0)" }.joined(separator: "/"))"
      case .space(let space): "\(parameter.name):\(space.name)"
      case .choice(let word, _): "\(parameter.name):\(word)"
      case .flag(let flag): "\(parameter.name):\(flag)"
      case .input(let word): "\(parameter.name):\(word ?? "b")"
      case .text(let text): "\(parameter.name):\(text)"
      }
    }
    return filter.name + (values.isEmpty ? "" : "=" + values.joined(separator: ","))
  }

  mutating func add(_ path: String) {
    guard let file = fopen(path, "r") else { return }
    defer { fclose(file) }
    var bytes: [UInt8] = [], part = [UInt8](repeating: 0, count: 1 << 16)
    while case let got = fread(&part, 1, part.count, file), got > 0, bytes.count < 64 << 20 { bytes += part[..<got] }
    let name = String(path.split(separator: "/").suffix(2).joined(separator: "-"))
    switch name.split(separator: ".").last.map({ $0.lowercased() }) {
    case "heic", "heif", "hif", "avif":
      write("heif", name, bytes)
      addHEIF(bytes, name)
    case "jpg", "jpeg":
      write("jpeg", name, bytes)
      if bytes.count <= 1 << 13 { write("jpeg-scan", name, bytes) }
      addJPEG(bytes, name)
    case "png":
      write("png", name, bytes)
      addPNG(bytes, name)
    case "tif", "tiff": write("tiff", name, bytes)
    case "dng": write("dng", name, bytes)
    case "psd", "psb": write("psd", name, bytes)
    case "exr": write("exr", name, bytes)
    case "jp2", "jph", "jpx", "j2k", "j2c", "jhc": write("jp2", name, bytes)
    case "webp": write("webp", name, bytes)
    case "jxr", "wdp": write("jxr", name, bytes)
    case "hdr": write("radiance", name, bytes)
    case "pfm", "phm": write("pfm", name, bytes)
    case "dpx": write("dpx", name, bytes)
    case "cin": write("cineon", name, bytes)
    case "ppm", "pgm": write("pnm", name, bytes)
    case "bmp": write("bmp", name, bytes)
    case "qoi": write("qoi", name, bytes)
    case "jxl":
      write("jxl", name, bytes)
      if let source = try? decodeImage(bytes, request: .metadata) { addSource(source, name) }
    case "icc", "icm": addProfile(bytes, name)
    case "cube": write("cube", name, bytes)
    case "3dl": write("3dl", name, bytes)
    case let ending? where LUTFormat(rawValue: ending) != nil:
      let place = LUTFormat.allCases.firstIndex { $0.rawValue == ending } ?? 0
      write("lut", name, [UInt8(place)] + bytes)
    case "yaml", "yml": write("recipe", name, bytes)
    case "json":
      write("recipe", name, bytes)
      write("json", name, bytes)
    case "jsonl":
      write("manifest", name, bytes)
      write("json", name, bytes.split(separator: UInt8(ascii: "\n")).first ?? [])
      write("journal", name, bytes)
    default: break
    }
  }

  // MARK: Parts

  private mutating func addSource(_ source: SourceImage, _ name: String) {
    write("wire", name, WireMemory.answer(0, source))
    if let xmp = source.xmp { write("xmp", name, xmp) }
    if let exif = source.exif { addExif(exif, name) }
    for (suffix, icc) in [("", source.color.icc), ("-map", source.gainMap?.alternateColor?.icc)] {
      if let icc { addProfile(icc, name + suffix) }
    }
    if let resources = source.photoshop { write("photoshop", name, resources) }
    if let payload = source.gainMap?.metadata.rawPayload, !payload.isEmpty {
      write("iso21496", name, payload)
      write("iso21496", name + "-tmap", [0] + payload)
      write("gainmap-plan", name, payload)
      if let box = JHGM(metadata: payload, colorEncoding: [1, 2], compressedICC: [3], codestream: [0xFF, 0x0A])
        .serialized
      {
        write("jhgm", name, box)
      }
    }
    if let metadata = source.gainMap?.metadata, let writer = HDRGainMapXMPWriter(metadata) {
      write(
        "hdrgm", name, writer.fields.flatMap { field in field.values.map { "\(field.name)=\($0)\n" } }.joined().utf8)
      write("xmp", name + "-hdrgm", writer.packet)
    }
  }

  private mutating func addExif(_ exif: [UInt8], _ name: String) {
    write("exif", name, exif)
    var warnings: [Warning] = []
    if let note = Exif(exif, warnings: &warnings)?.makerNote { write("makernote", name, note) }
  }

  private mutating func addProfile(_ icc: [UInt8], _ name: String) {
    write((try? ICCProfile(icc))?.isBaked == true ? "icc-bake" : "icc", name, icc)
  }

  /// The `meta` box with the data of its items in `idat`, 64 bytes of each picture.
  private mutating func addHEIF(_ bytes: [UInt8], _ name: String) {
    if let source = try? decodeImage(bytes, request: .metadata) { addSource(source, name) }
    guard let file = try? HEIFFile(bytes) else { return }
    for item in file.items.values where item.type == "mime" {
      if let data = try? file.data(of: item.id) { write("xmp", "\(name)-\(item.id)", data) }
    }
    var boxes = HEIFGrammar.BoxNode.read(bytes[...], depth: 0)
    guard let index = boxes.firstIndex(where: { $0.type == Array("meta".utf8) }) else { return }
    var iloc: [UInt8] = [], idat: [UInt8] = []
    for id in file.items.keys.sorted() {
      guard let item = file.items[id], let data = try? file.data(of: id) else { continue }
      let isCoded = item.type == "hvc1" || item.type == "av01"
      let kept = data.prefix(isCoded ? 64 : 8192)
      iloc += u32(id) + [0, 1, 0, 0, 0, 1] + u32(idat.count) + u32(kept.count)
      idat += kept
    }
    boxes[index].children.removeAll { $0.type == Array("iloc".utf8) || $0.type == Array("idat".utf8) }
    boxes[index].children.append(
      HEIFGrammar.BoxNode(
        type: Array("iloc".utf8), fields: [2, 0, 0, 0, 0x44, 0] + u32(iloc.count / 18) + iloc))
    boxes[index].children.append(HEIFGrammar.BoxNode(type: Array("idat".utf8), fields: idat))
    boxes.removeAll { $0.type != Array("ftyp".utf8) && $0.type != Array("meta".utf8) }
    write("heif", name + "-meta", boxes.flatMap(\.bytes))
  }

  /// Headers and application segments of every stream, no entropy-coded data.
  private mutating func addJPEG(_ bytes: [UInt8], _ name: String) {
    if let source = try? decodeImage(bytes, request: .metadata) { addSource(source, name) }
    var cut: [UInt8] = [], at = 0, streams = 0
    while streams < 3, let jpeg = try? JPEGStructure(bytes, at: at) {
      cut += [0xFF, 0xD8]
      for segment in jpeg.applications {
        let body = bytes[segment.payload]
        let isProfile = body.starts(with: "ICC_PROFILE\0".utf8) && body.count > 8192
        if isProfile || body.starts(with: "http://ns.adobe.com/xmp/extension/\0".utf8) && body.count > 8192 { continue }
        cut += [0xFF, segment.marker] + u16(2 + body.count) + body
      }
      var components: [UInt8] = []
      for part in jpeg.components {
        components += [UInt8(part.identifier), UInt8(part.horizontal << 4 | part.vertical), 0]
      }
      cut += [0xFF, jpeg.frameMarker] + u16(8 + components.count) + [UInt8(jpeg.precision)] + u16(jpeg.height)
      cut += u16(jpeg.width) + [UInt8(jpeg.components.count)] + components
      cut += [0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 63, 0, 0, 0xFF, 0xD9]
      if let mpf = jpeg.payloads(0xE2, "MPF\0", in: bytes).first { write("mpf", "\(name)-\(streams)", mpf) }
      for (index, xmp) in jpeg.payloads(0xE1, "http://ns.adobe.com/xap/1.0/\0", in: bytes).enumerated() {
        write("xmp", "\(name)-\(streams)-\(index)", xmp)
      }
      if let exif = jpeg.payloads(0xE1, "Exif\0\0", in: bytes).first { addExif(Array(exif), "\(name)-\(streams)") }
      streams += 1
      guard let next = bytes[jpeg.end...].indices.first(where: { bytes[$0...].starts(with: [0xFF, 0xD8, 0xFF]) }) else {
        break
      }
      at = next
    }
    write("jpeg", name + "-cut", cut)
  }

  /// All chunks; of the pixels the first 32 bytes.
  private mutating func addPNG(_ bytes: [UInt8], _ name: String) {
    if let source = try? decodeImage(bytes, request: .metadata) { addSource(source, name) }
    guard let png = try? PNGChunks(bytes) else { return }
    var cut = PNGChunks.signature
    func append(_ chunk: String, _ payload: some Collection<UInt8>) {
      let body = Array(chunk.utf8) + payload
      cut += u32(payload.count) + body + u32(Int(pngCRC32(body[...])))
    }
    for chunk in png.chunks where chunk.isEarly || chunk.name == "PLTE" { append(chunk.name, png.bytes[chunk.payload]) }
    append("IDAT", [UInt8](repeating: 0, count: 32))
    for chunk in png.chunks where !chunk.isEarly && chunk.name != "PLTE" {
      append(chunk.name, png.bytes[chunk.payload])
    }
    append("IEND", [])
    write("png", name + "-cut", cut)
  }
}
