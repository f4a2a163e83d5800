import FileParts
import HDRCore

/// A box of an ISO base media file where it lies: its type and the place of its payload, of which nothing was read.
struct FileBox: Sendable, Hashable {
  var type: FourCC
  var payload: Range<Int>
}

/// The boxes of one level, one after the other (ISO/IEC 14496-12 clause 4.2).
struct FileBoxes<File: RandomAccess> {
  private let file: File
  private var rest: Range<Int>
  private var count = 0

  init(_ file: File, _ range: Range<Int>) { (self.file, rest) = (file, range) }

  /// Returns the next box.
  ///
  /// - Returns: `nil` at the end. Less than a header may follow the last box: QuickTime ends lists with zeros.
  /// - Throws: `.truncated` for a box that is longer than what it lies in, `.malformed` for one that is shorter than its
  ///   header, `.limit` for too many.
  mutating func next() throws(DecodeError) -> FileBox? {
    guard rest.count >= 8 else { return nil }
    count += 1
    guard count <= ContainerLimits.parts else {
      throw .limit(what: "boxes of one level", found: count, allowed: ContainerLimits.parts)
    }
    var reader = ByteReader(try file.read(at: rest.lowerBound, count: min(16, rest.count)), place: "box")
    let short = try reader.u32(), type = try reader.code()
    let long = short == 1 ? try reader.unsigned(8) : UInt64(short)
    let header = short == 1 ? 16 : 8
    guard short != 0 else {
      defer { rest = rest.upperBound..<rest.upperBound }
      return FileBox(type: type, payload: rest.lowerBound + header..<rest.upperBound)
    }
    guard long >= UInt64(header) else {
      throw .malformed(where: "\(type) box", what: "its size is \(long), less than its header")
    }
    guard long <= UInt64(rest.count) else { throw .truncated(where: "\(type) box") }
    let end = rest.lowerBound + Int(long)
    defer { rest = end..<rest.upperBound }
    return FileBox(type: type, payload: rest.lowerBound + header..<end)
  }

  /// Returns the boxes of one level of a file.
  static func all(_ file: File, in box: FileBox) throws(DecodeError) -> [FileBox] {
    var boxes = Self(file, box.payload), found: [FileBox] = []
    while let next = try boxes.next() { found.append(next) }
    return found
  }
}

extension FileBox {
  /// Returns a reader of a payload that must fit into memory.
  func reader(_ file: some RandomAccess, atMost limit: Int = ContainerLimits.descriptionBytes) throws(DecodeError)
    -> ByteReader
  {
    try file.reader(payload, atMost: limit, place: "\(type) box")
  }

  /// Returns a reader of the first bytes of a payload.
  func head(_ file: some RandomAccess, _ count: Int) throws(DecodeError) -> ByteReader {
    guard payload.count >= count else { throw .truncated(where: "\(type) box") }
    return try file.reader(payload.prefix(count), atMost: count, place: "\(type) box")
  }
}

extension [FileBox] {
  func first(_ type: FourCC) -> FileBox? { first { $0.type == type } }

  /// Returns the box of a type that must be there.
  func needed(_ type: FourCC, in place: String) throws(DecodeError) -> FileBox {
    guard let box = first(type) else { throw .malformed(where: place, what: "it has no box \(type)") }
    return box
  }
}
