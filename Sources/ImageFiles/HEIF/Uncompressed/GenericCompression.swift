import FileParts
import CDeflate
import HDRCore

/// The compression of an item's bytes: `cmpC`, and the parts that `icef` lists (ISO/IEC 23001-17 clause 8.1).
package struct GenericCompression: Sendable {
  package enum Method: Sendable {
    /// RFC 1951.
    case deflate
    /// RFC 1950.
    case zlib
  }

  package let method: Method

  init(_ reader: inout ByteReader) throws(DecodeError) {
    let version = try reader.fullBox().version
    guard version == 0 else { throw .unsupported(feature: "cmpC version", found: "\(version)") }
    let type = try reader.code()
    switch type {
    case "defl": method = .deflate
    case "zlib": method = .zlib
    case "brot": throw .unsupported(feature: "generic compression", found: "Brotli")
    default: throw .unsupported(feature: "generic compression", found: "\(type)")
    }
    // The kind of unit (item, tile, row, pixel) only matters to readers of single units: together they are the item.
    try reader.skip(1)
  }

  /// Reads the places of compressed units in an item, in order.
  static func units(_ reader: inout ByteReader) throws(DecodeError) -> [Range<UInt64>] {
    let version = try reader.fullBox().version
    guard version == 0 else { throw .unsupported(feature: "icef version", found: "\(version)") }
    let codes = Int(try reader.u8())
    let offsetSizes = [0, 2, 3, 4, 8], lengthSizes = [1, 2, 3, 4, 8]
    guard offsetSizes.indices.contains(codes >> 5), lengthSizes.indices.contains(codes >> 2 & 7) else {
      throw .malformed(where: "icef box", what: "a size of fields that does not exist")
    }
    let offsetSize = offsetSizes[codes >> 5], lengthSize = lengthSizes[codes >> 2 & 7]
    let count = try reader.u32()
    guard count <= reader.remaining / (offsetSize + lengthSize) else { throw .truncated(where: "icef box") }
    guard count <= BoxLimits.compressedUnits else {
      throw .malformed(where: "icef box", what: "\(count) units, more than \(BoxLimits.compressedUnits)")
    }
    var result: [Range<UInt64>] = [], next: UInt64 = 0
    for _ in 0..<count {
      let start = offsetSize == 0 ? next : try reader.unsigned(offsetSize)
      let (end, wraps) = start.addingReportingOverflow(try reader.unsigned(lengthSize))
      guard !wraps else { throw .malformed(where: "icef box", what: "the offset of a unit wraps around") }
      result.append(start..<end)
      next = end
    }
    return result
  }

  /// Decompresses an item.
  ///
  /// - Parameters:
  ///   - units: the places in `icef`; `nil`: the item is one unit.
  ///   - count: the exact size of the result.
  /// - Throws: `.truncated` for a smaller result, `.malformed` for a larger one, `.library` for invalid compressed
  ///   data.
  func expand(
    _ data: ArraySlice<UInt8>, units: [Range<UInt64>]?, count: Int, place: String
  ) throws(DecodeError) -> PixelBuffer {
    // Deflate makes at most 1032 bytes of one, so a small file with a false size is refused before memory is allocated.
    guard count / 1032 <= data.count else { throw .truncated(where: place) }
    let units = units ?? [0..<UInt64(data.count)]
    // Units may overlap; a valid item is not smaller than their sum.
    var total: UInt64 = 0
    for unit in units {
      guard unit.upperBound <= UInt64(data.count) else { throw .truncated(where: place) }
      total += unit.upperBound - unit.lowerBound
      guard total <= UInt64(data.count) else {
        throw .malformed(where: "icef box", what: "its units hold more than the item")
      }
    }
    guard let decompressor = libdeflate_alloc_decompressor() else {
      throw .library(name: "libdeflate", code: 0, message: "no memory for the decompressor")
    }
    defer { libdeflate_free_decompressor(decompressor) }
    let result = PixelBuffer(uninitializedByteCount: count)
    var filled = 0
    for unit in units {
      let part = data[(data.startIndex + Int(unit.lowerBound))..<(data.startIndex + Int(unit.upperBound))]
      var made = 0
      let status = part.withUnsafeBytes { source in
        switch method {
        case .deflate:
          libdeflate_deflate_decompress(
            decompressor, source.baseAddress, source.count, result.base + filled, count - filled, &made)
        case .zlib:
          libdeflate_zlib_decompress(
            decompressor, source.baseAddress, source.count, result.base + filled, count - filled, &made)
        }
      }
      switch status {
      case LIBDEFLATE_SUCCESS: filled += made
      case LIBDEFLATE_INSUFFICIENT_SPACE:
        throw .malformed(where: place, what: "it holds more than the \(count) bytes of its picture")
      default: throw .library(name: "libdeflate", code: Int(status.rawValue), message: "the data are damaged")
      }
    }
    guard filled == count else { throw .truncated(where: place) }
    return result
  }
}
