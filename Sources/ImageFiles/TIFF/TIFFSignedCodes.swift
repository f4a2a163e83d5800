/// Signed integers of a picture, of 8 or 16 bits. The largest code is white, 0 black, what is below 0 becomes 0.
///
/// Programs mark unsigned integers as signed, too: a picture whose neighbours are nearer to each other as unsigned
/// integers has such.
struct TIFFSignedCodes {
  /// The number of codes below 0.
  private(set) var negatives = 0
  /// The sums of steps from neighbour to neighbour, as signed and as unsigned integers.
  private var signedSteps = 0
  private var unsignedSteps = 0

  /// True if the codes are better read as unsigned integers.
  var areUnsigned: Bool { negatives > 0 && unsignedSteps < signedSteps }

  static func + (one: TIFFSignedCodes, other: TIFFSignedCodes) -> TIFFSignedCodes {
    var sum = one
    sum.negatives += other.negatives
    sum.signedSteps += other.signedSteps
    sum.unsignedSteps += other.unsignedSteps
    return sum
  }

  /// Counts a row of interleaved samples.
  mutating func count(_ row: UnsafeRawPointer, bytes: Int, columns: Int, together: Int) {
    func run<Code: FixedWidthInteger & SignedInteger>(_: Code.Type) where Code.Magnitude: FixedWidthInteger {
      for index in 0..<columns * together {
        let code = row.loadUnaligned(fromByteOffset: index * bytes, as: Code.self)
        if code < 0 { negatives += 1 }
        guard index >= together else { continue }
        let left = row.loadUnaligned(fromByteOffset: (index - together) * bytes, as: Code.self)
        signedSteps += abs(Int(code) - Int(left))
        unsignedSteps += abs(
          Int(Code.Magnitude(truncatingIfNeeded: code)) - Int(Code.Magnitude(truncatingIfNeeded: left)))
      }
    }
    if bytes == 1 { run(Int8.self) } else { run(Int16.self) }
  }

  /// Makes unsigned codes of the full range of all samples.
  func convert(_ samples: UnsafeMutableRawPointer, bytes: Int, count: Int) {
    guard !areUnsigned else { return }
    for index in 0..<count {
      if bytes == 1 {
        let code = Int(samples.load(fromByteOffset: index, as: Int8.self))
        samples.storeBytes(of: UInt8((max(0, code) * 510 + 127) / 254), toByteOffset: index, as: UInt8.self)
      } else {
        let code = Int(samples.load(fromByteOffset: 2 * index, as: Int16.self))
        samples.storeBytes(
          of: UInt16((max(0, code) * 131_070 + 32_767) / 65_534), toByteOffset: 2 * index, as: UInt16.self)
      }
    }
  }
}
