import HDRCore
import Kernels
import Synchronization

extension NamedSpace {
  /// The steps from codes to linear BT.2020, 1.0 = a perfect diffuser.
  var decodeSteps: [PixelOperation] {
    if let toBT2020 { return [.matrix(toBT2020)] }
    return steps.map { step -> PixelOperation in
      switch step {
      case .curve(.transfer(let curve)): .decode(curve)
      case .curve(let curve): .decodeCode(curve)
      case .matrix(let matrix): .matrix(matrix)
      case .clamp: .clamp(low: 0, high: Double(E32.largest))
      case .hlgDisplay: .hlgOOTF(peak: 1000, white: ReferenceWhite.nits, isOpen: true)
      }
    } + [.matrix(Self.bt2020FromACES)]
  }

  /// The steps from linear BT.2020 to codes.
  var encodeSteps: [PixelOperation] {
    if let back = toBT2020?.inverse { return [.matrix(back)] }
    return [.matrix(Self.bt2020FromACES.inverse ?? .identity)]
      + steps.reversed().map { step -> PixelOperation in
        switch step {
        case .curve(.transfer(let curve)): .encode(curve)
        case .curve(let curve): .encodeCode(curve)
        case .matrix(let matrix): .matrix(matrix.inverse ?? .identity)
        case .clamp: .clamp(low: 0, high: Double(E32.largest))
        case .hlgDisplay: .hlgInverseOOTF(peak: 1000, white: ReferenceWhite.nits, isOpen: true)
        }
      }
  }
}

extension CodeCurve {
  /// True if no two codes are the same light: encoding then undoes decoding.
  var isOneToOne: Bool {
    switch self {
    case .acesCC, .acesProxy, .appleLog, .density: false
    default: true
    }
  }
}

/// The tables of a curve of a named space for the stage `signed_curve`: codes from 0 on, and below. They are made once: a
/// batch makes a plan for every file.
struct CodeTables {
  enum Direction: Hashable {
    case decode, encode
  }

  let positive: CurveTable, negative: CurveTable

  private struct Key: Hashable {
    var curve: CodeCurve
    var direction: Direction
  }

  private static let made = Mutex<[Key: CodeTables]>([:])

  static func known(_ curve: CodeCurve, _ direction: Direction) -> CodeTables {
    let key = Key(curve: curve, direction: direction)
    if let tables = made.withLock({ $0[key] }) { return tables }
    let tables = CodeTables(curve, direction)
    made.withLock { $0[key] = tables }
    return tables
  }

  /// Makes tables in which a break or an end of a curve is smeared over one segment: a code of 10 bits at most.
  private init(_ curve: CodeCurve, _ direction: Direction) {
    let most = Double(E32.largest)
    func bounded(_ x: Double) -> Double {
      min(max(direction == .decode ? curve.decode(x) : curve.encode(x), -most), most)
    }
    // Codes end near 1, light does not; both go on below 0.
    let (octaves, k) = direction == .decode ? (-20..<2, 8) : (-24..<17, 7)
    positive = CurveTable(octaves: octaves, k: k, bounded)
    negative = CurveTable(octaves: octaves, k: k) { bounded(-$0) }
  }
}
