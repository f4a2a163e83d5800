import FileParts
import HDRCore
import PlainData

/// A file of a rendered picture and of channels and parts of the file that it is made of. Channels keep their words;
/// parts that do not move keep their chunks.
struct EXRMerge {
  /// Names of a part and its channels.
  struct Outline: Equatable {
    var name: String?
    var channels: [String]
  }

  /// The samples of a channel: of the rendered picture by their place in a pixel, or of the other file by their plane.
  private enum Samples {
    case color(Int)
    case plane(Int)
  }

  /// Another part: its chunks in the file, or the channels that are stored anew.
  private enum Other {
    case copied([Range<Int>])
    case moved([Int])
  }

  private let request: EncodeRequest
  private let kept: EXRKept
  private let source: EXRFile
  private var channels: [Int] = []
  private var others: [Int: Other] = [:]
  private(set) var warnings: [Warning] = []

  /// Finds out what can be kept; `nil`: nothing is wanted.
  init?(_ request: EncodeRequest) throws(EncodeError) {
    guard let kept = request.carried?.kept else { return nil }
    (self.request, self.kept) = (request, kept)
    do throws(DecodeError) {
      source = try EXRFile(kept.file)
    } catch {
      throw Self.fault(error)
    }
    guard source.parts.indices.contains(kept.part - 1) else {
      throw .unsupported(feature: "OpenEXR", found: "no part \(kept.part)")
    }
    chooseChannels()
    for number in kept.parts where number != kept.part && source.parts.indices.contains(number - 1) {
      choose(part: number - 1)
    }
    warnOfSpace()
  }

  private static func fault(_ error: DecodeError) -> EncodeError {
    .unsupported(
      feature: "keeping channels of the OpenEXR input (the setting channels leaves them out)", found: "\(error)")
  }

  private var header: EXRHeader { source.parts[kept.part - 1] }
  private var isMultipart: Bool { !others.isEmpty }
  private var colors: [String] {
    let prefix = kept.layer.isEmpty ? "" : kept.layer + "."
    return (["R", "G", "B"] + (request.hasAlpha ? ["A"] : [])).map { prefix + $0 }
  }

  // MARK: Choosing

  /// Returns the reason why samples of a part cannot be stored anew; `nil`: they can.
  private func obstacle(_ header: EXRHeader) -> String? {
    if header.kind.isDeep { return "deep" }
    guard header.coding.needsLibrary else { return nil }
    if let missing = EXRLibrary.missing { return missing }
    return kept.unsafeCodecs ? nil : "\(header.coding.name) outside a sandbox"
  }

  private mutating func drop(_ names: [String], because reason: String) {
    if names.isEmpty { return }
    warnings.append(
      Warning("exr.channels-dropped", "\(streamSafe(names.joined(separator: ", "))) cannot be kept: \(reason)"))
  }

  private mutating func chooseChannels() {
    let all = kept.channels.filter(header.channels.indices.contains)
    func names(_ list: [Int]) -> [String] { list.map { header.channels[$0].name } }
    if let obstacle = obstacle(header) { return drop(names(all), because: obstacle) }
    let taken = all.filter { colors.contains(header.channels[$0].name) }
    let subsampled = all.filter { header.channels[$0].isSubsampled && !taken.contains($0) }
    let whole = all.filter { !taken.contains($0) && !subsampled.contains($0) }
    channels = Array(whole.prefix(EXRHeader.maxChannels - colors.count))
    drop(names(taken), because: "the picture has channels of these names")
    drop(names(subsampled), because: "not every pixel has a sample")
    drop(names(Array(whole.dropFirst(channels.count))), because: "a file holds \(EXRHeader.maxChannels) channels")
  }

