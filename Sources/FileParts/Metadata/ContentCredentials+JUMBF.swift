import HDRCore

/// C2PA manifest stores: JUMBF superboxes (ISO/IEC 19566-5) whose description box has C2PA's type. Other superboxes,
/// as of 360-degree pictures, lie in the same places and are none.
extension ContentCredentials {
  /// The type in the description box: `c2pa` and the end of all such types.
  package static let type: [UInt8] = [
    0x63, 0x32, 0x70, 0x61, 0, 0x11, 0, 0x10, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71,
  ]
  package static let malformed = "c2pa.malformed"

  /// Returns true for bytes that begin as a manifest store does: `jumb` with a size of any form, then `jumd` of C2PA.
  package static func begins(_ bytes: ArraySlice<UInt8>) -> Bool {
    var reader = ByteReader(bytes, place: "JUMBF")
    do throws(DecodeError) {
      let size = try reader.u32()
      guard try reader.code() == "jumb" else { return false }
      if size == 1 { try reader.skip(8) }
      try reader.skip(4)
      guard try reader.code() == "jumd" else { return false }
      return try reader.take(16).elementsEqual(type)
    } catch {
      return false
    }
  }

  /// Takes a store that lies in one piece.
  ///
  /// - Parameters:
  ///   - bytes: the superbox and what follows it; indices are places in the file.
  ///   - warnings: gets `c2pa.malformed` if its size is not that of bytes that are there. The store is then known to be
  ///     there, and has no pieces.
  /// - Returns: `nil` for bytes that are no manifest store.
  package init?(_ bytes: ArraySlice<UInt8>, place: String, warnings: inout [Warning]) {
    guard Self.begins(bytes) else { return nil }
    guard let size = Self.size(bytes), size <= bytes.count else {
      warnings.append(Self.fault(place))
      self.init(place: place, pieces: [], byteCount: bytes.count)
      return
    }
    self.init(place: place, pieces: [FileRange(start: bytes.startIndex, byteCount: size)])
  }

  /// Takes a store of parts of a JPEG: box instance (u16), number of the packet (u32) from 1, then the superbox. Later
  /// packets repeat its header.
  ///
  /// - Parameter parts: the payloads of APP11 segments after `JP`, in file order.
  package init?(segments parts: [ArraySlice<UInt8>], warnings: inout [Warning]) {
    let place = "APP11"
    func word(_ part: ArraySlice<UInt8>, _ at: Int, _ count: Int) -> Int {
      part.dropFirst(at).prefix(count).reduce(0) { $0 << 8 | Int($1) }
    }
    guard let first = parts.first(where: { $0.count > 6 && Self.begins($0.dropFirst(6)) }) else { return nil }
    let instance = word(first, 0, 2)
    let own = parts.filter { $0.count > 6 && word($0, 0, 2) == instance }
    let total = own.reduce(0) { $0 + $1.count - 6 }
    guard let size = Self.size(first.dropFirst(6)) else {
      warnings.append(Self.fault(place))
      self.init(place: place, pieces: [], byteCount: total)
      return
    }
    // Later packets repeat size and type, with a long size if there is one. A size of 0 means all that is there.
    let header = word(first, 6, 4) == 1 ? 16 : 8
    var pieces: [FileRange] = [], isWhole = true
    for (index, part) in own.enumerated() {
      guard word(part, 2, 4) == index + 1, index == 0 || part.count >= 6 + header,
        part.dropFirst(6).prefix(header).elementsEqual(first.dropFirst(6).prefix(header))
      else {
        isWhole = false
        break
      }
      pieces.append(FileRange(part.dropFirst(index == 0 ? 6 : 6 + header).indices))
    }
    let found = pieces.reduce(0) { $0 + $1.byteCount }
    guard isWhole, word(first, 6, 4) == 0 || size == found else {
      warnings.append(Self.fault(place))
      self.init(place: place, pieces: [], byteCount: total)
      return
    }
    self.init(place: place, pieces: pieces)
  }

  /// The size that a superbox states, header included; all bytes for "to the end"; `nil` for less than a header.
  private static func size(_ bytes: ArraySlice<UInt8>) -> Int? {
    func word(_ at: Int, _ count: Int) -> UInt64 {
      bytes.dropFirst(at).prefix(count).reduce(0) { $0 << 8 | UInt64($1) }
    }
    switch word(0, 4) {
    case 0: return bytes.count
    case 1: return word(8, 8) >= 16 ? Int(clamping: word(8, 8)) : nil
    case let size: return size >= 8 ? Int(size) : nil
    }
  }

  private static func fault(_ place: String) -> Warning {
    Warning(malformed, "the C2PA manifest store in \(place) has another size than it says")
  }
}
