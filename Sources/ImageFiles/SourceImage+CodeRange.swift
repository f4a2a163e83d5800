import HDRCore

extension SourceImage {
  /// The warning for a camera's logarithm whose codes are taken as of the full range, and all lie within the limited one;
  /// `nil` for other pictures, for Y'CbCr, whose files state a range, and before there are samples.
  package var rangeWarning: Warning? {
    guard case .space(let space) = color.encoding, space.isOfCamera, color.fullRange, image.isWithinLimitedRange else {
      return nil
    }
    return Warning(
      "space.range",
      "no code is below 64 or above 940 of 1023, as in the limited range that many cameras record: "
        + "\(setting: "input-range") limited reads it so, and full says that the codes are right")
  }
}

extension SampleImage {
  /// True for samples of grey or R, G, B that do not leave 64...940 of 1023, or what that is in other depths.
  fileprivate var isWithinLimitedRange: Bool {
    guard format.isInteger, model != .ycc, bitDepth >= 8, !channels.isEmpty else { return false }
    let low = UInt16(16) << UInt16(bitDepth - 8), high = UInt16(235) << UInt16(bitDepth - 8)
    return channels.allSatisfy { plane in
      (0..<plane.height).allSatisfy { y in
        let row = UnsafeRawPointer(plane.buffer.base + plane.offset + y * plane.rowBytes), step = plane.stepBytes
        return (0..<plane.width).allSatisfy { x in
          let word =
            format == .uint8
            ? UInt16(row.load(fromByteOffset: x * step, as: UInt8.self))
            : row.loadUnaligned(fromByteOffset: x * step, as: UInt16.self)
          let code = word >> UInt16(lowZeroBits)
          return code >= low && code <= high
        }
      }
    }
  }
}
