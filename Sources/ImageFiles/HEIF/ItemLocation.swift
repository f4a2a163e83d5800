import FileParts
import HDRCore

/// The place of an item's bytes: one entry of `iloc` (ISO/IEC 14496-12 clause 8.11.3), versions 0 to 2.
struct ItemLocation: Sendable {
  struct Extent: Sendable {
    var offset: UInt64
    var length: UInt64
  }

  enum Source: Sendable, Equatable {
    case file
    /// The `idat` box of the same `meta` box.
    case idat
    /// Construction method 2 (another item) or a data reference to another file, which are not read.
    case elsewhere(String)
  }

  var source: Source
  var base: UInt64
  var extents: [Extent]

  static func read(_ box: Box) throws(DecodeError) -> [Int: ItemLocation] {
    var reader = box.reader
    let version = try reader.fullBox().version
    guard version <= 2 else { throw .unsupported(feature: "iloc version", found: "\(version)") }
    let sizes = try reader.u16()
    let offsetSize = sizes >> 12, lengthSize = sizes >> 8 & 15, baseSize = sizes >> 4 & 15
    let indexSize = version > 0 ? sizes & 15 : 0
    guard [offsetSize, lengthSize, baseSize, indexSize].allSatisfy({ [0, 4, 8].contains($0) }) else {
      throw .malformed(where: "iloc box", what: "field sizes other than 0, 4 and 8 bytes")
    }
    let count = try reader.itemID(wide: version > 1)
    guard count <= BoxLimits.items else {
      throw .malformed(where: "iloc box", what: "\(count) items, more than \(BoxLimits.items)")
    }
    var locations: [Int: ItemLocation] = [:]
    for _ in 0..<count {
      let id = try reader.itemID(wide: version > 1)
      let method = version > 0 ? try reader.u16() & 15 : 0
      let reference = try reader.u16()
      var location = ItemLocation(source: .file, base: try reader.unsigned(baseSize), extents: [])
      switch (method, reference) {
      case (0, 0): break
      case (1, _): location.source = .idat
      case (0, _): location.source = .elsewhere("data reference \(reference)")
      default: location.source = .elsewhere("construction method \(method)")
      }
      let extents = try reader.u16()
      guard extents <= BoxLimits.extentsOfItem else {
        throw .malformed(where: "iloc box", what: "\(extents) extents, more than \(BoxLimits.extentsOfItem)")
      }
      for _ in 0..<extents {
        try reader.skip(indexSize)
        location.extents.append(
          Extent(offset: try reader.unsigned(offsetSize), length: try reader.unsigned(lengthSize)))
      }
      guard locations.updateValue(location, forKey: id) == nil else {
        throw .malformed(where: "iloc box", what: "item \(id) is listed twice")
      }
    }
    return locations
  }

  /// True if all extents in the file are inside a file of this size.
  func fits(into size: Int) -> Bool {
    source != .file
      || extents.allSatisfy {
        let (start, wraps) = base.addingReportingOverflow($0.offset)
        let (stop, overflows) = start.addingReportingOverflow($0.length)
        return !wraps && !overflows && stop <= UInt64(size)
      }
  }

  func data(
    file: ArraySlice<UInt8>, idat: ArraySlice<UInt8>, place: String
  ) throws(DecodeError) -> ArraySlice<UInt8> {
    let bytes: ArraySlice<UInt8>
    switch source {
    case .file: bytes = file
    case .idat: bytes = idat
    case .elsewhere(let what): throw .unsupported(feature: "place of item data", found: what)
    }
    guard !extents.isEmpty else { throw .malformed(where: "iloc box", what: "\(place) has no extents") }
    var joined: [UInt8] = []
    for extent in extents {
      let piece = try slice(extent, of: bytes, place: place)
      if extents.count == 1 { return piece }
      // Extents may overlap: without this limit, 32 of them could take a whole large file 32 times.
      guard joined.count + piece.count <= file.count else {
        throw .malformed(where: "iloc box", what: "\(place) is longer than the file")
      }
      joined += piece
    }
    return joined[...]
  }

  private func slice(
    _ extent: Extent, of bytes: ArraySlice<UInt8>, place: String
  ) throws(DecodeError) -> ArraySlice<UInt8> {
    let (start, wraps) = base.addingReportingOverflow(extent.offset)
    let (stop, overflows) = start.addingReportingOverflow(extent.length)
    guard !wraps, !overflows else { throw .malformed(where: "iloc box", what: "\(place): its offset wraps around") }
    let available = UInt64(bytes.count)
    guard start <= available, stop <= available else { throw .truncated(where: place) }
    // Length 0 of the only extent means everything from its offset on.
    let end = extent.length == 0 && extents.count == 1 ? available : stop
    return bytes[(bytes.startIndex + Int(start))..<(bytes.startIndex + Int(end))]
  }
}
