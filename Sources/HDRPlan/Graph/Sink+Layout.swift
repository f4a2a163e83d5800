import HDRCore

extension Sink {
  /// Pixels that one GPU invocation of the sink writes, so that every 32-bit word of the output has one writer. Planar
  /// Y'CbCr: two chroma samples wide, at least. The `block` argument of a GLSL sink counts these, from the band's
  /// first.
  package var block: (width: Int, height: Int) {
    switch kind {
    case .rgba16f, .rgba16, .rgba8, .floatPlanes: (1, 1)
    case .planarYCC: (4, 1 << chroma.verticalShift)
    }
  }

  /// Returns the bytes from a row to the next of output plane 0...3 for a picture of `width` pixels; 0 for planes that
  /// do not exist.
  package func rowBytes(plane: Int, width: Int) -> Int {
    switch kind {
    case .rgba16f where isPlanar: plane < channels ? (2 * width + 63) & ~63 : 0
    case .rgba16f, .rgba16: plane == 0 ? 8 * width : 0
    case .rgba8: plane == 0 ? 4 * width : 0
    case .floatPlanes: plane < channels ? (4 * width + 63) & ~63 : 0
    case .planarYCC:
      switch plane {
      case 0: (2 * width + 63) & ~63
      case 1, 2: (2 * planeWidth(plane, width: width) + 63) & ~63
      default: plane < channels ? (2 * width + 63) & ~63 : 0
      }
    }
  }

  /// Returns true if an output plane holds chroma, which may be smaller.
  package func isChroma(_ plane: Int) -> Bool { kind == .planarYCC && (1...2).contains(plane) }

  /// Returns the number of samples in a row of an output plane.
  package func planeWidth(_ plane: Int, width: Int) -> Int {
    isChroma(plane) ? (width + (1 << chroma.horizontalShift) - 1) >> chroma.horizontalShift : width
  }

  /// Returns the number of rows of an output plane.
  package func planeHeight(_ plane: Int, height: Int) -> Int {
    isChroma(plane) ? (height + (1 << chroma.verticalShift) - 1) >> chroma.verticalShift : height
  }

  /// Allocates memory for a picture in the sink's layout; samples are undefined, row padding is zero. `rgba16f`,
  /// `rgba16` and `rgba8`: interleaved, tightly packed. `planarYCC`: three or four planes of right-aligned 16-bit
  /// words. `floatPlanes`: planes of binary32. `rgba16f` with `isPlanar`: planes of halves.
  ///
  /// - Parameter memory: returns blocks of the given size with undefined contents.
  package func makeImage(
    width: Int, height: Int, memory: (Int) -> PixelBuffer = { PixelBuffer(uninitializedByteCount: $0) }
  ) -> SampleImage {
    if kind == .planarYCC || kind == .floatPlanes || isPlanar {
      let planes = (0..<channels).map { plane in
        let row = rowBytes(plane: plane, width: width), rows = planeHeight(plane, height: height)
        let step = kind == .floatPlanes ? 4 : 2, columns = planeWidth(plane, width: width)
        let buffer = memory(row * rows)
        // Bytes that are not written must not hold data of another picture.
        for y in 0..<rows {
          (buffer.base + y * row + columns * step).initializeMemory(
            as: UInt8.self, repeating: 0, count: row - columns * step)
        }
        return SamplePlane(buffer: buffer, rowBytes: row, stepBytes: step, width: columns, height: rows)
      }
      if kind == .planarYCC {
        return SampleImage(
          width: width, height: height, model: .ycc, format: .uint16, bitDepth: bitDepth, chroma: chroma,
          channels: Array(planes.prefix(3)), alpha: planes.count == 4 ? planes[3] : nil)
      }
      return SampleImage(
        width: width, height: height, model: planes.count == 1 ? .grey : .rgb,
        format: isPlanar ? .float16 : .float32, bitDepth: isPlanar ? 16 : 32, chroma: planes.count == 1 ? .none : .s444,
        channels: Array(planes.prefix(3)),
        alpha: planes.count == 4 ? planes[3] : nil)
    }
    let format: SampleFormat = kind == .rgba16f ? .float16 : (kind == .rgba16 ? .uint16 : .uint8)
    let row = rowBytes(plane: 0, width: width)
    let buffer = memory(row * height)
    let planes = (0..<4).map {
      SamplePlane(
        buffer: buffer, offset: $0 * format.bytes, rowBytes: row, stepBytes: 4 * format.bytes, width: width,
        height: height)
    }
    return SampleImage(
      width: width, height: height, model: .rgb, format: format, bitDepth: 8 * format.bytes,
      channels: Array(planes[..<3]), alpha: planes[3])
  }
}
