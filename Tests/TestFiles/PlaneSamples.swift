import HDRCore

// Loops over all samples stand here: test targets are compiled without optimisation.

extension SamplePlane {
  /// Returns the samples of a type, row by row.
  package func samples<Sample: FixedWidthInteger>(_: Sample.Type) -> [Int] {
    var result: [Int] = []
    result.reserveCapacity(width * height)
    for y in 0..<height {
      let row = buffer.base + offset + y * rowBytes
      for x in 0..<width { result.append(Int((row + x * stepBytes).loadUnaligned(as: Sample.self))) }
    }
    return result
  }
}

extension SampleImage {
  /// The samples of all channels and alpha as codes or bits, pixel by pixel.
  package var codes: [UInt64] {
    let planes = channels + [alpha].compactMap(\.self)
    var result: [UInt64] = []
    result.reserveCapacity(width * height * planes.count)
    for y in 0..<height {
      for x in 0..<width {
        for plane in planes {
          let at = plane.buffer.base + plane.offset + y * plane.rowBytes + x * plane.stepBytes
          switch format.bytes {
          case 1: result.append(UInt64(at.load(as: UInt8.self)))
          case 2: result.append(UInt64(at.loadUnaligned(as: UInt16.self)))
          default: result.append(UInt64(at.loadUnaligned(as: UInt32.self)))
          }
        }
      }
    }
    return result
  }
}