  private mutating func choose(part index: Int) {
    let header = source.parts[index], label = [header.label(index)]
    guard kept.isMoved else {
      guard let chunks = try? source.wholeChunks(of: index) else {
        return drop(label, because: "its chunks are damaged")
      }
      others[index] = .copied(chunks)
      return
    }
    if let obstacle = obstacle(header) { return drop(label, because: obstacle) }
    let whole = header.channels.indices.filter { !header.channels[$0].isSubsampled }
    guard whole.count == header.channels.count else { return drop(label, because: "not every pixel has a sample") }
    others[index] = .moved(whole)
  }

  /// Warns if kept layers of colours are in other colours than the header of the picture will say.
  private mutating func warnOfSpace() {
    func chromaticities(_ header: EXRHeader) -> [UInt8] {
      header.attributes.first { $0.name == "chromaticities" }?.value ?? EXRHeaderWriter.chromaticities(.bt709)
    }
    let own = EXRHeaderWriter.picture(request).value("chromaticities")
    let isOther = EXRPictures(source).all.contains { picture in
      guard case .rgb = picture.color else { return false }
      let isKept = picture.part == kept.part - 1 ? channels.contains(picture.channels[0]) : others[picture.part] != nil
      return isKept && chromaticities(source.parts[picture.part]) != own
    }
    if isOther {
      warnings.append(
        Warning(
          "exr.channels-space",
          "kept layers stay in the colours of the input, and the picture is in others: "
            + "\(setting: "to-space") with the input's space keeps one for all"))
    }
  }

  // MARK: The file

  private struct Part {
    var header: EXRHeaderWriter
    var count: Int
    var body: Body
  }

  private enum Body {
    case copied([Range<Int>])
    /// Rows of `bytes` bytes, which are stored channel by channel.
    case made(bytes: Int, @Sendable (Int, UnsafeMutablePointer<UInt8>) -> Void)
  }

  private var coding: EXRCoding { EXRCoding(request.coding.exrCompression) }

  /// Returns the bytes of the file.
  func file(_ rows: PixelRows) throws(EncodeError) -> [UInt8] {
    var parts: [Part] = []
    do throws(DecodeError) {
      for index in partNumbers {
        if index == kept.part - 1 {
          parts.append(try picture(rows))
        } else if let other = others[index] {
          parts.append(try part(index, other))
        }
      }
    } catch {
      throw Self.fault(error)
    }
    for case .made(let bytes, _) in parts.map(\.body) where bytes * coding.rows > EXRHeader.maxChunkBytes {
      throw .unsupported(
        feature: "OpenEXR of so many channels (the setting channels leaves some out)", found: "\(bytes) bytes a row")
    }
    let hasDeep = partNumbers.contains { source.parts[$0].kind.isDeep && $0 != kept.part - 1 }
    var bytes =
      isMultipart ? EXRHeaderWriter.file(of: parts.map(\.header), flags: hasDeep ? 0x800 : 0) : parts[0].header.file()
    let table = bytes.count
    bytes += [UInt8](repeating: 0, count: 8 * parts.reduce(0) { $0 + $1.count })
    var places: [Int] = []
    for (number, part) in parts.enumerated() { places += append(part, number, to: &bytes) }
    bytes.withUnsafeMutableBytes { bytes in
      for (index, place) in places.enumerated() {
        bytes.storeBytes(of: UInt64(place).littleEndian, toByteOffset: table + 8 * index, as: UInt64.self)
      }
    }
    return bytes
  }

  /// The kept parts in the order of the input.
  private var partNumbers: [Int] { (others.keys + [kept.part - 1]).sorted() }

  private func picture(_ rows: PixelRows) throws(DecodeError) -> Part {
    let list = merged
    var header = EXRHeaderWriter.picture(request)
    header.channels(list.map(\.channel))
    if isMultipart { header.storage(name: self.header.name ?? "picture", chunks: chunkCount) }
    return Part(
      header: header, count: chunkCount, body: try body(kept.part - 1, channels, list.map(\.samples), rows))
  }

