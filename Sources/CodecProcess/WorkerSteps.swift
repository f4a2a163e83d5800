import CSandbox
import CodecService

/// Steps of a codec process that a program may take in its own way. hdrbatch-codec takes them as they are here.
package protocol WorkerSteps {
  /// Locks the process in, for good.
  func lockIn() -> hdr_lockdown
  /// An input has been read and is decoded next.
  func beforeDecoding(_ bytes: [UInt8], _ order: DecodeOrder, _ worker: Worker)
  /// What was written is answered; the descriptors are open still.
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
