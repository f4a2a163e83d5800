import FileParts
import CDeflate
import HDRCore

/// A reader of DNG strips and tiles that LibRaw, as Debian builds it, does not read: floats, Deflate, and JPEG XL.
struct DNGTiles {
  private let page: TIFFPage
  private let image: DNGImage
  private let places: [Range<Int>]

  /// True if this reader reads the samples.
  static func reads(_ image: DNGImage) -> Bool {
    image.compression == TIFFCompression.jpegXL || image.compression == TIFFCompression.deflate
      || image.compression == TIFFCompression.none && image.isFloat
  }

  /// Makes a reader.
  ///
  /// - Parameter page: a page whose blocks are checked.
  init(_ page: TIFFPage, _ image: DNGImage) throws(DecodeError) {
    (self.page, self.image) = (page, image)
    guard !page.isPlanar else { throw .unsupported(feature: "DNG samples in planes", found: "PlanarConfiguration 2") }
    guard image.compression == TIFFCompression.jpegXL || [16, 32].contains(image.bits) else {
      throw .unsupported(
        feature: "DNG samples", found: "\(image.bits)-bit " + (image.isFloat ? "floats" : "integers by Deflate"))
    }
    func numbers(_ tag: Int) -> [Int]? { page.structure.integers(tag, in: page.directory) }
    let starts = numbers(page.isTiled ? TIFFTag.tileOffsets : TIFFTag.stripOffsets) ?? []
    let counts = numbers(page.isTiled ? TIFFTag.tileByteCounts : TIFFTag.stripByteCounts)
    // One uncompressed strip may lack its byte count.
    let plain = page.blockRowBytes * page.blockHeight
    places = starts.indices.prefix(page.blocksPerPlane).map { starts[$0]..<starts[$0] + (counts?[$0] ?? plain) }
  }

  private var format: SampleFormat { Self.format(image) }

  static func format(_ image: DNGImage) -> SampleFormat {
    image.isFloat ? (image.bits == 16 ? .float16 : .float32) : .uint16
  }

  /// Returns the library and version that read the samples, for records.
  static func decoder(_ image: DNGImage) -> String {
    image.compression == TIFFCompression.jpegXL ? JXLLibrary.label : "hdrbatch"
  }

  private var isJXL: Bool { image.compression == TIFFCompression.jpegXL }

  /// Reads all samples; integers are linearized, floats are made finite.
  func read() throws(DecodeError) -> SampleImage {
    let row = image.width * image.planes * format.bytes, most = Int(RAWLibrary.memory)
    guard row * image.height >> 20 < most else {
      throw .limit(what: "MiB of camera raw samples", found: row * image.height >> 20, allowed: most)
    }
    let buffer = PixelBuffer(uninitializedByteCount: row * image.height)
    for index in 0..<page.blocksPerPlane {
      let block = try isJXL ? jxl(index) : words(index)
      let x = index % page.blocksAcross * page.blockWidth, y = index / page.blocksAcross * page.blockHeight
      let columns = min(page.blockWidth, image.width - x), rows = min(page.blockHeight, image.height - y)
      let blockRow = page.blockWidth * image.planes * format.bytes, pixel = image.planes * format.bytes
      for line in 0..<rows {
        (buffer.base + (y + line) * row + x * pixel)
          .copyMemory(from: block.base + line * blockRow, byteCount: columns * pixel)
      }
    }
    let count = image.width * image.height * image.planes
    switch format {
    case .float16: TIFFSamples.makeFiniteHalves(buffer.base, count: count)
    case .float32: TIFFSamples.makeFinite(buffer.base, count: count)
    default: linearize(buffer, count)
    }
    let final = image.rowInterleave * image.columnInterleave > 1 ? deinterleaved(buffer, row) : buffer
    return SampleImage(
      sensor: final, width: image.width, height: image.height, planes: image.planes, format: format)
  }

  /// Returns the number of rows in a block: tiles are whole at the edges of the picture, the last strip may be cut.
  private func rows(of index: Int) -> Int {
    page.isTiled ? page.blockHeight : min(page.blockHeight, image.height - index * page.blockHeight)
  }

  private func bytes(of index: Int) -> ArraySlice<UInt8> { page.structure.bytes[places[index]] }

  private func place(of index: Int) -> String { "DNG \(page.isTiled ? "tile" : "strip") \(index)" }

  // MARK: Words

  /// Reads a block's words in the byte order of this machine.
  private func words(_ index: Int) throws(DecodeError) -> PixelBuffer {
    let count = page.blockRowBytes * rows(of: index), bytes = bytes(of: index)
    let buffer = PixelBuffer(uninitializedByteCount: page.blockRowBytes * page.blockHeight)
    if image.compression == TIFFCompression.deflate {
      try inflate(bytes, into: buffer.base, count, place: place(of: index))
    } else {
      guard bytes.count >= count else { throw .truncated(where: place(of: index)) }
      bytes.withUnsafeBytes { buffer.base.copyMemory(from: $0.baseAddress!, byteCount: count) }
    }
    let predictor = page.structure.integer(TIFFTag.predictor, in: page.directory) ?? 1
    // DNG's own predictors use the second or fourth sample before, for filter arrays.
    let step = image.planes * ([34_892: 2, 34_893: 4, 34_894: 2, 34_895: 4][predictor] ?? 1)
    let isSwapped = !page.structure.isLittleEndian
    if predictor == 1 {
      if isSwapped { swap(buffer, count) }
    } else if [2, 34_892, 34_893].contains(predictor), !image.isFloat {
      if isSwapped { swap(buffer, count) }
      addLeft(buffer, rows(of: index), step)
    } else if [3, 34_894, 34_895].contains(predictor), image.isFloat {
      joinBytes(buffer, rows(of: index), step)
    } else {
      throw .unsupported(feature: "DNG predictor", found: "\(predictor)")
    }
    return buffer
  }