  /// The channels of the picture's part in the order of their names.
  private var merged: [(channel: EXRHeader.Channel, samples: Samples)] {
    var list = colors.enumerated().map { (channel: EXRHeader.Channel.half($1), samples: Samples.color($0)) }
    for (slot, channel) in channels.enumerated() { list.append((header.channels[channel], .plane(slot))) }
    return list.sorted { $0.channel.name.utf8.lexicographicallyPrecedes($1.channel.name.utf8) }
  }

  private func part(_ index: Int, _ other: Other) throws(DecodeError) -> Part {
    let header = source.parts[index]
    switch other {
    case .copied(let chunks):
      var writer = EXRHeaderWriter()
      for attribute in attributes(of: header) { writer.attribute(attribute) }
      return Part(header: writer, count: chunks.count, body: .copied(chunks))
    case .moved(let channels):
      // As the picture, but for its own channels and attributes.
      var writer = EXRHeaderWriter.picture(request)
      for attribute in request.carried?.attributes ?? [] { writer.remove(attribute.name) }
      for name in ["chromaticities", "colorInteropID", "hdrbatch:contentHeadroom", "xmp"] { writer.remove(name) }
      for attribute in attributes(of: header) where !EXRHeader.isOwn(attribute.name) {
        if !EXRPart.ofPlaces.contains(attribute.name) { writer.attribute(attribute) }
      }
      writer.channels(channels.map { header.channels[$0] })
      writer.storage(name: header.name ?? "\(index + 1)", chunks: chunkCount)
      return Part(
        header: writer, count: chunkCount,
        body: try body(index, channels, channels.indices.map { .plane($0) }, nil))
    }
  }

  /// Returns the attributes that another part keeps: all of its storage, of others what is wanted. All parts of a file
  /// have the same chromaticities or none.
  private func attributes(of header: EXRHeader) -> [EXRPart.Attribute] {
    let own = EXRHeaderWriter.picture(request).value("chromaticities")
    return header.attributes.filter { attribute in
      switch attribute.name {
      case "chromaticities": attribute.value == own
      case "hdrbatch:contentHeadroom": false
      case "xmp": kept.metadata == .all
      default:
        EXRHeader.isOwn(attribute.name) || attribute.name.hasPrefix("screenWindow")
          || kept.metadata.takes(attribute: attribute.name)
      }
    }
  }

  private var chunkCount: Int { (request.image.height - 1) / coding.rows + 1 }

  private func body(
    _ part: Int, _ channels: [Int], _ samples: [Samples], _ rows: PixelRows?
  ) throws(DecodeError) -> Body {
    let planes = try EXRRawPlanes(
      source, part: part, channels: channels, window: EXRHeader.Window(kept.window), threads: request.threads)
    let width = request.image.width, mapping = kept.mapping
    let sizes = samples.map { if case .plane(let slot) = $0 { planes.sampleBytes[slot] } else { 2 } }
    return .made(bytes: sizes.reduce(0, +) * width) { y, out in
      var out = out
      for (samples, size) in zip(samples, sizes) {
        switch samples {
        case .plane(let slot): planes.copy(slot, width: width, y: y, mapping, into: out)
        case .color(let index):
          guard let row = rows?.row(y).assumingMemoryBound(to: UInt16.self) else { break }
          let words = UnsafeMutableRawPointer(out)
          for x in 0..<width { words.storeBytes(of: row[4 * x + index], toByteOffset: 2 * x, as: UInt16.self) }
        }
        out += size * width
      }
    }
  }

