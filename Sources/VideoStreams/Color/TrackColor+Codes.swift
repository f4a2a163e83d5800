import FileParts
import HDRCore

extension TrackColor {
  /// Code points that are used, and whether the clip or a setting states any of them.
  struct Codes {
    var primaries: Int
    var transfer: Int
    var matrix: Int
    var isStated: Bool
  }

  /// The code points of one statement that H.273 has.
  struct Stated {
    var color: BitstreamColor
    /// The others.
    private(set) var reserved: [Int] = []

    /// Colour primaries (ITU-T H.273 table 2), transfer characteristics (table 3), matrix coefficients (table 4).
    private static let primaries = Set([1] + Array(4...12) + [22])
    private static let transfers = Set([1] + Array(4...18))
    private static let matrices = Set([0, 1] + Array(4...17))

    init(_ color: BitstreamColor) {
      self.color = color
      func known(_ code: Int?, _ all: Set<Int>) -> Int? {
        guard let code, !all.contains(code) else { return code }
        reserved.append(code)
        return nil
      }
      self.color.primaries = known(color.primaries, Self.primaries)
      self.color.transfer = known(color.transfer, Self.transfers)
      self.color.matrix = known(color.matrix, Self.matrices)
    }

    var isEmpty: Bool { color.primaries == nil && color.transfer == nil && color.matrix == nil }

    /// True if both state a value and the two mean different pictures.
    func differs(from other: Stated) -> Bool {
      func differ<T: Equatable>(_ a: T?, _ b: T?) -> Bool { a != nil && b != nil && a != b }
      return differ(color.primaries, other.color.primaries)
        || differ(color.transfer.map(Self.curve), other.color.transfer.map(Self.curve))
        || differ(color.matrix.map(Self.weights), other.color.matrix.map(Self.weights))
        || differ(color.fullRange, other.color.fullRange)
    }

    /// Codes 6, 14 and 15 are the curve of 1 (ITU-T H.273 table 3).
    private static func curve(_ code: Int) -> Int { [6, 14, 15].contains(code) ? 1 : code }
    /// Code 5 is the matrix of 6 (table 4).
    private static func weights(_ code: Int) -> Int { code == 5 ? 6 : code }
  }

  /// Takes each code point from a setting, the first statement, the second, or a rule.
  static func codes(
    _ first: Stated, _ second: Stated, _ pictures: TrackPictures, _ choice: TrackColorChoice,
    _ warnings: inout [Warning]
  ) throws(TrackColorFault) -> Codes {
    let statedMatrix = first.color.matrix ?? second.color.matrix
    if let primaries = choice.primaries, let transfer = choice.transfer {
      let usual = CICP.Matrix.usual(primaries: primaries)
      return Codes(
        primaries: primaries, transfer: transfer,
        matrix: matrix(choice.matrix ?? statedMatrix ?? (primaries == 1 ? CICP.Matrix.bt709 : usual), pictures),
        isStated: true)
    }
    let primaries = first.color.primaries ?? second.color.primaries
    guard let transfer = first.color.transfer ?? second.color.transfer else {
      return try untagged(primaries, statedMatrix, pictures, choice, &warnings)
    }
    let known = CICP.Primaries.resolved(primaries ?? CICP.Primaries.unspecified, transfer: transfer)
    let fallback = known == CICP.Primaries.bt709 ? CICP.Matrix.bt709 : CICP.Matrix.usual(primaries: known)
    return Codes(
      primaries: known, transfer: transfer, matrix: matrix(statedMatrix ?? fallback, pictures), isStated: true)
  }

  /// Returns colour for a clip that states no transfer: SDR of 8 bits, by its lines.
  private static func untagged(
    _ primaries: Int?, _ statedMatrix: Int?, _ pictures: TrackPictures, _ choice: TrackColorChoice,
    _ warnings: inout [Warning]
  ) throws(TrackColorFault) -> Codes {
    let fault = TrackColorFault.undescribed(bitDepth: pictures.bitDepth)
    guard choice.untagged != .fail else { throw fault }
    if choice.untagged == nil, pictures.bitDepth > 8 || statedMatrix == CICP.Matrix.bt2020 { throw fault }
    // Systems of 625 lines show 576 of them, and clips half; all others count as 525.
    let old = pictures.height == 576 || pictures.height == 288 ? 5 : 6
    let isOld = choice.untagged == .bt601 || choice.untagged == nil && pictures.height < 720
    let code = isOld ? old : CICP.Primaries.bt709
    let found = Codes(
      primaries: primaries ?? code, transfer: CICP.Transfer.bt709,
      matrix: matrix(statedMatrix ?? code, pictures), isStated: primaries != nil || statedMatrix != nil)
    if choice.untagged == nil {
      warnings.append(
        Warning(
          "video.untagged",
          "the clip does not state its transfer characteristics: \(found.primaries)/\(found.transfer)/\(found.matrix) is "
            + "taken, by its \(pictures.height) lines; \(setting: "cicp") states others"))
    }
    return found
  }

  /// The matrix of R'G'B' is the identity, whatever is stated.
  private static func matrix(_ code: Int, _ pictures: TrackPictures) -> Int {
    pictures.model == .rgb ? CICP.Matrix.identity : code
  }
}
