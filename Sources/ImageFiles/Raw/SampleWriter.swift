import FileParts
import HDRCore

/// A writer of packed samples. Nothing is compressed and no library takes part, so the process that holds a picture can
/// write its file itself, in parts.
package protocol SampleWriter: ImageWriter {
  /// Returns the layout of the samples.
  ///
  /// - Throws: `EncodeError.unsupported` for a kind without one.
  static func layout(_ request: EncodeRequest) throws(EncodeError) -> RawLayout
  /// Returns the bytes before the samples.
  static func head(_ request: EncodeRequest) throws(EncodeError) -> [UInt8]
  /// Returns the JSON file beside the samples; `nil` for formats that describe themselves.
  static func sidecar(_ request: EncodeRequest) -> [UInt8]?
  /// Compares written files with the request.
  ///
  /// - Parameters:
  ///   - start: the main file's first bytes, as many as `PackedSamples.startBytes` or all.
  ///   - byteCount: the main file's size.
  /// - Throws: `EncodeError.verification` with the first thing that differs.
  static func verify(
    start: ArraySlice<UInt8>, byteCount: Int, sidecar: [UInt8]?, _ request: EncodeRequest
  ) throws(EncodeError)
}

extension OutputKind {
  /// The writer of a kind whose files are packed samples; `nil` for files that are coded.
  package var sampleWriter: (any SampleWriter.Type)? { writer as? any SampleWriter.Type }
}

extension SampleWriter {
  package static func layout(_ request: EncodeRequest) throws(EncodeError) -> RawLayout {
    let half = request.kind.format == .rgba16f ? RawFormat.named(RawSidecar.half) : nil
    guard let format = request.kind.raw ?? half else {
      throw .unsupported(feature: "raw samples", found: request.kind.rawValue)
    }
    return RawLayout(format, width: request.image.width, height: request.image.height)
  }

  package static func head(_ request: EncodeRequest) throws(EncodeError) -> [UInt8] { [] }

  package static func sidecar(_ request: EncodeRequest) -> [UInt8]? { RawSidecar(request).bytes }

  package static func encode(_ request: EncodeRequest) throws(EncodeError) -> EncodedFiles {
    let samples = try PackedSamples(request, try layout(request), behind: try head(request))
    return EncodedFiles(main: samples.bytes, sidecar: sidecar(request))
  }

  package static func verify(_ files: EncodedFiles, _ request: EncodeRequest) throws(EncodeError) {
    try verify(
      start: files.main.prefix(PackedSamples.startBytes), byteCount: files.main.count, sidecar: files.sidecar, request)
  }

  package static func verify(
    start: ArraySlice<UInt8>, byteCount: Int, sidecar: [UInt8]?, _ request: EncodeRequest
  ) throws(EncodeError) {
    let wanted = try layout(request).byteCount
    guard byteCount == wanted else { throw .verification("\(byteCount) bytes of samples, \(wanted) expected") }
    try RawSidecar.verify(sidecar, request)
  }
}

