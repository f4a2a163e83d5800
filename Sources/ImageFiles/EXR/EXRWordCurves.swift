import FileParts
import HDRCore

/// The rules by which components of OpenEXR's code streams hold halves: the words of a half as signed integers, in LJ2K
/// after a curve, which is a table in the head of the code stream (NLT).
///
/// OpenJPEG leaves both to its caller. Source: ISO/IEC 15444-2 (NLT); OpenEXR 3.5.3's files, of which each word was compared.
package struct EXRWordCurves {
  private enum Marker {
    static let curve = 0xFF76, tilePart = 0xFF90
  }
  /// The kinds of NLT: the complement of negative words alone, and after a table.
  private static let complement = 3, table = 4

  /// The table of each component; empty: none.
  private var tables: [[Int]]

  /// The rule of components without a table.
  package init(components: Int) { tables = Array(repeating: [], count: components) }

  /// Reads the tables in the head of a code stream.
  package init(_ stream: ArraySlice<UInt8>, components: Int, place: String) throws(DecodeError) {
    self.init(components: components)
    var reader = ByteReader(stream.dropFirst(2), place: place), marker = try reader.u16()
    while marker != Marker.tilePart {
      let length = try reader.u16()
      guard marker >= 0xFF30, length >= 2 else {
        throw .malformed(where: place, what: "a segment \(marker) of \(length) bytes")
      }
      var segment = ByteReader(try reader.take(length - 2), place: place)
      if marker == Marker.curve { try read(&segment, place) }
      marker = try reader.u16()
    }
  }

  /// Reads a segment: component, depth, kind; of a table the number of its intervals, its range, its depth and values.
  private mutating func read(_ segment: inout ByteReader, _ place: String) throws(DecodeError) {
    let component = try segment.u16(), depth = try segment.u8(), kind = Int(try segment.u8())
    guard tables.indices.contains(component), depth == 0x8F else {
      throw .malformed(where: place, what: "a curve of component \(component)")
    }
    guard kind != Self.complement else { return }
    guard kind == Self.table else { throw .unsupported(feature: "OpenEXR LJ2K", found: "curve \(kind)") }
    let intervals = try segment.u16(), low = try segment.u32(), high = try segment.u32(), bits = try segment.u8()
    guard intervals > 0, low == 0, high == 0xFFFF_FFFF, bits == 16 else {
      throw .unsupported(feature: "OpenEXR LJ2K", found: "a curve of another range")
    }
    var values: [Int] = []
    for _ in 0...intervals { values.append(try segment.u16()) }
    tables[component] = values
  }

  /// Returns the half of a sample, as its word.
  package func word(_ sample: Int32, of component: Int) -> UInt16 {
    var value = Int(max(-32_768, min(32_767, sample)))
    let table = tables[component]
    if !table.isEmpty {
      let place = (value + 32_768) * (table.count - 1), index = place >> 16, part = place & 0xFFFF
      value = ((table[index] * (65_536 - part) + table[index + 1] * part + 32_768) >> 16) - 32_768
    }
    return UInt16(truncatingIfNeeded: value < 0 ? -32_769 - value : value)
  }
}