  /// Decompresses a zlib stream of exactly `count` bytes.
  private func inflate(
    _ bytes: ArraySlice<UInt8>, into out: UnsafeMutableRawPointer, _ count: Int, place: String
  ) throws(DecodeError) {
    guard let decompressor = libdeflate_alloc_decompressor() else {
      throw .library(name: "libdeflate", code: 0, message: "no memory for the decompressor")
    }
    defer { libdeflate_free_decompressor(decompressor) }
    let status = bytes.withUnsafeBytes {
      libdeflate_zlib_decompress(decompressor, $0.baseAddress, $0.count, out, count, nil)
    }
    guard status == LIBDEFLATE_SUCCESS else { throw .malformed(where: place, what: "its zlib stream is damaged") }
  }

  private func swap(_ buffer: PixelBuffer, _ count: Int) {
    if image.bits == 16 {
      let words = UnsafeMutableBufferPointer(start: buffer.base.assumingMemoryBound(to: UInt16.self), count: count / 2)
      for at in words.indices { words[at] = words[at].byteSwapped }
    } else {
      let words = UnsafeMutableBufferPointer(start: buffer.base.assumingMemoryBound(to: UInt32.self), count: count / 4)
      for at in words.indices { words[at] = words[at].byteSwapped }
    }
  }

  /// Undoes differences to the sample `step` places to the left, modulo 2^16.
  private func addLeft(_ buffer: PixelBuffer, _ rows: Int, _ step: Int) {
    let count = page.blockRowBytes / 2
    guard count > step else { return }
    for y in 0..<rows {
      let row = (buffer.base + y * page.blockRowBytes).assumingMemoryBound(to: UInt16.self)
      for x in step..<count { row[x] = row[x] &+ row[x - step] }
    }
  }

  /// Undoes differences of bytes and joins the byte planes, the most significant first.
  private func joinBytes(_ buffer: PixelBuffer, _ rows: Int, _ step: Int) {
    let count = page.blockRowBytes, size = image.bits / 8, samples = count / size
    let scratch = PixelBuffer(uninitializedByteCount: count)
    let from = scratch.base.assumingMemoryBound(to: UInt8.self)
    for y in 0..<rows {
      let row = (buffer.base + y * count).assumingMemoryBound(to: UInt8.self)
      if count > step { for x in step..<count { row[x] = row[x] &+ row[x - step] } }
      scratch.base.copyMemory(from: row, byteCount: count)
      for x in 0..<samples {
        for byte in 0..<size { row[x * size + byte] = from[(size - 1 - byte) * samples + x] }
      }
    }
  }

  // MARK: JPEG XL

  private func jxl(_ index: Int) throws(DecodeError) -> PixelBuffer {
    let rows = rows(of: index)
    let tile = JXLTile(
      width: page.blockWidth, height: rows, planes: image.planes, bits: image.bits, format: format,
      place: place(of: index))
    let file = Array(bytes(of: index))
    return try tile.decode(JXLContainer.recognizes(file[...]) ? try JXLContainer(file).codestream : file[...])
  }

  // MARK: All

  private func linearize(_ buffer: PixelBuffer, _ count: Int) {
    let table = image.levels.linearization
    guard !table.isEmpty else { return }
    let words = UnsafeMutableBufferPointer(start: buffer.base.assumingMemoryBound(to: UInt16.self), count: count)
    let last = table.count - 1
    table.withUnsafeBufferPointer { table in
      for at in words.indices { words[at] = table[min(Int(words[at]), last)] }
    }
  }

  /// Returns the samples in picture order: interleaved files store all even rows or columns first.
  private func deinterleaved(_ buffer: PixelBuffer, _ row: Int) -> PixelBuffer {
    let result = PixelBuffer(uninitializedByteCount: row * image.height)
    let pixel = image.planes * format.bytes
    func source(_ at: Int, _ count: Int, _ factor: Int) -> Int {
      // If the count is no multiple of the factor, the first fields have one row or column more.
      let field = at % factor, whole = count / factor, rest = count % factor
      return field * whole + min(field, rest) + at / factor
    }
    for y in 0..<image.height {
      let from = buffer.base + source(y, image.height, image.rowInterleave) * row, to = result.base + y * row
      for x in 0..<image.width {
        (to + x * pixel).copyMemory(
          from: from + source(x, image.width, image.columnInterleave) * pixel, byteCount: pixel)
      }
    }
    return result
  }
}
