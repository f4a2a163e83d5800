import FileParts
import COpenEXR
import HDRCore
import Synchronization

/// A reader of the samples of one picture of an OpenEXR file.
struct EXRSamples {
  let file: EXRFile
  let picture: EXRPictures.Picture
  /// The pixels of the result, in the file's coordinates.
  let window: EXRHeader.Window
  var emission = EXRReading.Emission.automatic

  private var header: EXRHeader { file.parts[picture.part] }

  private var isLumaChroma: Bool { if case .lumaChroma = picture.color { true } else { false } }

  /// True if the result is halves: all channels are, none is luminance with chroma, and nothing is flattened.
  private var isHalf: Bool {
    !isLumaChroma && !header.kind.isDeep && picture.channels.allSatisfy { header.channels[$0].type == .half }
  }

  private var isGrey: Bool { if case .grey = picture.color { true } else { false } }

  /// The result without pixels.
  var description: SampleImage {
    SampleImage(
      width: window.width, height: window.height, model: isGrey ? .grey : .rgb, format: isHalf ? .float16 : .float32,
      bitDepth: isHalf ? 16 : 32, chroma: isGrey ? .none : .s444, channels: [], alphaIsPremultiplied: true)
  }

  /// Reads the chunks with pixels of the window. Outside the data window all samples are 0.
  func read(threads: Int, _ warnings: inout [Warning]) throws(DecodeError) -> SampleImage {
    let seen = window.intersection(header.dataWindow)
    let isDeep = header.kind.isDeep
    let chroma =
      if isLumaChroma, !isDeep {
        try EXRLumaChroma(header, picture.channels)
      } else {
        nil as EXRLumaChroma?
      }
    let chunks = try (isDeep ? nil : seen).map { seen throws(DecodeError) in
      // Interpolated chroma needs the rows above and below, so all chunks are read.
      try file.chunks(of: picture.part, in: chroma == nil ? seen : header.dataWindow)
    }
    let target = Target(
      description, colors: isGrey ? 1 : 3, hasAlpha: picture.alpha != nil,
      isCovered: seen == window && picture.missing.isEmpty && !isDeep, at: window, emission: emission)
    guard let seen else { return target.image }
    if isDeep {
      try EXRDeepSamples(file: file, picture: picture).read(seen, threads: threads, into: target)
    } else if let chunks, let chroma {
      try file.forEach(chunks, of: picture.part, threads: threads) { target.count(madeFinite: chroma.take($0, $1)) }
      for y in seen.minY...seen.maxY {
        chroma.store(y, x: seen.minX, count: seen.width, into: target)
        if picture.alpha != nil { target.finish(y, x: seen.minX, count: seen.width) }
      }
    } else if let chunks {
      try file.forEach(chunks, of: picture.part, threads: threads) { chunk, bytes in
        take(chunk, bytes, of: seen, into: target)
      }
    }
    var image = target.image
    image.madeFinite = target.madeFinite
    guard target.endsWithoutCoverage() else { return image }
    warnings.append(
      Warning(
        "exr.alpha-zero",
        "alpha is 0 everywhere: the picture is shown without it (\(setting: "exr-emission") drop makes it black)"))
    image.alpha = nil
    return image
  }

  /// Copies the samples of a chunk to their places in the result.
  private func take(
    _ chunk: EXRFile.Chunk, _ bytes: UnsafePointer<UInt8>, of seen: EXRHeader.Window, into target: Target
  ) {
    guard let part = chunk.window.intersection(seen) else { return }
    let channels = picture.channels, types = channels.map { header.channels[$0].type }
    // Planes without a channel stay 0.
    let planes = picture.planes.indices.filter { picture.planes[$0] != nil }, count = picture.planes.count
    let skipped = part.minX - chunk.window.minX, hasAlpha = picture.alpha != nil
    EXRRows(header.channels, chunk.window).forEachRow(of: channels) { y, offsets in
      guard y >= part.minY, y <= part.maxY else { return }
      func first(_ index: Int) -> UnsafePointer<UInt8> { bytes + offsets[index] + skipped * types[index].bytes }
      if target.image.format == .float16 {
        let out = target.halves(part.minX, y)
        if channels.count == 4 {
          hdr_exr_rgba(first(0), first(1), first(2), first(3), part.width, out)
        } else {
          for index in channels.indices {
            hdr_exr_halves(first(index), part.width, out + 2 * planes[index], 2 * count)
          }
        }
      } else {
        for index in channels.indices {
          let out = target.floats(planes[index], part.minX, y)
          target.count(madeFinite: hdr_exr_floats(first(index), Int32(types[index].rawValue), part.width, out))
        }
      }
      if hasAlpha { target.finish(y, x: part.minX, count: part.width) }
    }
  }