/// A picture's samples in the words of a raw format. They are packed as a whole, or in parts that stay in the cache
/// until they are written.
package struct PackedSamples {
  private let head: [UInt8]
  private let layout: RawLayout
  private let image: SampleImage
  /// The rows of interleaved R G B A; `nil` for planes.
  private let rows: PixelRows?

  /// The first bytes of a file that `SampleWriter.verify` needs.
  package static let startBytes = 2 * Y4M.maxLine

  /// Checks the layout of a picture.
  ///
  /// - Parameter head: bytes before the samples.
  /// - Throws: `EncodeError.unsupported` for a picture that the format cannot hold.
  package init(_ request: EncodeRequest, _ layout: RawLayout, behind head: [UInt8] = []) throws(EncodeError) {
    (self.head, self.layout, image) = (head, layout, request.image)
    switch layout.format.model {
    case .rgb:
      rows = try PixelRows(
        request.image, format: layout.format.sample.isInteger ? .uint16 : .float16, kind: request.kind)
    case .ycc, .grey:
      try Self.check(request, layout)
      rows = nil
    }
  }

  package var byteCount: Int { head.count + layout.byteCount }

  /// Returns true if the samples lie in memory from its first byte on as the file wants them.
  package func lie(in memory: PixelBuffer) -> Bool {
    let format = layout.format
    guard rows == nil, memory.byteCount == layout.byteCount, image.format == format.sample,
      image.lowZeroBits == format.lowZeroBits
    else { return false }
    let places = layout.planes.flatMap { plane in
      (0..<plane.channels).map { (at: memory.base + plane.offset + $0 * format.sample.bytes, plane: plane) }
    }
    return places.count == image.channels.count
      && zip(places, image.channels).allSatisfy { place, own in
        own.buffer.base + own.offset == place.at && own.rowBytes == place.plane.rowBytes
          && own.stepBytes == place.plane.stepBytes
      }
  }

  /// The samples behind each other, without the head.
  package var samples: PixelBuffer {
    let memory = PixelBuffer(uninitializedByteCount: layout.byteCount)
    for (index, plane) in layout.planes.enumerated() {
      pack(index, rows: 0..<plane.height, into: memory.base + plane.offset)
    }
    return memory
  }

  /// All bytes of the file.
  package var bytes: [UInt8] {
    let count = byteCount
    return [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      if let base = UnsafeMutableRawPointer(buffer.baseAddress) {
        PictureMemory.advise(base, byteCount: count)
        copyHead(to: base)
        for (index, plane) in layout.planes.enumerated() {
          pack(index, rows: 0..<plane.height, into: base + head.count + plane.offset)
        }
      }
      filled = count
    }
  }

  /// Calls `take` with the bytes of the file, in order. A part is valid until `take` returns.
  ///
  /// Samples that lie as the file wants them are not copied, if no other process can change them meanwhile.
  ///
  /// - Parameter partBytes: the size of a part; a longer row makes a longer one.
  package func forEachPart<E: Error>(
    of partBytes: Int, _ take: (UnsafeRawBufferPointer) throws(E) -> Void
  ) throws(E) {
    if head.isEmpty, isPacked, let memory = rows?.ownMemory {
      for start in stride(from: 0, to: memory.count, by: partBytes) {
        try take(UnsafeRawBufferPointer(rebasing: memory[start..<min(start + partBytes, memory.count)]))
      }
      return
    }
    let planes = layout.planes
    let part = PixelBuffer(uninitializedByteCount: max(partBytes, head.count, planes.map(\.rowBytes).max() ?? 0))
    defer { withExtendedLifetime(part) {} }
    copyHead(to: part.base)
    var filled = head.count
    for (index, plane) in planes.enumerated() {
      var y = 0
      while y < plane.height {
        let count = min(plane.height - y, (part.byteCount - filled) / plane.rowBytes)
        if count == 0 {
          try take(UnsafeRawBufferPointer(start: part.base, count: filled))
          filled = 0
          continue
        }
        pack(index, rows: y..<y + count, into: part.base + filled)
        filled += count * plane.rowBytes
        y += count
      }
    }
    if filled > 0 { try take(UnsafeRawBufferPointer(start: part.base, count: filled)) }
  }

  private func copyHead(to base: UnsafeMutableRawPointer) {
    for (index, byte) in head.enumerated() { base.storeBytes(of: byte, toByteOffset: index, as: UInt8.self) }
  }

  /// True if rows of four interleaved samples go into the file as they are.
  private var isPacked: Bool {
    layout.format.packing == .interleaved(channels: 4) && layout.format.sample.bytes == 2
  }

  /// Packs some rows of a plane; the first goes to `out`.
  private func pack(_ plane: Int, rows range: Range<Int>, into out: UnsafeMutableRawPointer) {
    if let rows { pack(rows, range, out) } else { packPlane(plane, range, out) }
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

  /// Packs a plane of any integers, rendered ones or a source's.
  private func packPlane(_ index: Int, _ range: Range<Int>, _ out: UnsafeMutableRawPointer) {
    let format = layout.format, planes = layout.planes, plane = planes[index]
    let first = planes[..<index].reduce(0) { $0 + $1.channels }
    for channel in 0..<plane.channels {
      let from = image.channels[first + channel], own = from.stepBytes
      let isSame = image.format == format.sample && image.lowZeroBits == format.lowZeroBits
      let isCopied = isSame && plane.channels == 1 && own == plane.stepBytes
      for y in range {
        let source = from.buffer.base + from.offset + y * from.rowBytes
        let row = out + (y - range.lowerBound) * plane.rowBytes + channel * format.sample.bytes
        switch (image.format, format.sample) {
        case _ where isCopied: row.copyMemory(from: source, byteCount: plane.width * own)
        case (.uint8, .uint8): pack(UInt8.self, source, own, UInt8.self, row, plane)
        case (.uint8, _): pack(UInt8.self, source, own, UInt16.self, row, plane)
        case (_, .uint8): pack(UInt16.self, source, own, UInt8.self, row, plane)
        default: pack(UInt16.self, source, own, UInt16.self, row, plane)
        }
      }
    }
  }

  /// Packs a row of a channel.
  ///
  /// - Parameter own: bytes from a sample to the next where they are read.
  @inline(__always) private func pack<Own: FixedWidthInteger, Word: FixedWidthInteger>(
    _: Own.Type, _ from: UnsafeMutableRawPointer, _ own: Int, _: Word.Type, _ to: UnsafeMutableRawPointer,
    _ plane: RawLayout.Plane
  ) {
    let low = UInt16(truncatingIfNeeded: image.lowZeroBits),
      shift = UInt16(truncatingIfNeeded: layout.format.lowZeroBits)
    @inline(__always) func run(_ own: Int, _ step: Int) {
      // After a Y4M header, words may begin at an odd place.
      for x in 0..<plane.width {
        let code = UInt16(truncatingIfNeeded: (from + x &* own).loadUnaligned(as: Own.self)) &>> low
        (to + x &* step).storeBytes(of: Word(truncatingIfNeeded: code &<< shift), as: Word.self)
      }
    }
    // Several samples at a time, where they lie beside each other on both sides.
    if own == MemoryLayout<Own>.size, plane.stepBytes == MemoryLayout<Word>.size {
      run(MemoryLayout<Own>.size, MemoryLayout<Word>.size)
    } else {
      run(own, plane.stepBytes)
    }
  }

  /// Packs interleaved R, G, B, A of 8 or 16 bits or halves.
  private func pack(_ rows: PixelRows, _ range: Range<Int>, _ out: UnsafeMutableRawPointer) {
    let rowBytes = layout.planes[0].rowBytes
    for y in range {
      let source = rows.row(y).assumingMemoryBound(to: UInt16.self), row = out + (y - range.lowerBound) * rowBytes
      switch layout.format.packing {
      case .word(let hasAlpha):
        for x in 0..<rows.width {
          let r = Self.code(source[4 &* x], of: 1023), g = Self.code(source[4 &* x &+ 1], of: 1023)
          let b = Self.code(source[4 &* x &+ 2], of: 1023)
          let a = hasAlpha ? Self.code(source[4 &* x &+ 3], of: 3) : 3
          (row + 4 &* x).storeBytes(of: (a &<< 30 | r &<< 20) | (g &<< 10 | b), as: UInt32.self)
        }
      case .interleaved(channels: 4) where layout.format.sample == .float32:
        for i in 0..<4 * rows.width {
          (row + 4 &* i).storeBytes(of: Self.float(half: source[i]).bitPattern, as: UInt32.self)
        }
      case .interleaved(let channels) where layout.format.sample == .uint8:
        for x in 0..<rows.width {
          for c in 0..<channels {
            let code = UInt8(truncatingIfNeeded: Self.code(source[4 &* x &+ c], of: 255))
            (row + (channels &* x &+ c)).storeBytes(of: code, as: UInt8.self)
          }
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

  /// Returns the nearest code of fewer bits. The earlier rounding to 16 bits adds an error of at most 0.008 of a code.
  ///
  /// - Parameter most: the largest code.
  @inline(__always) private static func code(_ code: UInt16, of most: UInt32) -> UInt32 {
    (UInt32(code) &* most &+ 32_767) / 65_535
  }

  /// Converts a half to a float; the result is exact.
  @inline(__always) private static func float(half: UInt16) -> Float {
    let sign = UInt32(half & 0x8000) << 16, magnitude = UInt32(half & 0x7fff)
    // Subnormal halves are multiples of 2^-24.
    if magnitude < 0x400 { return Float(bitPattern: (Float(magnitude) * 0x1p-24).bitPattern | sign) }
    return Float(bitPattern: (magnitude << 13 + (magnitude < 0x7c00 ? 0x3800_0000 : 0x7000_0000)) | sign)
  }
}
