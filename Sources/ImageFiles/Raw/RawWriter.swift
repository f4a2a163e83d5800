import FileParts
import HDRCore

/// Writes `*-raw:FORMAT`: samples packed in the layout of `RawFormat`, rows top-down without padding, and a sidecar.
package enum RawWriter: ImageWriter {
  package static let format = FileFormat.raw

  package static func encode(_ request: EncodeRequest) throws(EncodeError) -> EncodedFiles {
    EncodedFiles(main: try RawPacking.bytes(request), sidecar: RawSidecar(request).bytes)
  }

  package static func verify(_ files: EncodedFiles, _ request: EncodeRequest) throws(EncodeError) {
    try RawSidecar.verify(files, request, byteCount: try RawPacking.layout(request).byteCount)
  }
}

/// Writes `*-y4m:FORMAT`: a stream of one frame.
package enum Y4MWriter: ImageWriter {
  package static let format = FileFormat.y4m

  package static func encode(_ request: EncodeRequest) throws(EncodeError) -> EncodedFiles {
    EncodedFiles(main: try RawPacking.bytes(request, behind: Array((try header(request).text + "FRAME\n").utf8)))
  }

  /// Makes the header of a stream.
  ///
  /// - Parameter rate: the number of frames per second.
  package static func header(
    _ request: EncodeRequest, rate: (numerator: Int, denominator: Int)? = nil
  ) throws(EncodeError) -> Y4M {
    Y4M(try RawPacking.layout(request), fullRange: request.cicp.fullRange, rate: rate)
  }

  package static func verify(_ files: EncodedFiles, _ request: EncodeRequest) throws(EncodeError) {
    var limits = DecodeLimits.readingBack
    let asked = request.cicp
    limits.reading.raw = RawDescription(primaries: asked.primaries, transfer: asked.transfer, matrix: asked.matrix)
    do throws(DecodeError) {
      let found = try decodeImage(files.main, request: .metadata, limits: limits)
      guard found.image.width == request.image.width, found.image.height == request.image.height,
        found.color.fullRange == asked.fullRange
      else { throw .malformed(where: "Y4M", what: "another picture") }
    } catch {
      throw .verification("\(error)")
    }
  }
}

