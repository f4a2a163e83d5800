import HDRCore

/// The JSON file that describes samples without a header: one object of numbers and words, keys in a fixed order.
package struct RawSidecar: Sendable, Hashable {
  /// The name in `RawFormat` of R G B A halves, which a sidecar need not state.
  static let half = "rgbah"

  /// The name of samples in a DPX file, which has a header of its own.
  static let dpx = "dpx"

  package var format = Self.half
  package var width: Int
  package var height: Int
  package var primaries: Int
  /// The space of the list that samples are in, in the place of primaries.
  package var space: NamedSpace?
  package var transfer = CICP.Transfer.linear
  package var matrix = CICP.Matrix.identity
  package var fullRange = true
  package var contentHeadroom = 0.0
  package var displayHeadroom = 0.0
  /// The luminance of 1.0 in cd/m².
  package var white = ReferenceWhite.nits

  /// The largest sidecar that is read.
  package static let maxBytes = 1 << 16

  init(_ request: EncodeRequest) {
    format = request.kind.raw?.name ?? (request.kind.format == .dpx ? Self.dpx : Self.half)
    (width, height) = (request.image.width, request.image.height)
    (primaries, transfer) = (request.cicp.primaries, request.cicp.transfer)
    (matrix, fullRange) = (request.cicp.matrix, request.cicp.fullRange)
    space = request.space
    // JSON has no NaN or infinity; 0 means "unknown".
    func known(_ value: Double) -> Double { value.isFinite && value > 0 ? value : 0 }
    (contentHeadroom, displayHeadroom) = (known(request.contentHeadroom), known(request.displayHeadroom))
    white = known(request.white)
  }

  // MARK: Text

  /// The text of the sidecar. `primaries` is the word of the `--primaries` option, or the code point for others, which is
  /// 2 (unspecified) beside a `space`.
  package var bytes: [UInt8] {
    var rows = ["\"width\": \(width)", "\"height\": \(height)", "\"primaries\": \(primariesText)"]
    let isPlain = format == Self.half && transfer == CICP.Transfer.linear && matrix == 0 && fullRange
    if !isPlain {
      rows = ["\"format\": \"\(format)\""] + rows
      rows += [
        "\"transfer\": \(transfer)", "\"matrix\": \(matrix)", "\"range\": \"\(fullRange ? "full" : "limited")\"",
      ]
    }
    if let space { rows.append("\"space\": \"\(space.name)\"") }
    rows += [
      "\"contentHeadroom\": \(contentHeadroom)", "\"displayHeadroom\": \(displayHeadroom)",
      "\"white\": \(white)",
    ]
    return Array(("{\n" + rows.map { "  " + $0 }.joined(separator: ",\n") + "\n}\n").utf8)
  }

  private var primariesText: String {
    OutputPrimaries.allCases.first { $0.code == primaries }.map { "\"\($0.rawValue)\"" } ?? "\(primaries)"
  }

  /// Parses a sidecar.
  ///
  /// - Throws: `DecodeError.malformed` for anything but one flat object with a size and primaries.
  package init(parsing bytes: [UInt8]) throws(DecodeError) {
    func fault(_ what: String) -> DecodeError { .malformed(where: "sidecar", what: what) }
    guard bytes.count <= Self.maxBytes, let fields = Self.fields(bytes) else {
      throw fault("is no object of numbers and words")
    }
    func count(_ key: String) -> Int? {
      fields[key].flatMap { Double($0) }.flatMap { (0...Double(RawLayout.maxSide)).contains($0) ? Int($0) : nil }
    }
    guard let width = count("width"), let height = count("height") else { throw fault("has no width and height") }
    let word = fields["primaries"] ?? ""
    guard let primaries = OutputPrimaries(rawValue: word)?.code ?? count("primaries") else {
      throw fault("has no primaries")
    }
    self.width = width
    self.height = height
    self.primaries = primaries
    format = fields["format"] ?? Self.half
    guard format == Self.dpx || RawFormat.named(format) != nil else {
      throw fault("has an unknown format, \(format.prefix(40))")
    }
    if let name = fields["space"] {
      guard let known = NamedSpace.named(name) else { throw fault("has an unknown space, \(name.prefix(40))") }
      space = known
    }
    transfer = count("transfer") ?? transfer
    matrix = count("matrix") ?? matrix
    fullRange = fields["range"] != "limited"
    func number(_ key: String, _ standard: Double) -> Double {
      fields[key].flatMap { Double($0) }.flatMap { $0.isFinite && $0 >= 0 ? $0 : nil } ?? standard
    }
    contentHeadroom = number("contentHeadroom", 0)
    displayHeadroom = number("displayHeadroom", 0)
    white = number("white", ReferenceWhite.nits)
  }

  /// Compares the values in a written sidecar with the request.
  static func verify(_ sidecar: [UInt8]?, _ request: EncodeRequest) throws(EncodeError) {
    let asked = RawSidecar(request)
    do throws(DecodeError) {
      let found = try RawSidecar(parsing: sidecar ?? [])
      guard found == asked else { throw .malformed(where: "sidecar", what: "says \(found), asked for \(asked)") }
    } catch {
      throw .verification("\(error)")
    }
  }

  /// Returns the keys and the text of their values.
  private static func fields(_ bytes: [UInt8]) -> [String: String]? {
    var rest = bytes[...]
    func skip() { rest = rest.drop { [0x20, 0x09, 0x0a, 0x0d].contains($0) } }
    func take(_ character: Character) -> Bool {
      skip()
      guard rest.first == character.asciiValue else { return false }
      rest.removeFirst()
      return true
    }
    func text() -> String? {
      guard take("\""), let end = rest.firstIndex(of: UInt8(ascii: "\"")) else { return nil }
      defer { rest = rest[(end + 1)...] }
      return String(decoding: rest[rest.startIndex..<end], as: UTF8.self)
    }
    func value() -> String? {
      skip()
      if rest.first == UInt8(ascii: "\"") { return text() }
      let number = rest.prefix { "+-.0123456789Ee".utf8.contains($0) }
      rest = rest.dropFirst(number.count)
      return number.isEmpty ? nil : String(decoding: number, as: UTF8.self)
    }
    var fields: [String: String] = [:]
    guard take("{") else { return nil }
    repeat {
      guard let key = text(), take(":"), let value = value(), fields.updateValue(value, forKey: key) == nil else {
        return nil
      }
    } while take(",")
    guard take("}") else { return nil }
    skip()
    return rest.isEmpty ? fields : nil
  }

  /// Returns the caller's description, completed by the sidecar's values.
  func description(with known: RawDescription) -> RawDescription {
    RawDescription(
      RawFormat.named(format).map { RawLayout($0, width: width, height: height) },
      primaries: known.primaries ?? primaries, transfer: known.transfer ?? transfer, matrix: known.matrix ?? matrix,
      fullRange: known.fullRange ?? fullRange, siting: known.siting)
  }
}
