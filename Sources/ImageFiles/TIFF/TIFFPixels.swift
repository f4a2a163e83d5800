import FileParts
import HDRCore
import Synchronization

/// A reader of the samples of one picture of a TIFF file.
///
/// Integers of 8 and 16 bits and floats of 16 and 32 keep their layout. 1, 2 and 4 bits become 8, other depths keep
/// their codes; integers of 24 to 64 bits become 16, floats of 24 and 64 bits 32. Signed integers become unsigned ones
/// (`TIFFSignedCodes`), logarithms of luminance floats Y or X, Y, Z. Palettes become R'G'B'; inks and Lab become R'G'B'
/// of 16 bits (`InkTransform`). Floats of 32 bits are made finite: NaN becomes 0, magnitudes are at most 65504,
/// those below 2^-30 become 0.
struct TIFFPixels {
  private let page: TIFFPage
  private let kind: Kind

  private enum Kind {
    case samples
    /// A palette: R, G, B of each index, of 8 or 16 bits.
    case palette([[UInt16]], bits: Int)
    case ycc(TIFFChroma, ChromaSiting)
    case transformed(InkTransform)
  }

  /// Chooses the way to read the samples.
  ///
  /// - Parameter transform: the conversion of inks and Lab.
  init(_ page: TIFFPage, transform: InkTransform?) throws(DecodeError) {
    self.page = page
    switch page.photometric {
    case TIFFPhotometric.palette: kind = try Self.palette(page)
    case TIFFPhotometric.ycc where page.compression != TIFFCompression.jpeg: kind = try Self.ycc(page)
    default: kind = transform.map { .transformed($0) } ?? .samples
    }
  }

  private static func palette(_ page: TIFFPage) throws(DecodeError) -> Kind {
    let size = 1 << page.bits
    guard let map = page.structure.integers(TIFFTag.colorMap, in: page.directory), map.count == 3 * size else {
      throw .malformed(where: "TIFF directory", what: "a palette picture without its \(size) colours")
    }
    let words = map.map { UInt16(truncatingIfNeeded: $0) }
    // Old writers store 8-bit values in a palette.
    let isNarrow = words.allSatisfy { $0 < 256 }, isRepeated = words.allSatisfy { $0 >> 8 == $0 & 255 }
    let colors = isNarrow || isRepeated ? words.map { $0 & 255 } : words
    return .palette(
      (0..<3).map { Array(colors[$0 * size..<($0 + 1) * size]) }, bits: isNarrow || isRepeated ? 8 : 16)
  }

  private static func ycc(_ page: TIFFPage) throws(DecodeError) -> Kind {
    let (h, v) = page.subsampling, chroma = try TIFFChroma(horizontal: h, vertical: v)
    guard page.samplesPerPixel == 3 else {
      throw .unsupported(feature: "Y'CbCr with more samples", found: "\(page.samplesPerPixel) samples a pixel")
    }
    let isCosited = page.structure.integer(TIFFTag.yccPositioning, in: page.directory) == 2
    return .ycc(chroma, isCosited ? .topLeft : .center)
  }

  /// The format and depth of the resulting samples.
  private var target: (format: SampleFormat, bits: Int) {
    switch kind {
    case .palette(_, let bits): return (bits == 8 ? .uint8 : .uint16, bits)
    case .transformed: return (.uint16, 16)
    case .ycc: return (.uint8, 8)
    case .samples: break
    }
    if page.isFloat { return page.bits == 16 ? (.float16, 16) : (.float32, 32) }
    switch page.bits {
    case 1, 2, 4, 8: return (.uint8, 8)
    case ...7: return (.uint8, page.bits)
    case ...16: return (.uint16, page.bits)
    default: return (.uint16, 16)
    }
  }

  private var colors: Int { if case .samples = kind { page.colors } else { 3 } }

  /// The picture without samples.
  var description: SampleImage { image(planes: []) }

  private func image(planes: [SamplePlane]) -> SampleImage {
    var chroma = colors == 1 ? ChromaSubsampling.none : .s444, model = colors == 1 ? ColorModel.grey : .rgb
    var siting = ChromaSiting.center
    if case .ycc(let subsampling, let sited) = kind { (chroma, siting, model) = (subsampling.kind, sited, .ycc) }
    return SampleImage(
      width: page.width, height: page.height, model: model, format: target.format, bitDepth: target.bits,
      chroma: chroma, siting: siting, channels: Array(planes.prefix(colors)),
      alpha: planes.count > colors ? planes[colors] : nil,
      // Inks and Lab are divided by alpha in the conversion.
      alphaIsPremultiplied: page.alpha != nil && page.isAssociated && !isTransformed)
  }

