import FileParts
import HDRCore

/// The header of a DPX file, as far as it decides samples and colour.
///
/// Source: SMPTE 268M-2003, tables 1 to 8.
struct DPXHeader {
  static let place = "DPX header"
  static let bigEndian = Array("SDPX".utf8), littleEndian = Array("XPDS".utf8)
  /// The first bytes of a file that hold what is read here.
  private static let bytes = 1408
  static let maxElements = 8, maxGap = 1 << 16

  /// The descriptor says what samples of an element are.
  enum Descriptor: Int {
    case luma = 6
    case rgb = 50
    case rgba = 51
    case abgr = 52

    /// The place of R, G, B and A in a pixel.
    var order: [Int] {
      switch self {
      case .luma: [0]
      case .rgb: [0, 1, 2]
      case .rgba: [0, 1, 2, 3]
      case .abgr: [3, 2, 1, 0]
      }
    }
  }

  let isLittleEndian: Bool
  let width: Int
  let height: Int
  let orientation: Orientation
  let descriptor: Descriptor
  let transfer: Int
  let colorimetric: Int
  /// The codes of the reference low and high, and the quantity of the high one; `nil`: undefined.
  let lowCode: Int?
  let highCode: Int?
  let highQuantity: Double?
  let rows: FilmRows
  /// The offset of the first row.
  let start: Int
  private(set) var warnings: [Warning] = []
  private(set) var texts = TextStatements()
  /// The fields that nothing reads: of production, film and television.
  private(set) var unknown = UnknownParts()

  init(_ bytes: [UInt8], _ limits: DecodeLimits) throws(DecodeError) {
    guard bytes.starts(with: Self.bigEndian) || bytes.starts(with: Self.littleEndian) else {
      throw Self.fault("it begins with no known word")
    }
    guard bytes.count >= Self.bytes else { throw .truncated(where: Self.place) }
    isLittleEndian = bytes.starts(with: Self.littleEndian)
    let fields = FilmFields(bytes: bytes, isLittleEndian: isLittleEndian)
    (width, height) = (fields.u32(772), fields.u32(776))
    _ = try checkedPixels(width, height, limits, place: Self.place)
    let elements = fields.u16(770)
    guard (1...Self.maxElements).contains(elements) else { throw Self.fault("\(elements) image elements are stated") }
    let known = (0..<elements).compactMap { index in
      Descriptor(rawValue: Int(bytes[780 + 72 * index + 20])).map { (index, $0) }
    }
    guard let (index, descriptor) = known.first else {
      throw .unsupported(feature: "DPX samples", found: "descriptor \(bytes[800])")
    }
    self.descriptor = descriptor
    let at = 780 + 72 * index
    (transfer, colorimetric) = (Int(bytes[at + 21]), Int(bytes[at + 22]))
    (lowCode, highCode) = (fields.defined(at + 4), fields.defined(at + 12))
    highQuantity = fields.quantity(at + 16)
    start = try Self.start(fields, at, bytes.count)
    rows = try Self.rows(fields, at, samples: width * descriptor.order.count, rows: height, left: bytes.count - start)
    let turn = fields.u16(768)
    orientation = turn < Self.orientations.count ? Self.orientations[turn] : .up
    if turn >= Self.orientations.count, turn != 0xFFFF {
      warnings.append(Warning("dpx.orientation", "orientation \(turn) is unknown; the picture is shown as stored"))
    }
    if start != fields.u32(4) || ![0, 0xFFFF_FFFF, start].contains(fields.u32(at + 28)) {
      warnings.append(
        Warning("dpx.offset", "the header names two places for the samples; they are read from byte \(start) on"))
    }
    if elements > 1 {
      warnings.append(Warning("dpx.elements", "of \(elements) image elements element \(index + 1) is read"))
    }
    readTexts(fields)
  }

