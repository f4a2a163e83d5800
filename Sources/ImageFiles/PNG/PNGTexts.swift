import FileParts
import HDRCore
import PlainData

extension PNGChunks {
  /// The chunks that are read, and those that only say how to show a picture with few colours, when the file was
  /// written, how large a print is, or where its rows lie (`iDOT` of Apple).
  private static let known: Set<String> = [
    "IHDR", "PLTE", "tRNS", "cICP", "iCCP", "sRGB", "gAMA", "cHRM", "sBIT", "cLLI", "cLLi", "mDCV", "mDCv", "eXIf",
    "gmAP",
    "gdAT", "gMAP", "gDAT", "caBX", "acTL", "fcTL", "fdAT", "tEXt", "zTXt", "iTXt", "bKGD", "hIST", "sPLT", "tIME",
    "pHYs",
    "iDOT",
  ]

  /// Lists the chunks that nothing reads, and the paths among the image resources.
  func unknownChunks(resources: [UInt8]?) -> [FileTrailer] {
    var unknown = UnknownParts()
    for chunk in chunks where !Self.known.contains(chunk.name) {
      unknown.add(chunk.name, byteCount: chunk.payload.count)
    }
    unknown.add(pathsOf: resources)
    return unknown.trailers
  }

  /// The place of the chunk of XMP.
  var packet: Int? {
    let keyword = Array(PNGText.xmp.utf8) + [0]
    return chunks.firstIndex { $0.name == "iTXt" && bytes[$0.payload].starts(with: keyword) }
  }

  /// Returns the texts of all text chunks but XMP.
  ///
  /// - Parameters:
  ///   - used: the places of chunks that are read as metadata.
  ///   - hasExif: true if there is Exif, of which ImageMagick repeats each value as a text `exif:NAME`.
  func texts(but used: Set<Int>, hasExif: Bool) -> TextStatements {
    var texts = TextStatements()
    let packet = packet
    for (index, chunk) in chunks.enumerated() where PNGText.chunks.contains(chunk.name) {
      if index == packet || used.contains(index) { continue }
      let payload = bytes[chunk.payload]
      // A keyword has at most 79 characters (clause 11.3.3.1).
      let keyword = latin1(payload.prefix(80).prefix { $0 != 0 })
      if hasExif, keyword.hasPrefix("exif:") { continue }
      guard texts.takes(keyword),
        let text = PNGText(payload, isInternational: chunk.name == "iTXt", isPacked: chunk.name == "zTXt")
      else {
        texts.add(keyword, nil, byteCount: payload.count)
        continue
      }
      texts.add(keyword, text.string(limit: TextStatements.mostBytes), byteCount: text.body.count)
    }
    return texts
  }
}

/// A text chunk: keyword NUL, text. Compressed ones have a method before it, `iTXt` a flag, a method, a language and a
/// translated keyword. Source: W3C PNG (third edition) clause 11.3.3.
struct PNGText {
  /// The types of text chunks.
  static let chunks: Set<String> = ["tEXt", "zTXt", "iTXt"]
  /// The keyword of XMP, of which only the first chunk is read.
  static let xmp = "XML:com.adobe.xmp"

  private let isInternational: Bool
  private let isPacked: Bool
  /// The text as it is stored.
  let body: ArraySlice<UInt8>

  /// Reads a chunk; `nil` for one out of shape.
  init?(_ payload: ArraySlice<UInt8>, isInternational: Bool, isPacked: Bool) {
    guard let end = payload.firstIndex(of: 0) else { return nil }
    var rest = payload[(end + 1)...], isPacked = isPacked
    if isInternational {
      guard rest.count > 2, let flag = rest.first, let language = rest.dropFirst(2).firstIndex(of: 0),
        let translated = rest[(language + 1)...].firstIndex(of: 0)
      else { return nil }
      isPacked = flag != 0
      rest = rest[(translated + 1)...]
    } else if isPacked {
      guard rest.first == 0 else { return nil }
      rest = rest.dropFirst()
    }
    (self.isInternational, self.isPacked, body) = (isInternational, isPacked, rest)
  }

  /// Returns the bytes of the text; `nil` if its stream is damaged, or longer than `limit` when it is inflated.
  func bytes(limit: Int) -> [UInt8]? {
    guard isPacked else { return Array(body) }
    guard case .bytes(let inflated) = inflateZlib(body, limit: limit) else { return nil }
    return inflated
  }

  /// Returns the text: UTF-8 in `iTXt`, ISO 8859-1 in others.
  func string(limit: Int) -> String? {
    bytes(limit: limit).flatMap { isInternational ? String(validating: $0, as: UTF8.self) : latin1($0) }
  }
}