  private var isTransformed: Bool { if case .transformed = kind { true } else { false } }

  // MARK: Reading

  /// Reads all samples.
  ///
  /// - Parameter threads: the number of threads that decode strips and tiles of samples that need no conversion.
  /// - Throws: `.library`, `.truncated` or `.unsupported` of libtiff.
  func read(threads: Int, warnings: inout [Warning]) throws(DecodeError) -> SampleImage {
    let result = page.structure.bytes.withUnsafeBufferPointer { bytes in
      let source = Source(bytes: bytes)
      return Result { () throws(DecodeError) in try read(source, threads: threads) }
    }
    let (image, found) = try result.get()
    warnings += found
    return image
  }

  /// The bytes of the file, shared by the threads that read it.
  private struct Source: @unchecked Sendable {
    let bytes: UnsafeBufferPointer<UInt8>
  }

  private func open(_ source: Source) throws(DecodeError) -> TIFFLibrary {
    let library = try TIFFLibrary(page, source.bytes)
    if page.photometric == TIFFPhotometric.ycc, page.compression == TIFFCompression.jpeg { try library.wantRGB() }
    if TIFFPhotometric.isLogarithm(page.photometric) { try library.wantFloats() }
    return library
  }

  /// Reads all samples; returns the picture and what there is to say of it.
  private func read(_ source: Source, threads: Int) throws(DecodeError) -> (SampleImage, [Warning]) {
    if case .samples = kind { return try readSamples(source, threads: threads) }
    let library = try open(source)
    let image =
      switch kind {
      case .palette(let map, let bits):
        try readRows(library, bits: bits) { samples, x, out in
          Self.look(up: samples, step: page.samplesPerPixel, in: map, bits: bits, count: x, into: out)
        }
      case .transformed(let transform):
        try readRows(library, bits: 16) { samples, x, out in
          transform.convert(samples, count: x, into: out)
        }
      case .ycc, .samples: try readYCC(library)
      }
    return (image, Self.warnings(library.warning))
  }

  private static func warnings(_ ofLibrary: String?, _ codes: TIFFSignedCodes = TIFFSignedCodes()) -> [Warning] {
    var found = ofLibrary.map { [Warning("tiff.libtiff", "\($0)")] } ?? []
    if codes.areUnsigned {
      found.append(
        Warning(
          "tiff.signed", "integers that are marked as signed go on below 0 where they end above: read as unsigned"))
    } else if codes.negatives > 0 {
      found.append(Warning("tiff.negative", "\(codes.negatives) samples below 0 became 0"))
    }
    return found
  }

  /// A strip or tile: its number, its pixels of the picture, and its decoded size.
  private struct Block {
    var index: Int
    var x: Int
    var y: Int
    var columns: Int
    var rows: Int
    var bytes: Int
  }

  /// Returns the strips or tiles of a plane.
  ///
  /// - Parameter plane: the number of the plane if samples are in planes.
  private func blocks(plane: Int) -> [Block] {
    (0..<page.blocksPerPlane).map { index in
      let x = index % page.blocksAcross * page.blockWidth, y = index / page.blocksAcross * page.blockHeight
      let rows = min(page.blockHeight, page.height - y)
      return Block(
        index: plane * page.blocksPerPlane + index, x: x, y: y, columns: min(page.blockWidth, page.width - x),
        rows: rows, bytes: page.blockRowBytes * (page.isTiled ? page.blockHeight : rows))
    }
  }

  /// The state of a thread that reads samples.
  private final class SampleReader {
    let library: TIFFLibrary
    /// The memory of a block, and of a row of it.
    let scratch: PixelBuffer
    let expanded: PixelBuffer
    var hasWarned = false

    init(_ library: TIFFLibrary, scratchBytes: Int, expandedBytes: Int) {
      self.library = library
      scratch = PixelBuffer(uninitializedByteCount: scratchBytes)
      expanded = PixelBuffer(uninitializedByteCount: expandedBytes)
    }
  }

