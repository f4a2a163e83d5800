import COpenEXR
import FileParts
import HDRCore

/// A reader of deep pictures, whose pixels have any number of samples, each at its own depth. It flattens them: samples
/// lie over each other in the order of their depths, Z, then ZBack; colour is premultiplied by alpha. A sample of a
/// volume counts as if all of it lay at its front. Of channels that are no colour, the nearest sample is taken.
///
/// Source: OpenEXR, "Interpreting OpenEXR Deep Pixels".
struct EXRDeepSamples {
  let file: EXRFile
  let picture: EXRPictures.Picture

  private var header: EXRHeader { file.parts[picture.part] }

  /// Flattens the pixels of `seen` into the result.
  func read(_ seen: EXRHeader.Window, threads: Int, into target: EXRSamples.Target) throws(DecodeError) {
    if case .lumaChroma = picture.color {
      throw .unsupported(feature: "deep OpenEXR", found: "luminance with chroma")
    }
    let chunks = try file.deepChunks(of: picture.part, in: seen)
    let maxBytes = chunks.reduce(0) { max($0, $1.countBytes, $1.sampleBytes) }
    try file.decode(chunks.count, of: picture.part, maxBytes: maxBytes, threads: threads) {
      (index, bytes, unpacker) throws(DecodeError) in
      try flatten(chunks[index], bytes, unpacker, seen, into: target)
    }
  }

  private func flatten(
    _ chunk: EXRFile.DeepChunk, _ bytes: UnsafeRawBufferPointer, _ unpacker: EXRUnpacker, _ seen: EXRHeader.Window,
    into target: EXRSamples.Target
  ) throws(DecodeError) {
    let window = chunk.window, row = window.minY
    func data(_ place: Range<Int>) -> UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: bytes[place]) }
    // Numbers of a whole tile, as some writers store them, are not compressed.
    let counts = data(chunk.counts), isLonger = counts.count > chunk.countBytes
    let ends = try numbers(
      try unpacker.unpack(
        isLonger ? UnsafeRawBufferPointer(rebasing: counts[..<chunk.countBytes]) : counts, byteCount: chunk.countBytes,
        row: row), chunk)
    guard chunk.sampleBytes > 0 else { return }
    var place = try unpacker.unpack(data(chunk.samples), byteCount: chunk.sampleBytes, row: row)
    for (line, y) in (window.minY...window.maxY).enumerated() {
      let ends = ends[line * window.width..<(line + 1) * window.width], total = ends.last ?? 0
      if y >= seen.minY, y <= seen.maxY {
        let pixels = DeepRow(place, total, header, picture)
        target.count(madeFinite: pixels.madeFinite)
        var first = 0
        for (x, end) in zip(window.minX..., ends) {
          if x >= seen.minX, x <= seen.maxX, end > first {
            pixels.flatten(first..<end) { plane, value in target.floats(plane, x, y).pointee = value }
          }
          first = end
        }
        if picture.alpha != nil, let part = window.intersection(seen) {
          target.finish(y, x: part.minX, count: part.width)
        }
      }
      place += total * header.sampleBytes
    }
  }

  /// Returns the number of samples up to each pixel of its row, whose samples take the stated bytes.
  private func numbers(_ bytes: UnsafePointer<UInt8>, _ chunk: EXRFile.DeepChunk) throws(DecodeError) -> [Int] {
    func fault() -> DecodeError {
      .malformed(where: "OpenEXR chunk at row \(chunk.window.minY)", what: "its samples are not as many as it says")
    }
    let words = UnsafeRawPointer(bytes), width = chunk.window.width
    var ends: [Int] = [], total = 0
    ends.reserveCapacity(chunk.countBytes / 4)
    for index in 0..<chunk.countBytes / 4 {
      let end = Int(Int32(littleEndian: words.loadUnaligned(fromByteOffset: 4 * index, as: Int32.self)))
      let before = index % width == 0 ? 0 : ends[index - 1]
      guard end >= before else { throw fault() }
      ends.append(end)
      if index % width == width - 1 { total += end }
    }
    guard total * header.sampleBytes == chunk.sampleBytes else { throw fault() }
    return ends
  }
}

extension EXRHeader {
  /// The bytes of one sample of all channels.
  fileprivate var sampleBytes: Int { channels.reduce(0) { $0 + $1.type.bytes } }
}

/// The samples of a row as binary32, channel by channel.
private struct DeepRow {
  private var colors: [[Float]?]
  private var alpha: [Float]?
  private var front: [Float]?
  private var back: [Float]?
  private let isData: Bool
  /// The samples of colours and alpha that were NaN or infinite.
  let madeFinite: Int

  init(_ bytes: UnsafePointer<UInt8>, _ count: Int, _ header: EXRHeader, _ picture: EXRPictures.Picture) {
    var offsets: [Int] = [], offset = 0
    for channel in header.channels {
      offsets.append(offset)
      offset += count * channel.type.bytes
    }
    var found = 0
    func samples(_ channel: Int) -> [Float] {
      [Float](unsafeUninitializedCapacity: count) { values, made in
        let type = header.channels[channel].type
        if let place = values.baseAddress {
          found += hdr_exr_floats(bytes + offsets[channel], Int32(type.rawValue), count, place)
        }
        made = count
      }
    }
    func named(_ name: String) -> [Float]? {
      let prefix = picture.layer.isEmpty ? "" : picture.layer + "."
      let names = header.channels.map(\.name)
      return (names.firstIndex(of: prefix + name) ?? names.firstIndex(of: name)).map(samples)
    }
    let planes = picture.alpha == nil ? picture.planes : picture.planes.dropLast()
    colors = planes.map { $0.map(samples) }
    alpha = picture.alpha.map(samples)
    madeFinite = found
    (front, back, isData) = (named("Z"), named("ZBack"), picture.isData)
  }

  /// Calls `store` with the number and the value of each plane of a pixel.
  func flatten(_ samples: Range<Int>, store: (Int, Float) -> Void) {
    let order = order(samples)
    if isData {
      if let nearest = order.first, let values = colors[0] { store(0, values[nearest]) }
      return
    }
    var sums = [Float](repeating: 0, count: colors.count), through: Float = 1
    for sample in order where through > 0 {
      for plane in colors.indices { sums[plane] += through * (colors[plane]?[sample] ?? 0) }
      // Without alpha samples are opaque.
      through *= 1 - (alpha.map { min(max($0[sample], 0), 1) } ?? 1)
    }
    for plane in sums.indices { store(plane, min(max(sums[plane], -0x1p20), 0x1p20)) }
    if alpha != nil { store(colors.count, 1 - through) }
  }

  private func order(_ samples: Range<Int>) -> [Int] {
    let all = Array(samples)
    guard let front, all.count > 1 else { return all }
    func isNearer(_ a: Int, _ b: Int) -> Bool {
      if front[a] != front[b] { return front[a] < front[b] }
      if let back, back[a] != back[b] { return back[a] < back[b] }
      return a < b
    }
    return zip(all, all.dropFirst()).allSatisfy(isNearer) ? all : all.sorted(by: isNearer)
  }
}
