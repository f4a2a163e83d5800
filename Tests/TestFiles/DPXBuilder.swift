import ImageFiles

/// Writes DPX files byte by byte, as tests want them.
package struct DPXBuilder {
  package var width = 3, height = 2
  package var isLittleEndian = false
  package var bits = 10, packing = 1, descriptor = 50, transfer = 2, colorimetric = 6, orientation = 0, elements = 1
  package var encoding = 0, sign = 0, gap = 0, elementOffset = 2048, offset = 2048
  package var low = 0, high = 1023
  package var quantity: Float = 1
  /// The bytes of the samples.
  package var data: [UInt8] = [UInt8](repeating: 0, count: 64)

  package init(_ change: (inout DPXBuilder) -> Void = { _ in }) { change(&self) }

  package var bytes: [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 2048)
    func put(_ value: Int, _ at: Int, _ count: Int) {
      for index in 0..<count {
        let shift = 8 * (isLittleEndian ? index : count - 1 - index)
        bytes[at + index] = UInt8(truncatingIfNeeded: value >> shift)
      }
    }
    bytes.replaceSubrange(0..<4, with: (isLittleEndian ? "XPDS" : "SDPX").utf8)
    put(offset, 4, 4)
    put(orientation, 768, 2)
    put(elements, 770, 2)
    put(width, 772, 4)
    put(height, 776, 4)
    put(sign, 780, 4)
    put(low, 784, 4)
    put(high, 792, 4)
    put(Int(quantity.bitPattern), 796, 4)
    for (index, value) in [descriptor, transfer, colorimetric, bits].enumerated() { put(value, 800 + index, 1) }
    put(packing, 804, 2)
    put(encoding, 806, 2)
    put(elementOffset, 808, 4)
    put(gap, 812, 4)
    return bytes + data
  }
}
