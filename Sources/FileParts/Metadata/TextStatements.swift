import HDRCore
import PlainData

/// The texts that a file states beside Exif and XMP: text chunks of PNG, comments of JPEG, texts of TIFF and DPX.
///
/// No other container has them, so they move into the XMP packet, under the names that ISO 16684-1 and CIPA DC-010 give
/// what they say. A text that the packet or Exif says too is not repeated.
package struct TextStatements {
  /// The keywords are those of PNG (third edition) clause 11.3.3.1.
  private struct Row {
    /// The form of a value in XMP.
    enum Form {
      case text, alternatives, sequence
    }
    var keyword: String
    var namespace: String
    var property: String
    var form: Form
    /// The tag of Exif that says the same; 0: none.
    var tag = 0
  }

  private static let prefixes = [
    "http://purl.org/dc/elements/1.1/": "dc", "http://ns.adobe.com/xap/1.0/": "xmp", XMPNamespace.exif: "exif",
    "http://ns.adobe.com/xap/1.0/rights/": "xmpRights",
  ]
  private static let core = "http://purl.org/dc/elements/1.1/", basic = "http://ns.adobe.com/xap/1.0/"
  private static let rows: [Row] = [
    Row(keyword: "Title", namespace: core, property: "title", form: .alternatives),
    Row(keyword: "Author", namespace: core, property: "creator", form: .sequence, tag: 315),
    Row(keyword: "Description", namespace: core, property: "description", form: .alternatives, tag: 270),
    Row(keyword: "Copyright", namespace: core, property: "rights", form: .alternatives, tag: 33432),
    Row(keyword: "Software", namespace: basic, property: "CreatorTool", form: .text, tag: 305),
    Row(keyword: "Comment", namespace: XMPNamespace.exif, property: "UserComment", form: .alternatives, tag: 0x9286),
    Row(
      keyword: "Disclaimer", namespace: "http://ns.adobe.com/xap/1.0/rights/", property: "UsageTerms",
      form: .alternatives),
  ]
  /// Times of the file, and not of the photograph, which ImageMagick writes.
  private static let silent: Set<String> = ["date:create", "date:modify", "date:timestamp"]

  /// The longest text that moves, and the largest number of texts.
  package static let mostBytes = 1 << 16
  private static let mostTexts = 64

  private var found: [(keyword: String, text: String)] = []
  /// The texts that do not move.
  private var others = UnknownParts(.text)

  package init() {}

  /// Returns true if a text of a keyword may move: else it need not be read.
  package func takes(_ keyword: String) -> Bool {
    found.count < Self.mostTexts && Self.rows.contains { $0.keyword == keyword }
  }

  /// Adds a text.
  ///
  /// - Parameter text: `nil` for one that cannot be read, or is longer than `mostBytes`.
  package mutating func add(_ keyword: String, _ text: String?, byteCount: Int) {
    if Self.silent.contains(keyword) { return }
    guard let text, byteCount <= Self.mostBytes, takes(keyword), text.unicodeScalars.allSatisfy(Self.isText),
      isStreamSafe(utf8: text.utf8)
    else { return others.add(keyword, byteCount: byteCount) }
    let plain = Self.trimmed(text)
    if !plain.isEmpty { found.append((keyword, plain)) }
  }

  /// Adds a text whose coding is not stated: UTF-8, or else ISO 8859-1. Zeros at its end do not belong to it.
  package mutating func add(_ keyword: String, bytes: ArraySlice<UInt8>) {
    guard bytes.count <= Self.mostBytes else { return others.add(keyword, byteCount: bytes.count) }
    let own = bytes.prefix { $0 != 0 }
    add(keyword, String(validating: own, as: UTF8.self) ?? latin1(own), byteCount: bytes.count)
  }

  /// Moves the texts into a packet, or makes one.
  ///
  /// - Parameters:
  ///   - xmp: the packet of the file, if it has one.
  ///   - exif: its Exif block; what it says is not said again.
  /// - Returns: the packet, and an entry for the texts that do not move: of other keywords, too long, damaged, or
  ///   contrary to what XMP or Exif says.
  package func moved(into xmp: [UInt8]?, exif: [UInt8]?) -> (xmp: [UInt8]?, left: [FileTrailer]) {
    if found.isEmpty { return (xmp, others.trailers) }
    var ignored: [Warning] = [], left = others, elements = "", used: Set<String> = []
    let packet = xmp.flatMap { XMPPacket($0, warnings: &ignored) }
    let values = exif.flatMap { ExifValues($0) }.map { $0.main + $0.exif } ?? []
    var moving: [(keyword: String, text: String)] = []
    for (keyword, text) in found {
      guard let row = Self.rows.first(where: { $0.keyword == keyword }) else { continue }
      let stated =
        packet?.properties[row.namespace]?[row.property]?.first
        ?? values.first { row.tag != 0 && $0.tag == row.tag }.map { Self.text(of: $0) }
      if let stated, !Self.trimmed(stated).isEmpty {
        if Self.trimmed(stated) != text { left.add(keyword, byteCount: text.utf8.count) }
      } else if used.insert(keyword).inserted {
        moving.append((keyword, text))
        elements += Self.element(row, text)
      } else if !moving.contains(where: { $0 == (keyword, text) }) {
        left.add(keyword, byteCount: text.utf8.count)
      }
    }
    if elements.isEmpty { return (xmp, left.trailers) }
    let names = Self.prefixes.sorted { $0.value < $1.value }.map { " xmlns:\($0.value)=\"\($0.key)\"" }.joined()
    func description(_ about: String) -> String {
      let resource = xmlEscaped(about, keeping: [">", "'"])
      return
        "<rdf:Description xmlns:rdf=\"\(XMPNamespace.rdf)\" rdf:about=\"\(resource)\"\(names)>\(elements)</rdf:Description>"
    }
    guard let xmp else { return (XMPAssembly.packet([description("")]), left.trailers) }
    if let merged = XMPAssembly.adding(description, to: xmp) { return (merged, left.trailers) }
    for (keyword, text) in moving { left.add(keyword, byteCount: text.utf8.count) }
    return (xmp, left.trailers)
  }

  private static func element(_ row: Row, _ text: String) -> String {
    let name = "\(prefixes[row.namespace] ?? "dc"):\(row.property)", value = xmlEscaped(text)
    let inside =
      switch row.form {
      case .text: value
      case .alternatives: "<rdf:Alt><rdf:li xml:lang=\"x-default\">\(value)</rdf:li></rdf:Alt>"
      case .sequence: "<rdf:Seq><rdf:li>\(value)</rdf:li></rdf:Seq>"
      }
    return "<\(name)>\(inside)</\(name)>"
  }

  /// Returns the text of an Exif value. That of a user's comment begins after its coding (Exif 2.32 clause 4.6.5).
  private static func text(of value: TIFFValue) -> String {
    let bytes = value.tag == 0x9286 ? value.bytes.dropFirst(8) : value.bytes[...], own = bytes.prefix { $0 != 0 }
    return String(validating: own, as: UTF8.self) ?? latin1(own)
  }

  /// Returns true for characters that XML 1.0 clause 2.2 allows.
  private static func isText(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 9, 10, 13, 0x20...0xD7FF, 0xE000...0xFFFD, 0x10000...0x10FFFF: true
    default: false
    }
  }

  private static func trimmed(_ text: String) -> String {
    let isSpace: (UInt8) -> Bool = { " \t\r\n".utf8.contains($0) }
    let head = Array(text.utf8.drop(while: isSpace))
    return String(decoding: head[...(head.lastIndex { !isSpace($0) } ?? -1)], as: UTF8.self)
  }
}