  private func readSamples(_ source: Source, threads: Int) throws(DecodeError) -> (SampleImage, [Warning]) {
    let format = target.format, wanted = Array(0..<page.colors) + (page.alpha.map { [$0] } ?? [])
    let sample = format.bytes, together = page.isPlanar ? 1 : wanted.count
    let row = page.width * together * sample, planeBytes = row * page.height
    let bytes = planeBytes * (page.isPlanar ? wanted.count : 1)
    let buffer = PixelBuffer(uninitializedByteCount: bytes)
    // Samples that only need to be copied.
    let isPlain = page.bits == 8 * sample && (page.isPlanar || wanted.count == page.samplesPerPixel)
    let isDirect = isPlain && !page.isTiled
    let all = (0..<(page.isPlanar ? wanted.count : 1)).flatMap { plane in
      blocks(plane: page.isPlanar ? wanted[plane] : 0).map { (plane: plane, block: $0) }
    }
    let warned = Mutex<(index: Int, text: String)?>(nil), signed = Mutex(TIFFSignedCodes()), madeFinite = Mutex(0)
    try decodePieces(all.count, threads: threads) { () throws(DecodeError) in
      SampleReader(
        try open(source), scratchBytes: isDirect ? 0 : page.blockRowBytes * page.blockHeight,
        expandedBytes: isPlain ? 0 : page.blockWidth * page.samplesTogether * sample)
    } decode: { (index, reader) throws(DecodeError) in
      let (plane, block) = all[index], scratch = reader.scratch.base, expanded = reader.expanded.base
      let out = buffer.base + plane * planeBytes + block.y * row + block.x * together * sample
      try reader.library.read(block.index, into: isDirect ? out : scratch, count: block.bytes)
      if !isDirect {
        for y in 0..<block.rows {
          let from = scratch + y * page.blockRowBytes, to = out + y * row
          if isPlain {
            to.copyMemory(from: from, byteCount: block.columns * together * sample)
          } else {
            let count = block.columns * page.samplesTogether
            TIFFSamples.expand(from, page.type, count: count, into: expanded)
            let chosen = page.isPlanar ? [0] : wanted
            for (place, index) in chosen.enumerated() {
              TIFFSamples.pick(
                expanded + index * sample, step: page.samplesTogether * sample, count: block.columns, bytes: sample,
                into: to + place * sample, step: together * sample)
            }
          }
        }
      }
      if page.type.kind == .signed {
        var codes = TIFFSignedCodes()
        for y in 0..<block.rows {
          codes.count(out + y * row, bytes: sample, columns: block.columns, together: together)
        }
        let found = codes
        signed.withLock { $0 = $0 + found }
      }
      let isAlpha = page.isPlanar && plane == page.colors
      for y in 0..<block.rows {
        let found = finish(out + y * row, columns: block.columns, together: together, isAlpha: isAlpha)
        if found > 0 { madeFinite.withLock { $0 += found } }
      }
      if !reader.hasWarned, let text = reader.library.warning {
        reader.hasWarned = true
        warned.withLock { if $0 == nil || $0!.index > index { $0 = (index, text) } }
      }
    }
    let codes = signed.withLock { $0 }
    if page.type.kind == .signed { codes.convert(buffer.base, bytes: sample, count: bytes / sample) }
    var picture = image(
      planes: wanted.indices.map { index in
        SamplePlane(
          buffer: buffer, offset: page.isPlanar ? index * planeBytes : index * sample, rowBytes: row,
          stepBytes: together * sample, width: page.width, height: page.height)
      })
    picture.madeFinite = madeFinite.withLock { $0 }
    return (picture, Self.warnings(warned.withLock { $0?.text }, codes))
  }

  /// Makes floats finite, and inverts codes if 0 is white.
  ///
  /// - Returns: the number of floats that were not finite.
  private func finish(_ row: UnsafeMutableRawPointer, columns: Int, together: Int, isAlpha: Bool) -> Int {
    if target.format == .float32 { return TIFFSamples.makeFinite(row, count: columns * together) }
    if page.photometric == TIFFPhotometric.whiteIsZero, !page.isFloat, !isAlpha {
      TIFFSamples.invert(row, bytes: target.format.bytes, bits: target.bits, count: columns, step: together)
    }
    return 0
  }

