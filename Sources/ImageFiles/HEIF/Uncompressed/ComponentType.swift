import FileParts
import HDRCore

/// The type of a component of an uncompressed picture (ISO/IEC 23001-17 table 1), as listed in `cmpd`.
package enum ComponentType: Int, Sendable, Hashable {
  case monochrome, luma, cb, cr, red, green, blue, alpha, depth, disparity, palette, filterArray, padding, cyan
  case magenta, yellow, black

  var name: String {
    switch self {
    case .monochrome: "monochrome"
    case .luma: "Y"
    case .cb: "Cb"
    case .cr: "Cr"
    case .filterArray: "filter array"
    default: "\(self)"
    }
  }

  /// Reads the types in `cmpd`, in order; `nil` for numbers that are not in the table.
  static func read(_ reader: inout ByteReader) throws(DecodeError) -> [ComponentType?] {
    let count = try reader.u32()
    guard count <= BoxLimits.components else {
      throw .malformed(where: "cmpd box", what: "\(count) components, more than \(BoxLimits.components)")
    }
    var types: [ComponentType?] = []
    for _ in 0..<count {
      let code = try reader.u16()
      types.append(ComponentType(rawValue: code))
      // User-defined types are named by a URI.
      guard code >= 0x8000 else { continue }
      guard try reader.cString() != nil else { throw .truncated(where: "cmpd box") }
    }
    return types
  }
}
