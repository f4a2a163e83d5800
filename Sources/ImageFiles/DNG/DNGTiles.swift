import HDRCore

/// Strips and tiles of a DNG that LibRaw does not read: plain floats, and JPEG XL.
struct DNGTiles {
  private let page: TIFFPage
  private let image: DNGImage
  private let limits: DecodeLimits

  /// Whether samples are read here.
  static func reads(_ image: DNGImage) -> Bool {
    image.compression == TIFFCompression.jpegXL
      || image.compression == TIFFCompression.none && image.isFloat && (image.bits == 16 || image.bits == 32)
  }

  /// - Parameter page: with its blocks checked.
  init(_ page: TIFFPage, _ image: DNGImage, limits: DecodeLimits) throws(DecodeError) {
    (self.page, self.image, self.limits) = (page, image, limits)
    guard !page.isPlanar else { throw .unsupported(feature: "DNG samples in planes", found: "PlanarConfiguration 2") }
  }

  private var format: SampleFormat { image.isFloat ? (image.bits == 16 ? .float16 : .float32) : .uint16 }

  /// All samples; integers are linearized.
  func read(_ dng: DNGDescription) throws(DecodeError) -> SensorPicture {
    let isJXL = image.compression == TIFFCompression.jpegXL
    var picture = try dng.picture(decoder: isJXL ? JXLLibrary.label : "hdrbatch")
    let row = image.width * image.planes * format.bytes, most = Int(RAWLibrary.memory)
    guard row * image.height >> 20 < most else {
      throw .limit(what: "MiB of camera raw samples", found: row * image.height >> 20, allowed: most, setting: "")
    }
    let buffer = PixelBuffer(uninitializedByteCount: row * image.height)
    for index in 0..<page.blocksPerPlane {
      let block = try isJXL ? jxl(index) : plain(index)
      let x = index % page.blocksAcross * page.blockWidth, y = index / page.blocksAcross * page.blockHeight
      let columns = min(page.blockWidth, image.width - x), rows = min(page.blockHeight, image.height - y)
      let blockRow = page.blockWidth * image.planes * format.bytes, pixel = image.planes * format.bytes
      for line in 0..<rows {
        (buffer.base + (y + line) * row + x * pixel)
          .copyMemory(from: block.base + line * blockRow, byteCount: columns * pixel)
      }
    }
    linearize(buffer, image.width * image.height * image.planes)
    let final = image.rowInterleave * image.columnInterleave > 1 ? deinterleaved(buffer, row) : buffer
    picture.format = format
    picture.planes = SensorPicture.interleaved(
      final, width: image.width, height: image.height, planes: image.planes, format: format)
    return picture
  }

  /// Tiles are whole at the edges of the picture, the last strip is not.
  private func rows(of index: Int) -> Int {
    page.isTiled ? page.blockHeight : min(page.blockHeight, image.height - index * page.blockHeight)
  }

  private func bytes(of index: Int) -> ArraySlice<UInt8> {
    let structure = page.structure
    func numbers(_ tag: Int) -> [Int] { structure.integers(tag, in: page.directory) ?? [] }
    let places = numbers(page.isTiled ? TIFFTag.tileOffsets : TIFFTag.stripOffsets)
    let counts = numbers(page.isTiled ? TIFFTag.tileByteCounts : TIFFTag.stripByteCounts)
    let count = counts.isEmpty ? page.blockRowBytes * page.blockHeight : counts[index]
    return structure.bytes[places[index]..<places[index] + count]
  }

  // MARK: Plain

  /// Words in the order of this machine; floats that are no light become finite.
  private func plain(_ index: Int) throws(DecodeError) -> PixelBuffer {
    let place = "DNG \(page.isTiled ? "tile" : "strip") \(index)", bytes = bytes(of: index)
    let rows = rows(of: index)
    let count = page.blockRowBytes * rows
    guard bytes.count >= count else { throw .truncated(where: place) }
    let buffer = PixelBuffer(uninitializedByteCount: page.blockRowBytes * page.blockHeight)
    bytes.withUnsafeBytes { buffer.base.copyMemory(from: $0.baseAddress!, byteCount: count) }
    let isSwapped = !page.structure.isLittleEndian
    if image.bits == 32 {
      let words = UnsafeMutableBufferPointer(
        start: buffer.base.assumingMemoryBound(to: UInt32.self), count: count / 4)
      for at in words.indices {
        let value = Float(bitPattern: isSwapped ? words[at].byteSwapped : words[at])
        let isLight = abs(value) >= 0x1p-30
        words[at] = (isLight ? min(max(value, -65_504), 65_504) : 0).bitPattern
      }
    } else if isSwapped {
      let words = UnsafeMutableBufferPointer(
        start: buffer.base.assumingMemoryBound(to: UInt16.self), count: count / 2)
      for at in words.indices { words[at] = words[at].byteSwapped }
    }
    return buffer
  }

  // MARK: JPEG XL

  private func jxl(_ index: Int) throws(DecodeError) -> PixelBuffer {
    let rows = rows(of: index)
    let tile = JXLTile(
      width: page.blockWidth, height: rows, planes: image.planes, bits: image.bits, format: format,
      place: "DNG \(page.isTiled ? "tile" : "strip") \(index)")
    let file = Array(bytes(of: index))
    return try tile.decode(JXLContainer.recognizes(file[...]) ? try JXLContainer(file).codestream : file[...])
  }

  // MARK: All

  private func linearize(_ buffer: PixelBuffer, _ count: Int) {
    let table = image.levels.linearization
    guard !table.isEmpty, format == .uint16 else { return }
    let words = UnsafeMutableBufferPointer(start: buffer.base.assumingMemoryBound(to: UInt16.self), count: count)
    let last = table.count - 1
    table.withUnsafeBufferPointer { table in
      for at in words.indices { words[at] = table[min(Int(words[at]), last)] }
    }
  }

  /// Quarter pictures of each colour back to their places: the first rows of the file are all even rows.
  private func deinterleaved(_ buffer: PixelBuffer, _ row: Int) -> PixelBuffer {
    let result = PixelBuffer(uninitializedByteCount: row * image.height)
    let pixel = image.planes * format.bytes
    func source(_ at: Int, _ count: Int, _ factor: Int) -> Int {
      // Fields are not equally long where the count is no multiple of the factor: the first ones have one more.
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
