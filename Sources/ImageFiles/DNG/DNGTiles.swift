import FileParts
import CDeflate
import HDRCore

/// A reader of DNG strips and tiles that LibRaw, as Debian builds it, does not read, or not with all levels: floats,
/// Deflate, lossy JPEG and JPEG XL.
struct DNGTiles {
  private let page: TIFFPage
  private let image: DNGImage
  private let places: [Range<Int>]

  /// True if this reader reads the samples.
  static func reads(_ image: DNGImage) -> Bool {
    switch image.compression {
    case TIFFCompression.jpegXL, TIFFCompression.lossyJPEG, TIFFCompression.deflate: true
    default: image.compression == TIFFCompression.none && image.isFloat
    }
  }

  /// Makes a reader.
  ///
  /// - Parameter page: a page whose blocks are checked.
  init(_ page: TIFFPage, _ image: DNGImage) throws(DecodeError) {
    (self.page, self.image) = (page, image)
    let depths: [Int] =
      switch image.compression {
      case TIFFCompression.jpegXL: [image.bits]
      case TIFFCompression.lossyJPEG: image.isFloat ? [] : [8]
      default: image.isFloat ? [16, 24, 32] : [16]
      }
    guard depths.contains(image.bits) else {
      throw .unsupported(
        feature: "DNG samples",
        found:
          "\(image.bits)-bit \(image.isFloat ? "floats" : "integers") by \(TIFFCompression.name(image.compression))")
    }
    func numbers(_ tag: Int) -> [Int]? { page.structure.integers(tag, in: page.directory) }
    let starts = numbers(page.isTiled ? TIFFTag.tileOffsets : TIFFTag.stripOffsets) ?? []
    let counts = numbers(page.isTiled ? TIFFTag.tileByteCounts : TIFFTag.stripByteCounts)
    // One uncompressed strip may lack its byte count.
    let plain = page.blockRowBytes * page.blockHeight
    places = starts.indices.prefix(page.blocksPerPlane * (page.isPlanar ? image.planes : 1)).map {
      starts[$0]..<starts[$0] + (counts?[$0] ?? plain)
    }
  }

  private var format: SampleFormat { Self.format(image) }

  static func format(_ image: DNGImage) -> SampleFormat {
    image.isFloat ? (image.bits == 16 ? .float16 : .float32) : .uint16
  }

  /// Returns the library and version that read the samples, for records.
  static func decoder(_ image: DNGImage) -> String {
    switch image.compression {
    case TIFFCompression.jpegXL: JXLLibrary.label
    case TIFFCompression.lossyJPEG: "libjpeg-turbo"
    default: "hdrbatch"
    }
  }

  /// Reads all samples; integers are linearized, floats are made finite.
  func read(warnings: inout [Warning]) throws(DecodeError) -> SampleImage {
    let row = image.width * image.planes * format.bytes, most = Int(RAWLibrary.memory)
    guard row * image.height >> 20 < most else {
      throw .limit(what: "MiB of camera raw samples", found: row * image.height >> 20, allowed: most)
    }
    let buffer = PixelBuffer(uninitializedByteCount: row * image.height)
    for index in places.indices {
      let block = try block(index, &warnings), plane = index / page.blocksPerPlane, place = index % page.blocksPerPlane
      let x = place % page.blocksAcross * page.blockWidth, y = place / page.blocksAcross * page.blockHeight
      let columns = min(page.blockWidth, image.width - x), rows = min(page.blockHeight, image.height - y)
      let blockRow = page.blockWidth * page.samplesTogether * format.bytes, pixel = image.planes * format.bytes
      for line in 0..<rows {
        let from = block.base + line * blockRow, to = buffer.base + (y + line) * row + x * pixel
        if page.isPlanar {
          TIFFSamples.pick(
            from, step: format.bytes, count: columns, bytes: format.bytes, into: to + plane * format.bytes, step: pixel)
        } else {
          to.copyMemory(from: from, byteCount: columns * pixel)
        }
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

  /// Decodes a strip or tile, of one plane if samples are in planes, to samples of `format`.
  private func block(_ index: Int, _ warnings: inout [Warning]) throws(DecodeError) -> PixelBuffer {
    switch image.compression {
    case TIFFCompression.jpegXL: return try jxl(index)
    case TIFFCompression.lossyJPEG:
      var found: [Warning] = []
      let block = try jpeg(index, &found)
      warnings += found.filter { !warnings.contains($0) }
      return block
    default:
      let words = try words(index)
      return image.bits == 24 ? floats(words, rows(of: index)) : words
    }
  }

  /// Returns the number of rows in a block: tiles are whole at the edges of the picture, the last strip may be cut.
  private func rows(of index: Int) -> Int {
    page.isTiled
      ? page.blockHeight
      : min(page.blockHeight, image.height - index % page.blocksPerPlane * page.blockHeight)
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
    let step = page.samplesTogether * ([34_892: 2, 34_893: 4, 34_894: 2, 34_895: 4][predictor] ?? 1)
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
    } else if image.bits == 24 {
      let bytes = UnsafeMutableBufferPointer(start: buffer.base.assumingMemoryBound(to: UInt8.self), count: count)
      for at in stride(from: 0, to: count - 2, by: 3) { bytes.swapAt(at, at + 2) }
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

  /// Returns floats of 24 bits, least byte first, as floats of 32.
  private func floats(_ triples: PixelBuffer, _ rows: Int) -> PixelBuffer {
    let row = page.blockWidth * page.samplesTogether, count = row * rows
    let buffer = PixelBuffer(uninitializedByteCount: 4 * row * page.blockHeight)
    TIFFSamples.expand(triples.base, page.type, count: count, into: buffer.base)
    return buffer
  }

  // MARK: JPEG and JPEG XL

  private func jpeg(_ index: Int, _ warnings: inout [Warning]) throws(DecodeError) -> PixelBuffer {
    let tile = LossyJPEGTile(
      width: page.blockWidth, height: rows(of: index), planes: page.samplesTogether, place: place(of: index))
    return try tile.decode(bytes(of: index), warnings: &warnings)
  }

  private func jxl(_ index: Int) throws(DecodeError) -> PixelBuffer {
    let rows = rows(of: index)
    let tile = JXLTile(
      width: page.blockWidth, height: rows, planes: page.samplesTogether, bits: image.bits, format: format,
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