  /// Appends the chunks of a part and returns their places.
  private func append(_ part: Part, _ number: Int, to bytes: inout [UInt8]) -> [Int] {
    let lead = isMultipart ? 4 : 0
    switch part.body {
    case .copied(let chunks):
      var places: [Int] = []
      for chunk in chunks {
        places.append(bytes.count)
        withUnsafeBytes(of: Int32(number).littleEndian) { bytes.append(contentsOf: $0) }
        bytes.append(contentsOf: source.bytes[chunk])
      }
      return places
    case .made(let rowBytes, let fill):
      let coding = coding, height = request.image.height, top = request.carried?.top ?? 0
      let pieces = PackedPieces(count: part.count, maxBytes: lead + 8 + coding.rows * rowBytes)
      let made = pieces.file(bytes, threads: request.threads) {
        EXRPacker(coding, maxBytes: coding.rows * rowBytes)
      } make: { index, packer, place in
        let first = index * coding.rows, lines = first..<min(first + coding.rows, height)
        if lead > 0 { place.storeBytes(of: Int32(number).littleEndian, as: Int32.self) }
        return lead + packer.pack(rowBytes: rowBytes, lines, top: top, into: place + lead, fill: fill)
      }
      bytes = made.bytes
      return made.places.map(\.lowerBound)
    }
  }

  // MARK: Checking

  /// The names that the file has.
  var outline: [Outline] {
    partNumbers.map { index in
      let part = source.parts[index], isPicture = index == kept.part - 1
      let names = isPicture ? merged.map(\.channel.name) : part.channels.map(\.name)
      let name = isPicture ? part.name ?? "picture" : part.name ?? (kept.isMoved ? "\(index + 1)" : nil)
      return Outline(name: isMultipart ? name.map(streamSafe) : nil, channels: names.map(streamSafe))
    }
  }

  /// Returns the names that a file was found to have.
  func outline(of found: SourceImage) -> [Outline] {
    guard let exr = found.exr else { return [] }
    let all = ([exr.outline] + exr.others).sorted { $0.number < $1.number }
    return all.map { Outline(name: isMultipart ? $0.name : nil, channels: $0.channels.map(\.name)) }
  }

  /// Returns the number of the picture among those of the written file.
  func number(in file: EXRFile) throws(DecodeError) -> Int {
    let part = partNumbers.firstIndex(of: kept.part - 1)
    let found = EXRPictures(file).all.firstIndex { $0.part == part && $0.layer == kept.layer && !$0.isData }
    guard let found else { throw .malformed(where: "OpenEXR", what: "the picture is missing") }
    return found + 1
  }
}

extension EXRFile {
  /// Returns the places of all chunks of a part in its table's order, smaller levels included, each with the fields
  /// before its data but for the number of the part. Together they are not larger than the file.
  func wholeChunks(of part: Int) throws(DecodeError) -> [Range<Int>] {
    func fault() -> DecodeError { .malformed(where: "OpenEXR chunks", what: "the table names other chunks") }
    let count = chunkCount(parts[part])
    guard count <= EXRHeader.maxChunks else {
      throw .limit(what: "chunk count of OpenEXR", found: count, allowed: EXRHeader.maxChunks)
    }
    var total = 0, chunks: [Range<Int>] = []
    for offset in try offsets(of: part, count: count) {
      guard bytes.indices.contains(offset) else { throw fault() }
      var reader = ByteReader(bytes[offset...], place: "OpenEXR chunk", isLittleEndian: true)
      let leader = try Leader(&reader, parts, isMultipart)
      guard leader.part == part, leader.size >= 0, leader.size <= reader.remaining else { throw fault() }
      let chunk = offset + (isMultipart ? 4 : 0)..<reader.position + leader.size
      total += chunk.count
      guard total <= bytes.count else { throw fault() }
      chunks.append(chunk)
    }
    return chunks
  }
}

extension EXRHeaderWriter {
  /// Writes what a part of scan lines has in a file of several parts.
  fileprivate mutating func storage(name: String, chunks: Int) {
    attribute("name", "string") { $0.append(Array(name.utf8)) }
    attribute("type", "string") { $0.ascii("scanlineimage") }
    attribute("chunkCount", "int") { $0.littleEndian(chunks, bytes: 4) }
  }
}