  /// Reads rows as words in the pixel's order, which `convert` makes rows of R, G, B and perhaps alpha.
  ///
  /// - Parameter convert: gets the words, the number of pixels, and the memory of the result.
  private func readRows(
    _ library: TIFFLibrary, bits: Int, convert: (UnsafePointer<UInt16>, Int, UnsafeMutableRawPointer) -> Void
  ) throws(DecodeError) -> SampleImage {
    let count = page.samplesPerPixel, sample = bits / 8, channels = page.alpha == nil ? 3 : 4
    let row = page.width * channels * sample
    let buffer = PixelBuffer(uninitializedByteCount: row * page.height)
    let planes = page.isPlanar ? count : 1, blockBytes = page.blockRowBytes * page.blockHeight
    let scratch = PixelBuffer(uninitializedByteCount: blockBytes * planes)
    let words = PixelBuffer(uninitializedByteCount: page.blockWidth * count * 2)
    let samples = words.base.assumingMemoryBound(to: UInt16.self)
    for block in blocks(plane: 0) {
      for plane in 0..<planes {
        try library.read(
          block.index + plane * page.blocksPerPlane, into: scratch.base + plane * blockBytes, count: block.bytes)
      }
      for y in 0..<block.rows {
        for plane in 0..<planes {
          let from = scratch.base + plane * blockBytes + y * page.blockRowBytes
          TIFFSamples.words(
            from, bits: page.bits, count: block.columns * page.samplesTogether, into: samples + plane, step: planes)
        }
        convert(UnsafePointer(samples), block.columns, buffer.base + (block.y + y) * row + block.x * channels * sample)
      }
    }
    return image(
      planes: (0..<channels).map {
        SamplePlane(
          buffer: buffer, offset: $0 * sample, rowBytes: row, stepBytes: channels * sample, width: page.width,
          height: page.height)
      })
  }

  private static func look(
    up samples: UnsafePointer<UInt16>, step: Int, in map: [[UInt16]], bits: Int, count: Int,
    into out: UnsafeMutableRawPointer
  ) {
    for x in 0..<count {
      for c in 0..<3 {
        let value = map[c][Int(samples[x &* step])]
        if bits == 8 {
          out.storeBytes(of: UInt8(truncatingIfNeeded: value), toByteOffset: 3 * x + c, as: UInt8.self)
        } else {
          out.storeBytes(of: value, toByteOffset: 6 * x + 2 * c, as: UInt16.self)
        }
      }
    }
  }

  /// Reads Y'CbCr units: the luma samples that share a Cb and a Cr, row by row, then these two (TIFF 6.0 section 21).
  private func readYCC(_ library: TIFFLibrary) throws(DecodeError) -> SampleImage {
    guard case .ycc(var chroma, let siting) = kind else { return description }
    // What an old JPEG says of itself is right, whatever the file says of it.
    if page.compression == TIFFCompression.oldJPEG { chroma = try library.chroma() }
    let h = chroma.horizontal, v = chroma.vertical
    var image = SampleImage.planar(
      width: page.width, height: page.height, model: .ycc, format: .uint8, bitDepth: 8, chroma: chroma.kind,
      siting: siting)
    image.chroma = chroma.kind
    let unit = h * v + 2, across = (page.blockWidth + h - 1) / h
    let scratch = PixelBuffer(uninitializedByteCount: across * unit * ((page.blockHeight + v - 1) / v))
    let planes = image.channels
    for block in blocks(plane: 0) {
      let rows = ((page.isTiled ? page.blockHeight : block.rows) + v - 1) / v
      try library.read(block.index, into: scratch.base, count: across * unit * rows)
      for unitY in 0..<(block.rows + v - 1) / v {
        for unitX in 0..<(block.columns + h - 1) / h {
          let from = scratch.base.assumingMemoryBound(to: UInt8.self) + (unitY * across + unitX) * unit
          for dy in 0..<v where unitY * v + dy < block.rows {
            for dx in 0..<h where unitX * h + dx < block.columns {
              let at = (block.y + unitY * v + dy) * planes[0].rowBytes + block.x + unitX * h + dx
              planes[0].buffer.base.storeBytes(of: from[dy * h + dx], toByteOffset: at, as: UInt8.self)
            }
          }
          for c in 1...2 {
            let at = (block.y / v + unitY) * planes[c].rowBytes + block.x / h + unitX
            planes[c].buffer.base.storeBytes(of: from[h * v + c - 1], toByteOffset: at, as: UInt8.self)
          }
        }
      }
    }
    return image
  }
}
