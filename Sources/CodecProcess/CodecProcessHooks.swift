import CSandbox
import CodecService

/// Functions that a codec process calls and a program may replace. hdrbatch-codec uses the defaults below.
package protocol CodecProcessHooks {
  /// Locks the process in; this cannot be undone.
  func lockIn() -> hdr_lockdown
  /// Runs after an input has been read and before it is decoded.
  func beforeDecoding(_ bytes: [UInt8], _ order: DecodeOrder, _ loop: OrderLoop)
  /// Runs after the answer to an encoder's order is sent; the descriptors are still open.
  func afterEncoding(_ descriptors: [Int32], _ loop: OrderLoop)
}

extension CodecProcessHooks {
  package func lockIn() -> hdr_lockdown { hdr_lock_down() }
  package func beforeDecoding(_ bytes: [UInt8], _ order: DecodeOrder, _ loop: OrderLoop) {}
  package func afterEncoding(_ descriptors: [Int32], _ loop: OrderLoop) {}
}

/// The hooks of hdrbatch-codec.
package struct UsualHooks: CodecProcessHooks {
  package init() {}
}
