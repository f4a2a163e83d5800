import FileParts
import HDRCore

/// The reader of the list of tracks in Matroska and WebM (RFC 9559). Clusters are not read.
enum Matroska {
  /// The number of the EBML header, which begins a file.
  static let magic: [UInt8] = [0x1A, 0x45, 0xDF, 0xA3]

  private enum ID {
    static let header = 0x1A45_DFA3, documentType = 0x4282, segment = 0x1853_8067
    static let seekHead = 0x114D_9B74, seek = 0x4DBB, seekID = 0x53AB, seekPosition = 0x53AC
    static let info = 0x1549_A966, timestampScale = 0x2AD7B1, duration = 0x4489
    static let tracks = 0x1654_AE6B, trackEntry = 0xAE, cluster = 0x1F43_B675
    static let attachments = 0x1941_A469, attachedFile = 0x61A7
  }

  static func read(_ file: some RandomAccess) throws(DecodeError) -> ContainerFile {
    let place = "Matroska file", end = file.byteCount
    let header = try EBML.element(file, at: 0, end: end, place: "EBML header")
    var result = ContainerFile(kind: .matroska)
    var reader = try file.reader(header.content, atMost: 1 << 16, place: "EBML header")
    while !reader.isAtEnd {
      let (id, content) = try reader.ebmlElement()
      guard id == ID.documentType else { continue }
      switch content.ebmlText {
      case "matroska": break
      case "webm": result.kind = .webM
      default: throw .unsupported(feature: "this kind of EBML", found: content.ebmlText)
      }
    }
    var segment: EBMLElement?
    do throws(DecodeError) {
      segment = try EBML.element(file, at: header.content.upperBound, end: end, place: place)
    } catch {
      guard case .truncated = error else { throw error }
      // The segment says that it is longer than the file.
      result.isCut = true
      segment = try openElement(file, at: header.content.upperBound, end: end, place: place)
    }
    guard let segment, segment.id == ID.segment else { throw .malformed(where: place, what: "it has no segment") }
    try readSegment(file, segment.content, &result)
    return result
  }

  /// Reads the head of an element whose size does not count.
  private static func openElement(
    _ file: some RandomAccess, at offset: Int, end: Int, place: String
  ) throws(DecodeError) -> EBMLElement {
    var reader = ByteReader(try file.read(at: offset, count: min(EBML.headBytes, end - offset)), place: place)
    let id = try EBML.id(&reader)
    _ = try EBML.size(&reader)
    return EBMLElement(id: id, content: offset + reader.position..<end, isOpen: true)
  }

  /// The parts that are found in a segment before its first cluster, or by its index of parts.
  private struct Parts {
    var clock = 1_000_000
    var duration: Double?
    var tracks: EBMLElement?
    /// The place of the list of tracks by the index, from the start of the segment's content.
    var tracksPosition: Int?
  }

  private static func readSegment(
    _ file: some RandomAccess, _ segment: Range<Int>, _ result: inout ContainerFile
  ) throws(DecodeError) {
    let place = "Matroska segment"
    var parts = Parts(), offset = segment.lowerBound, count = 0
    while offset < segment.upperBound {
      count += 1
      guard count <= ContainerLimits.parts else {
        throw .limit(what: "parts of a Matroska segment", found: count, allowed: ContainerLimits.parts)
      }
      let element: EBMLElement
      do throws(DecodeError) {
        element = try EBML.element(file, at: offset, end: segment.upperBound, place: place)
      } catch {
        guard parts.tracks != nil, case .truncated = error else { throw error }
        result.isCut = true
        break
      }
      if element.id == ID.cluster { break }
      try read(file, element, &parts, &result)
      offset = element.content.upperBound
    }
    // The list of tracks may be behind the clusters.
    if parts.tracks == nil, let position = parts.tracksPosition, position < segment.count {
      let element = try EBML.element(
        file, at: segment.lowerBound + position, end: segment.upperBound, place: place)
      if element.id == ID.tracks { parts.tracks = element }
    }
    guard let tracks = parts.tracks else { throw .malformed(where: place, what: "it has no list of tracks") }
    var reader = try file.reader(
      tracks.content, atMost: ContainerLimits.trackListBytes, place: "Matroska track")
    while !reader.isAtEnd {
      var (id, content) = try reader.ebmlElement()
      guard id == ID.trackEntry else { continue }
      guard result.tracks.count < ContainerLimits.tracks else {
        throw .limit(what: "tracks", found: result.tracks.count + 1, allowed: ContainerLimits.tracks)
      }
      var track = try MatroskaTrack.read(&content, &result.warnings)
      // Nanoseconds a unit.
      let isPossible = (1...Int(Int32.max)).contains(parts.clock)
      track.timeBase = isPossible ? TimeBase(parts.clock, 1_000_000_000).reduced : nil
      track.duration = parts.duration.flatMap { (0..<0x1p60).contains($0) ? Int($0.rounded()) : nil }
      result.tracks.append(track)
    }
  }

  private static func read(
    _ file: some RandomAccess, _ element: EBMLElement, _ parts: inout Parts, _ result: inout ContainerFile
  ) throws(DecodeError) {
    switch element.id {
    case ID.tracks where parts.tracks == nil: parts.tracks = element
    case ID.info:
      var reader = try file.reader(
        element.content, atMost: ContainerLimits.descriptionBytes, place: "Matroska info")
      while !reader.isAtEnd {
        let (id, content) = try reader.ebmlElement()
        if id == ID.timestampScale { parts.clock = try content.ebmlUnsigned }
        if id == ID.duration { parts.duration = try content.ebmlFloat }
      }
    case ID.seekHead:
      var reader = try file.reader(
        element.content, atMost: ContainerLimits.descriptionBytes, place: "Matroska seek head")
      while !reader.isAtEnd {
        var (id, seek) = try reader.ebmlElement(), target = 0, position = 0
        guard id == ID.seek else { continue }
        while !seek.isAtEnd {
          let (id, content) = try seek.ebmlElement()
          if id == ID.seekID { target = try content.ebmlUnsigned }
          if id == ID.seekPosition { position = try content.ebmlUnsigned }
        }
        if target == ID.tracks { parts.tracksPosition = position }
      }
    case ID.attachments:
      var offset = element.content.lowerBound
      while offset < element.content.upperBound, result.attachments < ContainerLimits.parts {
        let part = try EBML.element(
          file, at: offset, end: element.content.upperBound, place: "Matroska attachments")
        if part.id == ID.attachedFile { result.attachments += 1 }
        offset = part.content.upperBound
      }
    default: break
    }
  }
}
