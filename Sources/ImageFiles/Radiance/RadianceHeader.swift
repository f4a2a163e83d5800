import FileParts
import HDRCore
import PlainData

/// The header of a Radiance picture: lines of text, an empty one, and one with the size.
///
/// Source: G. Ward Larson, R. Shakespeare, "Rendering with Radiance" (1998), chapter 4 of the reference, file formats.
struct RadianceHeader {
  static let place = "Radiance header"
  static let maxBytes = 1 << 16, maxLine = 1 << 12
  /// The factors that are taken; others are no exposure.
  private static let factors = 1e-9...1e9

  /// True if samples are X, Y and Z.
  private(set) var isXYZ = false
  /// The primaries that the file states.
  private(set) var primaries: Primaries?
  /// The product of all EXPOSURE and COLORCORR, by which stored samples exceed the scene's light.
  private(set) var exposure = [1.0, 1, 1]
  /// The number of pixels of a scan line, and that of scan lines.
  private(set) var width = 0
  private(set) var height = 0
  private(set) var orientation = Orientation.up
  private(set) var fields: [HeaderField] = []
  /// The program and the comments.
  private(set) var texts = TextStatements()
  /// The commands that made the picture, and the variables that nothing reads.
  private(set) var unknown = UnknownParts()
  private(set) var warnings: [Warning] = []
  /// The offset of the first scan line.
  private(set) var end = 0

  init(_ bytes: [UInt8]) throws(DecodeError) {
    guard try next(bytes).hasPrefix("#?") else { throw Self.fault("does not begin with #?") }
    var hasFormat = false, comments = HeaderComments()
    while true {
      let start = end, line = try next(bytes)
      if line.isEmpty { break }
      if line.hasPrefix("#") {
        comments.add(bytes[start + 1..<end])
        continue
      }
      guard let cut = line.firstIndex(of: "=") else {
        note("command", line)
        unknown.add("command", byteCount: end - start)
        continue
      }
      let name = String(line[..<cut].drop { $0 == " " || $0 == "\t" }),
        value = Self.trimmed(line[line.index(after: cut)...])
      if name == "FORMAT" { hasFormat = true }
      try take(name, value)
    }
    comments.move(into: &texts)
    if !hasFormat { warnings.append(Warning("hdr.format", "no FORMAT is stated; samples are read as R, G and B")) }
    try takeSize(try next(bytes))
  }

  // MARK: Variables

  private mutating func take(_ name: String, _ value: String) throws(DecodeError) {
    let numbers = value.split { $0 == " " || $0 == "\t" }.map { decimal(String($0)) }
    let known = numbers.compactMap(\.self), isWhole = known.count == numbers.count
    func ignored(_ what: String) -> Warning {
      Warning("hdr.ignored", "\(name)=\(Self.shown(value)) is ignored: \(what)")
    }
    switch name {
    case "FORMAT":
      guard ["32-bit_rle_rgbe", "32-bit_rle_xyze"].contains(value) else {
        throw .unsupported(feature: "Radiance FORMAT", found: Self.shown(value))
      }
      isXYZ = value == "32-bit_rle_xyze"
    case "EXPOSURE", "COLORCORR":
      let product = zip(exposure, known.count == 1 ? [known[0], known[0], known[0]] : known).map { $0 * $1 }
      guard isWhole, known.count == (name == "EXPOSURE" ? 1 : 3), product.allSatisfy(Self.factors.contains) else {
        warnings.append(ignored("it is no factor"))
        return
      }
      exposure = product
    case "PRIMARIES":
      guard isWhole, known.count == 8, let found = Self.primaries(known) else {
        warnings.append(ignored("these are no primaries"))
        return
      }
      primaries = found
    case "GAMMA":
      if known != [1] {
        warnings.append(Warning("hdr.gamma", "GAMMA=\(Self.shown(value)) is ignored: samples are linear light"))
      }
    case "PIXASPECT":
      if known != [1] {
        warnings.append(Warning("hdr.aspect", "pixels of PIXASPECT=\(Self.shown(value)) are shown square"))
      }
    case "SOFTWARE": texts.add("Software", bytes: Array(value.unicodeScalars.map { UInt8($0.value) })[...])
    default: unknown.add(Self.shown(name), byteCount: value.utf8.count)
    }
    note(name, value)
  }

  private static func primaries(_ n: [Double]) -> Primaries? {
    let found = Primaries(
      red: Chromaticity(n[0], n[1]), green: Chromaticity(n[2], n[3]), blue: Chromaticity(n[4], n[5]),
      white: Chromaticity(n[6], n[7]))
    guard found.checkedMatrixToBT2020 != nil, let matrix = found.rgbToXYZ, abs(matrix.determinant) > 1e-6 else {
      return nil
    }
    return found
  }

  private mutating func note(_ name: String, _ value: String) {
    guard fields.count < HeaderField.most else { return }
    fields.append(HeaderField(Self.shown(name), Self.shown(value)))
  }

  // MARK: Size

  /// Takes `-Y 32 +X 48`: the axis of scan lines and their number, and the axis along them and its pixels.
  private mutating func takeSize(_ line: String) throws(DecodeError) {
    let words = line.split { $0 == " " || $0 == "\t" }.map(String.init)
    guard words.count == 4, let lines = Self.count(words[1]), let pixels = Self.count(words[3]),
      let turn = Self.orientations[words[0] + words[2]]
    else { throw Self.fault("no size is stated, as -Y 32 +X 48, but \(Self.shown(line))") }
    (width, height, orientation) = (pixels, lines, turn)
  }

  /// The orientations of the eight forms. X grows to the right, Y upwards.
  private static let orientations: [String: Orientation] = [
    "-Y+X": .up, "-Y-X": .upMirrored, "+Y-X": .down, "+Y+X": .downMirrored,
    "+X-Y": .leftMirrored, "-X-Y": .right, "-X+Y": .rightMirrored, "+X+Y": .left,
  ]

  private static func count(_ word: String) -> Int? {
    guard word.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return Int(word)
  }

  // MARK: Lines

  /// Returns the next line, without its end.
  private mutating func next(_ bytes: [UInt8]) throws(DecodeError) -> String {
    let window = bytes[end..<min(bytes.count, end + Self.maxLine + 1)]
    guard let stop = window.firstIndex(of: 0x0A) else {
      if window.count > Self.maxLine { throw Self.fault("a line is longer than \(Self.maxLine) bytes") }
      throw .truncated(where: Self.place)
    }
    guard stop < Self.maxBytes else { throw Self.fault("it does not end within \(Self.maxBytes) bytes") }
    var line = bytes[end..<stop]
    if line.last == 0x0D { line.removeLast() }
    end = stop + 1
    return latin1(line)
  }

  private static func trimmed(_ text: Substring) -> String {
    func isBlank(_ c: Character) -> Bool { c == " " || c == "\t" }
    var rest = text.drop(while: isBlank)
    while let last = rest.last, isBlank(last) { rest.removeLast() }
    return String(rest)
  }

  private static func shown(_ text: String) -> String { streamSafe(String(text.prefix(128))) }

  private static func fault(_ what: String) -> DecodeError { .malformed(where: place, what: what) }
}
