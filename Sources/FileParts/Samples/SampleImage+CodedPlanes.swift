import HDRCore

/// The requirements of all encoders of planes.
extension SampleImage {
  /// Checks layout, plane sizes and sample values: codec libraries trust all three.
  ///
  /// Allowed: Y'CbCr in 4:2:0 or 4:4:4, or one grey plane; `uint8` for 8 bits, `uint16` right-aligned above.
  package func checkForCoding(codec: String, depths: [Int]) throws(EncodeError) {
    let isGrey = model == .grey && channels.count == 1 && chroma == .none
    let isColor = model == .ycc && channels.count == 3 && (chroma == .s420 || chroma == .s444)
    guard isGrey || isColor, depths.contains(bitDepth), format == (bitDepth == 8 ? .uint8 : .uint16), lowZeroBits == 0,
      width > 0, height > 0, width <= 65_535, height <= 65_535
    else {
      throw .unsupported(
        feature: "pixel layout for \(codec)",
        found: "\(model.rawValue), \(format.rawValue), \(bitDepth) bits, \(chroma.rawValue), \(width)x\(height)")
    }
    for (index, plane) in channels.enumerated() {
      let h = index == 0 ? 0 : chroma.horizontalShift, v = index == 0 ? 0 : chroma.verticalShift
      guard plane.width == (width + h) >> h, plane.height == (height + v) >> v, plane.stepBytes == format.bytes,
        plane.offset >= 0, plane.rowBytes >= plane.stepBytes * plane.width,
        plane.offset % plane.stepBytes == 0, plane.rowBytes % plane.stepBytes == 0, plane.rowBytes <= Int(Int32.max),
        plane.offset + (plane.height - 1) * plane.rowBytes + plane.stepBytes * plane.width <= plane.buffer.byteCount
      else { throw .unsupported(feature: "plane layout for \(codec)", found: "\(plane.width)x\(plane.height)") }
      guard format == .uint8 || plane.largestWord < 1 << bitDepth else {
        throw .unsupported(feature: "samples for \(codec)", found: "\(plane.largestWord) in \(bitDepth) bits")
      }
    }
  }

  /// Returns the part of a picture at (`x`, `y`); beyond the edges the last columns and rows are repeated.
  ///
  /// - Parameters: all are multiples of the chroma shifts.
  package func padded(x: Int, y: Int, width: Int, height: Int) -> SampleImage {
    let result = SampleImage.planar(
      width: width, height: height, model: model, format: format, bitDepth: bitDepth, chroma: chroma, siting: siting)
    for (index, (source, target)) in zip(channels, result.channels).enumerated() {
      let h = index == 0 ? 0 : chroma.horizontalShift, v = index == 0 ? 0 : chroma.verticalShift
      var part = source
      part.offset += (y >> v) * source.rowBytes + (x >> h) * source.stepBytes
      part.width = min(target.width, source.width - x >> h)
      part.height = min(target.height, source.height - y >> v)
      part.copyPadded(
        to: target.buffer.base + target.offset, stride: target.rowBytes, width: target.width, height: target.height)
    }
    return result
  }
}

extension SamplePlane {
  /// Copies the plane and repeats its last column and row up to `width` x `height`.
  package func copyPadded(to target: UnsafeMutableRawPointer, stride: Int, width: Int, height: Int) {
    let bytes = stepBytes * self.width
    for y in 0..<height {
      let row = buffer.base + offset + min(y, self.height - 1) * rowBytes, output = target + y * stride
      output.copyMemory(from: row, byteCount: bytes)
      for x in self.width..<max(width, self.width) {
        (output + stepBytes * x).copyMemory(from: row + bytes - stepBytes, byteCount: stepBytes)
      }
    }
  }

  /// The largest sample of a 16-bit plane.
  fileprivate var largestWord: Int {
    var largest: UInt16 = 0
    for y in 0..<height {
      let row = (buffer.base + offset + y * rowBytes).assumingMemoryBound(to: UInt16.self)
      for x in 0..<width { largest = max(largest, row[x]) }
    }
    return Int(largest)
  }
}
