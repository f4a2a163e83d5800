/// Big-endian writing.
func u16(_ value: Int) -> [UInt8] { [UInt8(truncatingIfNeeded: value >> 8), UInt8(truncatingIfNeeded: value)] }
func u32(_ value: Int) -> [UInt8] { u16(value >> 16) + u16(value) }
func u64(_ value: Int) -> [UInt8] { u32(value >> 32) + u32(value) }

extension Collection<UInt8> {
  /// Big-endian number of up to 8 bytes; what is not there is 0.
  func number(_ at: Int, _ count: Int) -> Int {
    (0..<count).reduce(0) { value, index in
      let byte = index + at < self.count ? self[self.index(startIndex, offsetBy: at + index)] : 0
      return value << 8 | Int(byte)
    }
  }
}
