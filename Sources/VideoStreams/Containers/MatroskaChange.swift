import CDeflate
import FileParts
import HDRCore

/// Additions to the description of the first track of pictures in Matroska and WebM. They take their room from the empty element
/// that FFmpeg leaves between the index of parts and the description, so that nothing behind the description moves (RFC 9559).
package enum MatroskaChange {
  private enum ID {
    static let checksum = 0xBF, void = 0xEC
    static let seekHead = 0x114D_9B74, seek = 0x4DBB, seekPosition = 0x53AC
    static let tracks = 0x1654_AE6B, trackEntry = 0xAE, trackType = 0x83, video = 0xE0, cluster = 0x1F43_B675
    static let width = 0xB0, height = 0xBA
    static let cropBottom = 0x54AA, cropTop = 0x54BB, cropLeft = 0x54CC, cropRight = 0x54DD
    static let displayWidth = 0x54B0, displayHeight = 0x54BA, displayUnit = 0x54B2
    static let projection = 0x7670, yaw = 0x7673, roll = 0x7675
  }

  private static let place = "Matroska description"

  /// An element of a description: its number, and its content.
  private typealias Element = (id: Int, content: [UInt8])

  /// Makes the change that states a turn and a shown part, in the place of those that are there.
  ///
  /// - Parameter crop: `nil` leaves the one that is there.
  /// - Throws: `DecodeError` for a file whose description has no room before it, or no track of pictures.
  package static func change(
    _ file: some RandomAccess, orientation: Orientation, crop: PixelRect?
  ) throws(DecodeError) -> MovieBoxes.Change {
    let header = try EBML.element(file, at: 0, end: file.byteCount, place: place)
    let segment = try EBML.element(file, at: header.content.upperBound, end: file.byteCount, place: place)
    let start = segment.content.lowerBound
    var offset = start, void: Range<Int>?, tracks: Range<Int>?
    for _ in 0..<ContainerLimits.parts where tracks == nil && offset < segment.content.upperBound {
      let element = try EBML.element(file, at: offset, end: segment.content.upperBound, place: place)
      if element.id == ID.cluster || element.isOpen { break }
      if element.id == ID.void { void = offset..<element.content.upperBound }
      if element.id == ID.tracks { tracks = offset..<element.content.upperBound }
      offset = element.content.upperBound
    }
    guard let tracks, let void else { throw .malformed(where: place, what: "there is no room before it") }
    var reader = try file.reader(start..<tracks.upperBound, atMost: ContainerLimits.trackListBytes, place: place)
    let bytes = try reader.take(reader.remaining)
    func part(_ range: Range<Int>) -> ArraySlice<UInt8> {
      bytes[bytes.startIndex + range.lowerBound - start..<bytes.startIndex + range.upperBound - start]
    }
    guard let list = try elements(part(tracks)).first else { throw .truncated(where: place) }
    let described = written(ID.tracks, try described(list.content, orientation, crop))
    let growth = described.count - tracks.count
    // Elements between the empty one and the description move with its beginning.
    let moved = void.upperBound - start...tracks.lowerBound - start
    var before: [UInt8] = []
    for element in try elements(part(start..<void.lowerBound)) {
      before += written(
        element.id, element.id == ID.seekHead ? try pointed(element.content, moved, by: growth) : element.content)
    }
    guard let empty = emptied(void.upperBound - start - before.count - growth) else {
      throw .malformed(where: place, what: "there is no room for \(growth) bytes more")
    }
    return MovieBoxes.Change(
      offset: start, bytes: before + empty + part(void.upperBound..<tracks.lowerBound) + described)
  }

  // MARK: The description

  private static func described(
    _ tracks: [UInt8], _ orientation: Orientation, _ crop: PixelRect?
  ) throws(DecodeError) -> [UInt8] {
    var tracks = try elements(tracks[...])
    for index in tracks.indices where tracks[index].id == ID.trackEntry {
      var entry = try elements(tracks[index].content[...])
      guard try number(ID.trackType, entry) == 1, let video = entry.firstIndex(where: { $0.id == ID.video }) else {
        continue
      }
      entry[video].content = try pictures(entry[video].content, orientation, crop)
      tracks[index].content = joined(entry)
      return joined(tracks)
    }
    throw .malformed(where: place, what: "it has no track of pictures")
  }

  private static func pictures(
    _ content: [UInt8], _ orientation: Orientation, _ crop: PixelRect?
  ) throws(DecodeError) -> [UInt8] {
    var video = try elements(content[...])
    guard let width = try number(ID.width, video), let height = try number(ID.height, video) else {
      throw .malformed(where: place, what: "pictures have no size")
    }
    func set(_ id: Int, _ value: Int) {
      video.removeAll { $0.id == id }
      if value > 0 { video.append((id, least(value))) }
    }
    if let crop {
      let right = width - crop.x - crop.width, bottom = height - crop.y - crop.height
      guard crop.x >= 0, crop.y >= 0, right >= 0, bottom >= 0, max(width, height) <= 1 << 16 else {
        throw .malformed(where: place, what: "the shown part is not within the pictures")
      }
      set(ID.cropLeft, crop.x)
      set(ID.cropTop, crop.y)
      set(ID.cropRight, right)
      set(ID.cropBottom, bottom)
      let unit = try number(ID.displayUnit, video) ?? 0
      if unit < 4, let shown = try number(ID.displayWidth, video), let high = try number(ID.displayHeight, video),
        (1...1 << 30).contains(shown), (1...1 << 30).contains(high)
      {
        // The size at which pictures are shown is that of the part: a ratio says it exactly.
        let (a, b) = (Int128(shown * crop.width) * Int128(height), Int128(high * crop.height) * Int128(width))
        var (divisor, rest) = (a, b)
        while rest != 0 { (divisor, rest) = (rest, divisor % rest) }
        set(ID.displayWidth, Int(clamping: a / divisor))
        set(ID.displayHeight, Int(clamping: b / divisor))
        set(ID.displayUnit, 3)
      }
    }
    video.removeAll { $0.id == ID.projection }
    if let pose = orientation.pose {
      var angles = written(ID.roll, float(pose.roll))
      if pose.yaw != 0 { angles = written(ID.yaw, float(pose.yaw)) + angles }
      video.append((ID.projection, angles))
    }
    return joined(video)
  }

  /// Moves the places in an index of parts that lie in a range.
  private static func pointed(
    _ index: [UInt8], _ moved: ClosedRange<Int>, by growth: Int
  ) throws(DecodeError) -> [UInt8] {
    var index = try elements(index[...])
    for entry in index.indices where index[entry].id == ID.seek {
      var seek = try elements(index[entry].content[...])
      for field in seek.indices where seek[field].id == ID.seekPosition {
        let count = seek[field].content.count
        guard let place = try number(ID.seekPosition, seek), moved.contains(place) else { continue }
        var sink = ByteSink()
        sink.integer(place - growth, bytes: count)
        seek[field].content = sink.bytes
      }
      index[entry].content = joined(seek)
    }
    return joined(index)
  }

  // MARK: Elements

  private static func elements(_ bytes: ArraySlice<UInt8>) throws(DecodeError) -> [Element] {
    var reader = ByteReader(bytes, place: place), found: [Element] = []
    while !reader.isAtEnd {
      let (id, content) = try reader.ebmlElement()
      found.append((id, Array(content.bytes)))
    }
    return found
  }

  private static func number(_ id: Int, _ elements: [Element]) throws(DecodeError) -> Int? {
    guard let found = elements.first(where: { $0.id == id }) else { return nil }
    return try ByteReader(found.content, place: place).ebmlUnsigned
  }

  /// Writes elements behind each other, with a new checksum where there is one (RFC 8794 clause 11.3.1).
  private static func joined(_ elements: [Element]) -> [UInt8] {
    guard elements.first?.id == ID.checksum else { return elements.flatMap { written($0.id, $0.content) } }
    let rest = elements.dropFirst().flatMap { written($0.id, $0.content) }
    let sum = rest.withUnsafeBytes { libdeflate_crc32(0, $0.baseAddress, $0.count) }
    return written(ID.checksum, (0..<4).map { UInt8(truncatingIfNeeded: sum >> (8 * UInt32($0))) }) + rest
  }

  private static func written(_ id: Int, _ content: [UInt8]) -> [UInt8] {
    // The marker is part of the number.
    least(id) + size(content.count) + content
  }

  private static func size(_ value: Int) -> [UInt8] {
    var count = 1
    while value >= 1 << (7 * count) - 1 { count += 1 }
    var sink = ByteSink()
    sink.integer(1 << (7 * count) | value, bytes: count)
    return sink.bytes
  }

  private static func least(_ value: Int) -> [UInt8] {
    var sink = ByteSink()
    sink.integer(value, bytes: max(1, (71 - value.leadingZeroBitCount) / 8))
    return sink.bytes
  }

  private static func float(_ value: Float) -> [UInt8] {
    var sink = ByteSink()
    sink.u32(Int(value.bitPattern))
    return sink.bytes
  }

  /// Returns an empty element of so many bytes; `nil` for fewer than 2.
  private static func emptied(_ count: Int) -> [UInt8]? {
    guard count >= 2 else { return nil }
    if count < 2 + 127 { return [UInt8(ID.void)] + size(count - 2) + [UInt8](repeating: 0, count: count - 2) }
    var sink = ByteSink()
    sink.integer(1 << 56 | (count - 9), bytes: 8)
    return [UInt8(ID.void)] + sink.bytes + [UInt8](repeating: 0, count: count - 9)
  }
}

extension Orientation {
  /// The pose of a flat projection that shows pictures so, in degrees; `nil` for pictures as they are stored.
  fileprivate var pose: (yaw: Float, roll: Float)? {
    guard self != .up else { return nil }
    for yaw in [0, 180] {
      for roll in [90, 180, -90, 0]
      where Orientation(yaw: Double(yaw), pitch: 0, roll: Double(roll)) == self {
        return (Float(yaw), Float(roll))
      }
    }
    return nil
  }
}
