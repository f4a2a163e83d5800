import CSandbox
import CodecService

/// The steps of a codec process that a program may replace. hdrbatch-codec uses the defaults below.
package protocol WorkerSteps {
  /// Locks the process in; this cannot be undone.
  func lockIn() -> hdr_lockdown
  /// Runs after an input has been read and before it is decoded.
  func beforeDecoding(_ bytes: [UInt8], _ order: DecodeOrder, _ worker: Worker)
  /// Runs after the answer to an encoder's order is sent; the descriptors are still open.
  func afterEncoding(_ descriptors: [Int32], _ worker: Worker)
}

extension WorkerSteps {
  package func lockIn() -> hdr_lockdown { hdr_lock_down() }
  package func beforeDecoding(_ bytes: [UInt8], _ order: DecodeOrder, _ worker: Worker) {}
  package func afterEncoding(_ descriptors: [Int32], _ worker: Worker) {}
}

/// The steps of hdrbatch-codec.
package struct UsualSteps: WorkerSteps {
  package init() {}
}