/// The packing of rendered samples to the words of a raw format.
package enum RawPacking {
  package static func layout(_ request: EncodeRequest) throws(EncodeError) -> RawLayout {
    guard let format = request.kind.raw else {
      throw .unsupported(feature: "raw samples", found: request.kind.rawValue)
    }
    return RawLayout(format, width: request.image.width, height: request.image.height)
  }

  /// Returns the packed samples.
  ///
  /// - Parameter head: bytes before the samples.
  package static func bytes(_ request: EncodeRequest, behind head: [UInt8] = []) throws(EncodeError) -> [UInt8] {
    let layout = try layout(request)
    switch layout.format.model {
    case .rgb:
      let rows = try PixelRows(
        request.image, format: layout.format.sample.isInteger ? .uint16 : .float16, kind: request.kind)
      return filled(head, layout) { pack(rows, layout, $0) }
    case .ycc, .grey:
      try check(request, layout)
      return filled(head, layout) { pack(request.image, layout, $0) }
    }
  }

  private static func filled(
    _ head: [UInt8], _ layout: RawLayout, _ fill: (UnsafeMutableRawPointer) -> Void
  ) -> [UInt8] {
    let count = head.count + layout.byteCount
    return [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      if let base = buffer.baseAddress {
        PictureMemory.advise(UnsafeMutableRawPointer(base), byteCount: count)
        for (index, byte) in head.enumerated() { base[index] = byte }
        fill(UnsafeMutableRawPointer(base + head.count))
      }
      filled = count
    }
  }

  private static func check(_ request: EncodeRequest, _ layout: RawLayout) throws(EncodeError) {
    let image = request.image, format = layout.format
    let chroma = format.chroma == .none ? image.chroma : format.chroma
    guard image.model == .ycc, image.format.isInteger, image.bitDepth == format.bitDepth, image.chroma == chroma,
      image.channels.count == 3, image.channels.allSatisfy({ $0.stepBytes <= 4 })
    else {
      throw .unsupported(
        feature: "pixel layout for \(request.kind.rawValue)",
        found: "\(image.model.rawValue), \(image.format.rawValue), \(image.bitDepth) bits, \(image.chroma.rawValue)")
    }
  }

  /// Packs planes of any integers, rendered ones or a source's.
  private static func pack(_ image: SampleImage, _ layout: RawLayout, _ out: UnsafeMutableRawPointer) {
    let format = layout.format, shift = UInt16(format.lowZeroBits), low = UInt16(image.lowZeroBits)
    var channel = 0
    for plane in layout.planes {
      for index in 0..<plane.channels {
        let from = image.channels[channel], step = from.stepBytes
        channel += 1
        for y in 0..<plane.height {
          let source = from.buffer.base + from.offset + y * from.rowBytes
          let row = out + plane.offset + y * plane.rowBytes
          @inline(__always) func store(_ code: (Int) -> UInt16) {
            // After a Y4M header, words may begin at an odd place.
            for x in 0..<plane.width {
              let at = x &* plane.channels &+ index
              if format.sample == .uint8 {
                row.storeBytes(of: UInt8(truncatingIfNeeded: code(x)), toByteOffset: at, as: UInt8.self)
              } else {
                row.storeBytes(of: code(x) &<< shift, toByteOffset: 2 &* at, as: UInt16.self)
              }
            }
          }
          if step == plane.stepBytes, plane.channels == 1, image.format == format.sample, low == shift {
            row.copyMemory(from: source, byteCount: plane.width * step)
          } else if image.format == .uint8 {
            store { UInt16((source + $0 &* step).load(as: UInt8.self)) }
          } else {
            store { (source + $0 &* step).loadUnaligned(as: UInt16.self) &>> low }
          }
        }
      }
    }
  }

  /// Packs interleaved R, G, B, A of 16 bits or halves.
  private static func pack(_ rows: PixelRows, _ layout: RawLayout, _ out: UnsafeMutableRawPointer) {
    let rowBytes = layout.planes[0].rowBytes
    for y in 0..<rows.height {
      let source = rows.row(y).assumingMemoryBound(to: UInt16.self), row = out + y * rowBytes
      switch layout.format.packing {
      case .word(let hasAlpha):
        for x in 0..<rows.width {
          let r = tenBits(source[4 &* x]), g = tenBits(source[4 &* x &+ 1]), b = tenBits(source[4 &* x &+ 2])
          let a = hasAlpha ? (UInt32(source[4 &* x &+ 3]) &* 3 &+ 32_767) / 65_535 : 3
          (row + 4 &* x).storeBytes(of: (a &<< 30 | r &<< 20) | (g &<< 10 | b), as: UInt32.self)
        }
      case .interleaved(channels: 4) where layout.format.sample == .float32:
        for i in 0..<4 * rows.width {
          (row + 4 &* i).storeBytes(of: float(half: source[i]).bitPattern, as: UInt32.self)
        }
      case .interleaved(let channels) where channels < 4:
        for x in 0..<rows.width {
          for c in 0..<channels {
            (row + 2 &* (channels &* x &+ c)).storeBytes(of: source[4 &* x &+ c], as: UInt16.self)
          }
        }
      default: row.copyMemory(from: source, byteCount: 8 * rows.width)
      }
    }
  }

  /// Returns the nearest code of 10 bits. The earlier rounding to 16 bits adds an error of at most 0.008 of a code.
  @inline(__always) private static func tenBits(_ code: UInt16) -> UInt32 { (UInt32(code) &* 1023 &+ 32_767) / 65_535 }

  /// Converts a half to a float; the result is exact.
  @inline(__always) private static func float(half: UInt16) -> Float {
    let sign = UInt32(half & 0x8000) << 16, magnitude = UInt32(half & 0x7fff)
    // Subnormal halves are multiples of 2^-24.
    if magnitude < 0x400 { return Float(bitPattern: (Float(magnitude) * 0x1p-24).bitPattern | sign) }
    return Float(bitPattern: (magnitude << 13 + (magnitude < 0x7c00 ? 0x3800_0000 : 0x7000_0000)) | sign)
  }
}
