/// The head of a packet of a NUT file: one coded picture, one raw frame, or a piece of sound (NUT specification,
/// "frame").
package struct NUTPacket: Sendable, Hashable {
  /// The number of the stream.
  package var stream: Int
  /// The time at which the packet is shown, in units of the stream's time base.
  package var pts: Int
  package var isKey: Bool
  /// The bytes of the payload, those included that the file leaves out.
  package var byteCount: Int
}
