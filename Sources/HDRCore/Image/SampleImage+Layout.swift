extension SampleImage {
  /// The first channel as a grey picture; without a copy if its samples are adjacent in memory.
  package var firstChannel: SampleImage {
    var copy = self
    copy.model = .grey
    copy.chroma = .none
    if channels.isEmpty { return copy }
    copy.channels = Array(channels.prefix(1))
    copy.alpha = nil
    let from = channels[0]
    if from.stepBytes == format.bytes { return copy }
    var packed = SampleImage.planar(width: width, height: height, model: .grey, format: format, bitDepth: bitDepth)
    packed.lowZeroBits = lowZeroBits
    let to = packed.channels[0]
    for y in 0..<from.height {
      let source = from.buffer.base + from.offset + y * from.rowBytes, target = to.buffer.base + y * to.rowBytes
      if format == .uint8 {
        let bytes = source.assumingMemoryBound(to: UInt8.self), out = target.assumingMemoryBound(to: UInt8.self)
        for x in 0..<from.width { out[x] = bytes[x &* from.stepBytes] }
      } else {
        for x in 0..<from.width {
          (target + x * format.bytes).copyMemory(from: source + x * from.stepBytes, byteCount: format.bytes)
        }
      }
    }
    return packed
  }

  /// Converts planes of 16-bit words to planes of bytes if `bits` is at most 8; returns anything else unchanged.
  package func narrowed(toBits bits: Int) -> SampleImage {
    guard bits <= 8, format == .uint16, lowZeroBits == 0, alpha == nil else { return self }
    var copy = SampleImage.planar(
      width: width, height: height, model: model, format: .uint8, bitDepth: bits, chroma: chroma, siting: siting)
    copy.chroma = chroma
    for (from, to) in zip(channels, copy.channels) {
      for y in 0..<from.height {
        let source = from.buffer.base + from.offset + y * from.rowBytes
        let target = (to.buffer.base + y * to.rowBytes).assumingMemoryBound(to: UInt8.self)
        if from.stepBytes == 2 {
          let words = source.assumingMemoryBound(to: UInt16.self)
          for x in 0..<from.width { target[x] = UInt8(truncatingIfNeeded: words[x]) }
        } else {
          for x in 0..<from.width {
            target[x] = UInt8(truncatingIfNeeded: (source + x * from.stepBytes).loadUnaligned(as: UInt16.self))
          }
        }
      }
    }
    return copy
  }
}