  /// The first axis is along a line, the second from line to line.
  private static let orientations: [Orientation] = [
    .up, .upMirrored, .downMirrored, .down, .leftMirrored, .right, .left, .rightMirrored,
  ]

  /// Reads the texts, and lists the fields of production, film and television that are stated: clauses of SMPTE 268M-2003,
  /// tables 1, 3, 5 to 8.
  private mutating func readTexts(_ fields: FilmFields) {
    var found = FilmTexts(fields, end: start)
    found.move("Software", at: 160, count: 100)
    found.move("Copyright", at: 460, count: 200)
    found.list([
      ("project", 260, 200), ("input device", 1556, 32), ("input serial number", 1588, 32), ("film format", 1680, 32),
      ("frame identification", 1732, 32), ("slate", 1764, 100),
    ])
    found.list("time code", number: 1920)
    found.listUserData(sizeAt: 32)
    (texts, unknown) = (found.texts, found.unknown)
  }

  private static func start(_ fields: FilmFields, _ element: Int, _ count: Int) throws(DecodeError) -> Int {
    let own = fields.u32(element + 28)
    let start = own < 768 || own >= count ? fields.u32(4) : own
    guard start >= 1024, start < count else { throw fault("samples begin at byte \(start)") }
    return start
  }

  private static func rows(
    _ fields: FilmFields, _ at: Int, samples: Int, rows: Int, left: Int
  ) throws(DecodeError) -> FilmRows {
    let bits = Int(fields.bytes[at + 23]), packed = fields.u16(at + 24), encoding = fields.u16(at + 26)
    guard [8, 10, 12, 16].contains(bits) else { throw .unsupported(feature: "DPX depth", found: "\(bits) bits") }
    guard fields.u32(at) != 1 else { throw .unsupported(feature: "DPX depth", found: "\(bits) bits with a sign") }
    guard encoding == 0 || encoding == 0xFFFF else {
      throw .unsupported(feature: "DPX encoding", found: encoding == 1 ? "run-length" : "\(encoding)")
    }
    guard let packing = packed == 0xFFFF ? FilmRows.Packing.stream : FilmRows.Packing(rawValue: packed) else {
      throw .unsupported(feature: "DPX packing", found: "\(packed)")
    }
    let gap = fields.defined(at + 32) ?? 0
    guard gap <= maxGap else { throw .limit(what: "bytes behind a DPX line", found: gap, allowed: maxGap) }
    var result = FilmRows(count: samples, bits: bits, packing: packing, isLittleEndian: fields.isLittleEndian)
    result.gap = gap
    if result.byteCount(rows: rows) <= left { return result }
    // Some writers begin rows of 8 and 16 bits anywhere.
    let wanted = result.byteCount(rows: rows)
    result.isPadded = false
    guard result.byteCount(rows: rows) <= left else {
      throw .truncated(where: "DPX samples: \(left) of \(wanted) bytes")
    }
    return result
  }

  private static func fault(_ what: String) -> DecodeError { .malformed(where: place, what: what) }
}

/// Numbers of a header in either byte order, at places that the caller has checked.
struct FilmFields {
  let bytes: [UInt8]
  let isLittleEndian: Bool

  func number(_ at: Int, _ count: Int) -> Int {
    (0..<count).reduce(0) { $0 << 8 | Int(bytes[at + (isLittleEndian ? count - 1 - $1 : $1)]) }
  }

  func u16(_ at: Int) -> Int { number(at, 2) }
  func u32(_ at: Int) -> Int { number(at, 4) }
  /// Returns a number; `nil` for all ones, which says that it is undefined.
  func defined(_ at: Int) -> Int? { u32(at) == 0xFFFF_FFFF ? nil : u32(at) }
  /// Returns a finite float; `nil` for others.
  func quantity(_ at: Int) -> Double? {
    let value = Double(Float(bitPattern: UInt32(truncatingIfNeeded: u32(at))))
    return value.isFinite ? value : nil
  }
}
