import FileParts
import HDRCore

extension EXRMerge {
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
    for (number, part) in parts.enumerated() { places += try append(part, number, to: &bytes) }
    bytes.withUnsafeMutableBytes { bytes in
      for (index, place) in places.enumerated() {
        bytes.storeBytes(of: UInt64(place).littleEndian, toByteOffset: table + 8 * index, as: UInt64.self)
      }
    }
    return bytes
  }

  private func picture(_ rows: PixelRows) throws(DecodeError) -> Part {
    let list = merged
    var header = EXRHeaderWriter.picture(request)
    header.channels(list.map(\.channel))
    if isMultipart { header.storage(name: self.header.name ?? "picture", chunks: chunkCount) }
    return Part(
      header: header, count: chunkCount, body: try body(kept.part - 1, channels, list.map(\.samples), rows))
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
  private func append(_ part: Part, _ number: Int, to bytes: inout [UInt8]) throws(EncodeError) -> [Int] {
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
      let method = EXRPacker.Method(request.coding.exrCompression), chunkBytes = method.rows * rowBytes
      let height = request.image.height, top = request.carried?.top ?? 0
      let pieces = PackedPieces(count: part.count, maxBytes: lead + method.mostBytes(chunkBytes))
      let made = pieces.file(bytes, threads: request.threads) {
        EXRPacker(method, maxBytes: chunkBytes)
      } make: { index, packer, place in
        let first = index * method.rows, lines = first..<min(first + method.rows, height)
        if lead > 0 { place.storeBytes(of: Int32(number).littleEndian, as: Int32.self) }
        return lead + packer.pack(rowBytes: rowBytes, lines, top: top, into: place + lead, fill: fill)
      }
      guard made.places.count == part.count else {
        throw .library(name: "Deflate", code: 0, message: "a chunk could not be compressed")
      }
      bytes = made.bytes
      return made.places.map(\.lowerBound)
    }
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
