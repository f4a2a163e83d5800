import HDRCore

/// TIFF files of any layout out of plain values, without a library.
package struct TIFFBuilder {
  package enum Block {
    case strips(rows: Int)
    case tiles(width: Int, height: Int)
  }

  package var width = 0
  package var height = 0
  /// Codes of each pixel, samples side by side, row by row; floats as their bits.
  package var samples: [UInt64] = []
  package var channels = 1
  package var bits = 8
  /// 1 unsigned, 3 float.
  package var sampleFormat = 1
  package var photometric = 1
  package var isLittleEndian = true
  package var isBig = false
  package var isPlanar = false
  package var predictor = 1
  /// Deflate in stored blocks, or nothing.
  package var isDeflate = false
  package var block = Block.strips(rows: 3)
  /// More entries, as tag, type, values.
  package var extra: [(tag: Int, type: Int, values: [UInt64])] = []
  /// Tags that are left out.
  package var without: Set<Int> = []
  /// Pages after this one.
  package var next: [TIFFBuilder] = []
  /// Pages that a SubIFDs entry of this one names.
  package var below: [TIFFBuilder] = []

  package init() {}

  package func number(_ value: UInt64, _ count: Int) -> [UInt8] {
    let least = (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * UInt64($0))) }
    return isLittleEndian ? least : least.reversed()
  }

  private static func bytes(ofType type: Int) -> Int { [1: 1, 2: 1, 3: 2, 4: 4, 5: 4, 7: 1, 16: 8][type] ?? 1 }

  /// Samples of rows of a block as bytes, with the predictor.
  private func coded(_ rows: [[UInt64]], step: Int) -> [UInt8] {
    var out: [UInt8] = []
    for var row in rows {
      if predictor == 2 {
        for x in stride(from: row.count - 1, through: step, by: -1) { row[x] = row[x] &- row[x - step] }
      }
      if predictor == 3 {
        // Most significant byte first, whatever the order of the file.
        var planes = (0..<bits / 8).flatMap { plane in
          row.map { UInt8(truncatingIfNeeded: $0 >> UInt64(bits - 8 - 8 * plane)) }
        }
        for x in stride(from: planes.count - 1, through: step, by: -1) { planes[x] = planes[x] &- planes[x - step] }
        out += planes
      } else if bits % 8 == 0 {
        for value in row { out += number(value, bits / 8) }
      } else {
        var held: UInt64 = 0, count = 0
        for value in row {
          held = held << UInt64(bits) | value & (1 << UInt64(bits) - 1)
          count += bits
          while count >= 8 {
            out.append(UInt8(truncatingIfNeeded: held >> UInt64(count - 8)))
            count -= 8
          }
        }
        if count > 0 { out.append(UInt8(truncatingIfNeeded: held << UInt64(8 - count))) }
      }
    }
    return isDeflate ? Self.zlib(out) : out
  }

  /// A zlib stream of stored blocks.
  package static func zlib(_ bytes: [UInt8]) -> [UInt8] {
    var out: [UInt8] = [0x78, 0x01], at = 0
    repeat {
      let count = min(65_535, bytes.count - at)
      out += [at + count == bytes.count ? 1 : 0, UInt8(count & 255), UInt8(count >> 8), UInt8(~count & 255)]
      out.append(UInt8(~count >> 8 & 255))
      out += bytes[at..<at + count]
      at += count
    } while at < bytes.count
    var a = 1, b = 0
    for byte in bytes { (a, b) = ((a + Int(byte)) % 65_521, (b + a + Int(byte)) % 65_521) }
    return out + [UInt8(b >> 8), UInt8(b & 255), UInt8(a >> 8), UInt8(a & 255)]
  }

  private var blocks: [[UInt8]] {
    let planes = isPlanar ? Array(0..<channels).map { [$0] } : [Array(0..<channels)]
    return planes.flatMap { wanted -> [[UInt8]] in
      func sample(_ x: Int, _ y: Int, _ c: Int) -> UInt64 {
        samples[(min(y, height - 1) * width + min(x, width - 1)) * channels + c]
      }
      func rows(_ xs: Range<Int>, _ ys: Range<Int>) -> [[UInt64]] {
        ys.map { y in xs.flatMap { x in wanted.map { sample(x, y, $0) } } }
      }
      switch block {
      case .strips(let count):
        return stride(from: 0, to: height, by: count).map {
          coded(rows(0..<width, $0..<min($0 + count, height)), step: wanted.count)
        }
      case .tiles(let w, let h):
        return stride(from: 0, to: height, by: h).flatMap { y in
          stride(from: 0, to: width, by: w).map { x in coded(rows(x..<x + w, y..<y + h), step: wanted.count) }
        }
      }
    }
  }

  package var bytes: [UInt8] {
    var file: [UInt8] = (isLittleEndian ? [0x49, 0x49] : [0x4D, 0x4D]) + number(isBig ? 43 : 42, 2)
    if isBig { file += number(8, 2) + number(0, 2) }
    var link = file.count
    file += number(0, isBig ? 8 : 4)
    for page in [self] + next { page.write(into: &file, link: &link) }
    return file
  }

  /// Adds blocks, long values and the directory, and links it from `link`.
  ///
  /// - Returns: where the directory lies.
  @discardableResult
  private func write(into file: inout [UInt8], link: inout Int) -> Int {
    let field = isBig ? 8 : 4
    var places: [UInt64] = [], sizes: [UInt64] = []
    for data in blocks {
      places.append(UInt64(file.count))
      sizes.append(UInt64(data.count))
      file += data + (data.count & 1 == 1 ? [0] : [])
    }
    var entries: [(tag: Int, type: Int, values: [UInt64])] = [
      (256, 4, [UInt64(width)]), (257, 4, [UInt64(height)]),
      (258, 3, Array(repeating: UInt64(bits), count: channels)), (259, 3, [isDeflate ? 8 : 1]),
      (262, 3, [UInt64(photometric)]), (277, 3, [UInt64(channels)]), (284, 3, [isPlanar ? 2 : 1]),
      (339, 3, Array(repeating: UInt64(sampleFormat), count: channels)),
    ]
    // libtiff does not know it beside samples that are not compressed.
    if predictor != 1 { entries.append((317, 3, [UInt64(predictor)])) }
    switch block {
    case .strips(let rows): entries += [(273, 4, places), (278, 4, [UInt64(rows)]), (279, 4, sizes)]
    case .tiles(let w, let h):
      entries += [(322, 3, [UInt64(w)]), (323, 3, [UInt64(h)]), (324, 4, places), (325, 4, sizes)]
    }
    if !below.isEmpty {
      let positions = below.map { page -> UInt64 in
        var link = file.count
        file += number(0, field)
        return UInt64(page.write(into: &file, link: &link))
      }
      entries.append((330, 4, positions))
    }
    entries.removeAll { entry in extra.contains { $0.tag == entry.tag } }
    entries += extra
    entries.removeAll { without.contains($0.tag) }
    var table: [UInt8] = []
    for entry in entries.sorted(by: { $0.tag < $1.tag }) {
      let size = Self.bytes(ofType: entry.type), value = entry.values.flatMap { number($0, size) }
      let count = entry.type == 5 ? entry.values.count / 2 : entry.values.count
      table += number(UInt64(entry.tag), 2) + number(UInt64(entry.type), 2) + number(UInt64(count), field)
      if value.count <= field {
        table += value + Array(repeating: 0, count: field - value.count)
      } else {
        table += number(UInt64(file.count), field)
        file += value + (value.count & 1 == 1 ? [0] : [])
      }
    }
    let position = file.count
    file.replaceSubrange(link..<link + field, with: number(UInt64(position), field))
    file += number(UInt64(entries.count), isBig ? 8 : 2) + table
    link = file.count
    file += number(0, field)
    return position
  }
}
