import FileParts
import HDRCore

/// The NAL units of one coded picture, as a packet has them; what is not changed is written as it was read.
package struct AccessUnit: Sendable, Equatable {
  /// The marks between NAL units.
  package enum Framing: Sendable, Hashable {
    /// Each follows its length in 1, 2 or 4 bytes (ISO/IEC 14496-15).
    case lengths(Int)
    /// Each follows a start code (H.265 annex B).
    case startCodes
  }

  package struct Unit: Sendable, Equatable {
    /// The zeros before the 1 of a start code, at least 2; 0 with lengths.
    package var zeros = 0
    /// The unit from its header on, with emulation prevention bytes.
    package var bytes: ArraySlice<UInt8>

    /// The type of an HEVC unit; `nil` without a whole header.
    package var type: Int? { bytes.count >= 2 ? Int(bytes[bytes.startIndex] >> 1 & 63) : nil }

    /// The layer of an HEVC unit.
    package var layer: Int? {
      bytes.count >= 2 ? Int(bytes[bytes.startIndex] & 1) << 5 | Int(bytes[bytes.startIndex + 1] >> 3) : nil
    }
  }

  /// The most units that a packet may have.
  package static let maxUnits = 1 << 16

  package let framing: Framing
  package private(set) var units: [Unit] = []
  /// The zeros behind the last unit.
  private var tail = 0

  /// Splits a packet.
  ///
  /// - Throws: `.truncated` if a unit is longer than the packet, `.malformed` if the packet does not begin with a start code.
  package init(_ packet: ArraySlice<UInt8>, _ framing: Framing) throws(DecodeError) {
    self.framing = framing
    units = try Self.units(of: packet, framing, atMost: Self.maxUnits + 1)
    guard units.count <= Self.maxUnits else {
      throw .limit(what: "the number of NAL units in a packet", found: units.count, allowed: Self.maxUnits)
    }
    guard framing == .startCodes else { return }
    guard packet.isEmpty || !units.isEmpty else {
      throw .malformed(where: "packet", what: "it does not begin with a start code")
    }
    tail = packet.endIndex - (units.last?.bytes.endIndex ?? packet.endIndex)
  }

  /// Returns the first units of a packet; none if it should begin with a start code and does not.
  static func units(
    of packet: ArraySlice<UInt8>, _ framing: Framing, atMost limit: Int
  ) throws(DecodeError) -> [Unit] {
    var units: [Unit] = []
    if case .lengths(let size) = framing {
      var reader = ByteReader(packet, place: "NAL units of a packet")
      while !reader.isAtEnd, units.count < limit {
        let length = try reader.unsigned(size)
        guard length <= UInt64(reader.remaining) else { throw .truncated(where: reader.place) }
        units.append(Unit(bytes: try reader.take(Int(length))))
      }
      return units
    }
    // A unit never ends with a zero, so zeros belong to the start code behind them.
    var start: Int?, zeros = 0, before = 0
    for index in packet.indices where units.count < limit {
      let byte = packet[index]
      if byte == 1, zeros >= 2 {
        if let start { units.append(Unit(zeros: before, bytes: packet[start..<max(start, index - zeros)])) }
        guard start != nil || index - zeros == packet.startIndex else { return [] }
        (start, before) = (index + 1, zeros)
      }
      zeros = byte == 0 ? zeros + 1 : 0
    }
    if let start, units.count < limit {
      units.append(Unit(zeros: before, bytes: packet[start..<max(start, packet.endIndex - zeros)]))
    }
    return units
  }

  /// The packet with these units.
  package var bytes: [UInt8] {
    var sink = ByteSink(reserving: units.reduce(tail) { $0 + $1.bytes.count + max(4, $1.zeros + 1) })
    for unit in units {
      switch framing {
      case .lengths(let size): sink.integer(unit.bytes.count, bytes: size)
      case .startCodes:
        sink.zeros(unit.zeros)
        sink.u8(1)
      }
      sink.append(unit.bytes)
    }
    sink.zeros(tail)
    return sink.bytes
  }

  /// Inserts a unit at an index of `units`.
  ///
  /// - Throws: `.limit` if lengths have too few bytes for it.
  package mutating func insert(_ unit: [UInt8], at index: Int) throws(DecodeError) {
    switch framing {
    case .lengths(let size):
      let most = 1 << (8 * size) - 1
      guard unit.count <= most else { throw .limit(what: "the size of a NAL unit", found: unit.count, allowed: most) }
      units.insert(Unit(bytes: unit[...]), at: index)
    case .startCodes: units.insert(Unit(zeros: 3, bytes: unit[...]), at: index)
    }
  }

  package mutating func remove(where isUnwanted: (Unit) -> Bool) { units.removeAll(where: isUnwanted) }
}
