import CDeflate
import HDRCore

/// A reader of the samples of an `unci` item (ISO/IEC 23001-17).
enum UncompressedPicture {
  /// Returns the name of the item's reader: this program, or the library that decompresses it.
  static func reader(of properties: ItemProperties) -> String {
    properties.compression == nil ? "hdrbatch (uncompressed)" : "libdeflate " + LIBDEFLATE_VERSION_STRING
  }

  /// Reads the samples.
  ///
  /// - Returns: planes as stored, with alpha.
  /// - Throws: `.truncated` for too few bytes; bytes after the last tile are ignored.
  static func decode(
    _ data: ArraySlice<UInt8>, _ layout: UncompressedLayout, _ properties: ItemProperties, place: String
  ) throws(DecodeError) -> SampleImage {
    let count = layout.byteCount
    if let compression = properties.compression {
      // Padding compresses to almost nothing, so its size needs a limit.
      guard count <= 4 * layout.sampleBytes + (1 << 26) else {
        throw .malformed(where: place, what: "\(count) bytes, far more than it has samples")
      }
      let buffer = try compression.expand(data, units: properties.compressedUnits, count: count, place: place)
      return samples(UnsafeRawBufferPointer(start: buffer.base, count: count), layout)
    }
    guard data.count >= count else { throw .truncated(where: place) }
    return data.withUnsafeBytes { samples(UnsafeRawBufferPointer(rebasing: $0.prefix(count)), layout) }
  }

  /// Copies the samples to planes.
  ///
  /// - Parameter bytes: the item, `layout.byteCount` bytes.
  private static func samples(_ bytes: UnsafeRawBufferPointer, _ layout: UncompressedLayout) -> SampleImage {
    let image = layout.format.makeImage(
      width: layout.tileWidth * layout.tileColumns, height: layout.tileHeight * layout.tileRows)
    let planes = image.channels + Array(repeating: nil, count: 3 - image.channels.count) + [image.alpha]
    var tile = 0
    for part in layout.parts {
      for row in 0..<layout.tileRows {
        for column in 0..<layout.tileColumns {
          var at = tile
          func read(_ rows: UncompressedLayout.Rows, _ y: Int) {
            let source = UnsafeRawBufferPointer(rebasing: bytes[at..<at + rows.bytes])
            for (index, bit) in rows.samples {
              let channel = layout.channels[index]
              guard let plane = channel.plane.flatMap({ planes[$0] }) else { continue }
              copy(
                source, bit: bit, stride: rows.bitStride, bits: channel.bits, count: channel.columns,
                isLittleEndian: layout.isLittleEndian, to: plane, x: column * channel.columns,
                y: row * channel.rows + y)
            }
            at += rows.bytes
          }
          if part.alternate {
            for y in 0..<layout.tileHeight { for rows in part.rows { read(rows, y) } }
          } else {
            for rows in part.rows { for y in 0..<rows.count { read(rows, y) } }
          }
          tile += part.tileBytes
        }
      }
    }
    return image
  }

  /// Copies a row of samples of 8 to 16 bits, most significant bit first unless `isLittleEndian`.
  private static func copy(
    _ source: UnsafeRawBufferPointer, bit: Int, stride: Int, bits: Int, count: Int, isLittleEndian: Bool,
    to plane: SamplePlane, x: Int, y: Int
  ) {
    let out = plane.buffer.base + plane.offset + y * plane.rowBytes + x * plane.stepBytes
    let mask = 1 << bits - 1
    if bits == 8, bit % 8 == 0, stride % 8 == 0 {
      for i in 0..<count { out.storeBytes(of: source[(bit + i * stride) >> 3], toByteOffset: i, as: UInt8.self) }
      return
    }
    for i in 0..<count {
      let first = bit + i * stride, at = first >> 3, last = (first + bits - 1) >> 3
      var value = 0
      if isLittleEndian {
        value = Int(source[at]) | (bits > 8 ? Int(source[at + 1]) << 8 : 0)
      } else {
        for index in at...last { value = value << 8 | Int(source[index]) }
        value >>= 7 - (first + bits - 1) & 7
      }
      if plane.stepBytes == 1 {
        out.storeBytes(of: UInt8(truncatingIfNeeded: value & mask), toByteOffset: i, as: UInt8.self)
      } else {
        out.storeBytes(of: UInt16(truncatingIfNeeded: value & mask), toByteOffset: 2 * i, as: UInt16.self)
      }
    }
  }
}
