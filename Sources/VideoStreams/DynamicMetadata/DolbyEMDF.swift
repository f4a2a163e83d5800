import FileParts
import HDRCore

/// The container of an RPU in AV1: a frame of the Extensible Metadata Delivery Format (ETSI TS 102 366 annex H) with one
/// payload. All fields but the size have one value.
package enum DolbyEMDF {
  /// Version 0, key 6, payload 256 in its extended form, and no configuration but that unknown payloads are discarded.
  private static let head = 0x01BE_6841, headBits = 27
  /// No further payload; a protection of 8 and 0 bits, which are 0.
  private static let foot = 0x400, footBits = 17
  private static let place = "EMDF container"

  /// Returns the RPU without its first byte, as `DolbyRPU.init(body:after:)` reads it.
  ///
  /// - Parameter payload: the bytes behind the prefix of the message.
  package static func body(of payload: ArraySlice<UInt8>) throws(DecodeError) -> [UInt8] {
    guard payload.count <= 2 * DolbyRPU.maxBytes else {
      throw .limit(what: "the size of an \(place)", found: payload.count, allowed: 2 * DolbyRPU.maxBytes)
    }
    var bits = BitReader(Array(payload), place: place), body: [UInt8] = []
    guard try bits.bits(headBits) == head else {
      throw .malformed(where: place, what: "it does not begin as that of an RPU does")
    }
    // Groups of 8 bits, each with a bit that says whether one follows.
    var size = try bits.bits(8)
    while try bits.bit() {
      size = (size + 1) << 8 | (try bits.bits(8))
      guard size <= DolbyRPU.maxBytes else {
        throw .limit(what: "the size of a \(DolbyRPU.place) in bytes", found: size, allowed: DolbyRPU.maxBytes)
      }
    }
    guard 8 * size <= bits.remaining else { throw .truncated(where: place) }
    for _ in 0..<size { body.append(UInt8(try bits.bits(8))) }
    guard try bits.bits(footBits) == foot else {
      throw .malformed(where: place, what: "another payload or a protection follows the RPU")
    }
    return body
  }

  /// Returns the message of an RPU.
  ///
  /// - Parameter body: at most 65 791 bytes.
  package static func message(_ body: [UInt8]) -> T35Message {
    var bits = BitSink()
    bits.bits(head, headBits)
    if body.count >= 256 {
      bits.bits(body.count >> 8 - 1, 8)
      bits.bit(true)
    }
    bits.bits(body.count, 8)
    bits.bit(false)
    for byte in body { bits.bits(Int(byte), 8) }
    bits.bits(foot, footBits)
    return T35Message(.dolby, payload: bits.bytes)
  }
}
