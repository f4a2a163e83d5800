import HDRCore

// Loops over all samples stand here: test targets are compiled without optimisation.

extension SampleImage {
  /// The bytes of planes that lie apart, row by row.
  package var storedBytes: [[UInt8]] {
    (channels + (alpha.map { [$0] } ?? [])).map {
      [UInt8](UnsafeRawBufferPointer(start: $0.buffer.base, count: $0.rowBytes * $0.height))
    }
  }

  /// The picture with 4:4:4 chroma, every chroma sample repeated, as libheif does it.
  package var withNearestChroma: SampleImage {
    guard model == .ycc, chroma != .s444 else { return self }
    var copy = self
    copy.chroma = .s444
    for index in 1...2 {
      let from = channels[index], size = format.bytes
      let plane = SampleImage.planar(width: width, height: height, model: .grey, format: format, bitDepth: bitDepth)
        .channels[0]
      for y in 0..<height {
        let source = from.buffer.base + from.offset + (y >> chroma.verticalShift) * from.rowBytes
        let target = plane.buffer.base + y * plane.rowBytes
        for x in 0..<width {
          (target + x * plane.stepBytes).copyMemory(
            from: source + (x >> chroma.horizontalShift) * from.stepBytes, byteCount: size)
        }
      }
      copy.channels[index] = plane
    }
    return copy
  }

  /// Rounds codes of 16 bits in place to those of another depth.
  package func roundCodes(bits: Int) {
    let peak = Double(1 << bits - 1)
    for plane in channels {
      for y in 0..<height {
        for x in 0..<width {
          let place = plane.buffer.base + plane.offset + y * plane.rowBytes + x * plane.stepBytes
          let code = (Double(place.load(as: UInt16.self)) / 65535 * peak).rounded()
          place.storeBytes(of: UInt16(code), as: UInt16.self)
        }
      }
    }
  }
}