  /// The memory of the result: interleaved halves, or planes of binary32. Threads write different rows or columns.
  final class Target: @unchecked Sendable {
    let image: SampleImage
    private let buffer: PixelBuffer
    private let window: EXRHeader.Window
    private let planes: Int
    private let hasAlpha: Bool
    private let emission: EXRReading.Emission
    /// True once an alpha above 0 is found.
    private let hasCoverage = Atomic<Bool>(false)
    private let found = Atomic<Int>(0)
    /// The rows of pixels without coverage that came before any pixel with coverage.
    private let waiting = Mutex<[Row]>([])

    private struct Row {
      var y: Int
      var x: Int
      var count: Int
    }

    init(
      _ description: SampleImage, colors: Int, hasAlpha: Bool, isCovered: Bool, at window: EXRHeader.Window,
      emission: EXRReading.Emission
    ) {
      self.window = window
      self.hasAlpha = hasAlpha
      self.emission = emission
      planes = colors + (hasAlpha ? 1 : 0)
      let width = window.width, height = window.height, bytes = description.format.bytes
      let size = width * height * planes * bytes
      let buffer = isCovered ? PixelBuffer(uninitializedByteCount: size) : PixelBuffer(byteCount: size)
      let isHalf = description.format == .float16, step = isHalf ? bytes * planes : bytes
      let all = (0..<planes).map {
        SamplePlane(
          buffer: buffer, offset: $0 * (isHalf ? bytes : width * height * bytes), rowBytes: width * step,
          stepBytes: step, width: width, height: height)
      }
      var image = description
      image.channels = Array(all[..<colors])
      image.alpha = hasAlpha ? all[colors] : nil
      self.image = image
      self.buffer = buffer
    }

    /// The samples that were NaN or infinite before they were made finite; halves are left as they are.
    var madeFinite: Int { found.load(ordering: .relaxed) }

    func count(madeFinite: Int) {
      if madeFinite > 0 { found.wrappingAdd(madeFinite, ordering: .relaxed) }
    }

    func halves(_ x: Int, _ y: Int) -> UnsafeMutablePointer<UInt8> {
      let pixel = (y - window.minY) * window.width + x - window.minX
      return (buffer.base + 2 * planes * pixel).assumingMemoryBound(to: UInt8.self)
    }

    func floats(_ plane: Int, _ x: Int, _ y: Int) -> UnsafeMutablePointer<Float> {
      let pixel = (plane * window.height + y - window.minY) * window.width + x - window.minX
      return (buffer.base + 4 * pixel).assumingMemoryBound(to: Float.self)
    }

    /// Completes a row's pixels: limits alpha to 0...1, and clears colour where alpha is 0, as `emission` demands.
    func finish(_ y: Int, x: Int, count: Int) {
      let row = Row(y: y, x: x, count: count)
      if image.format == .float32 { hdr_exr_limit_alpha(floats(planes - 1, x, y), count) }
      switch emission {
      case .keep: return
      case .drop: clear(row)
      case .automatic:
        guard hasCoverage.load(ordering: .relaxed) || isCovered(row) else {
          return waiting.withLock { $0.append(row) }
        }
        hasCoverage.store(true, ordering: .relaxed)
        clear(row)
      }
    }

    /// Ends the picture: returns true if it has colour but no coverage, else clears the rows that waited.
    func endsWithoutCoverage() -> Bool {
      let rows = waiting.withLock { $0 }
      if rows.isEmpty { return false }
      if !hasCoverage.load(ordering: .relaxed), hasColor { return true }
      for row in rows { clear(row) }
      return false
    }

    private func clear(_ row: Row) {
      if image.format == .float16 {
        return hdr_exr_clear_halves(words(row.x, row.y), row.count, planes)
      }
      let alpha = floats(planes - 1, row.x, row.y)
      for plane in 0..<planes - 1 { hdr_exr_clear_floats(floats(plane, row.x, row.y), alpha, row.count) }
    }

    private func words(_ x: Int, _ y: Int) -> UnsafeMutablePointer<UInt16> {
      UnsafeMutableRawPointer(halves(x, y)).assumingMemoryBound(to: UInt16.self)
    }

    /// True if any alpha of the row is a number above 0.
    private func isCovered(_ row: Row) -> Bool {
      if image.format == .float16 {
        let words = words(row.x, row.y)
        return (0..<row.count).contains { 1...0x7C00 ~= words[$0 * planes + planes - 1] }
      }
      let alpha = floats(planes - 1, row.x, row.y)
      return (0..<row.count).contains { alpha[$0] > 0 }
    }

    /// True if any colour sample is a number other than 0. NaN is none: it is left in halves, and `hdr_exr_floats` makes
    /// it 0 in binary32.
    private var hasColor: Bool {
      let count = window.width * window.height
      if image.format == .float16 {
        let words = words(window.minX, window.minY)
        return (0..<count * planes).contains { $0 % planes != planes - 1 && 1...0x7C00 ~= words[$0] & 0x7FFF }
      }
      let values = floats(0, window.minX, window.minY)
      return (0..<count * (planes - 1)).contains { values[$0] != 0 }
    }
  }
}
