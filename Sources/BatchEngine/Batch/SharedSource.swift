import HDRCore
import ImageFiles
import Synchronization

/// The source of an input of which several outputs are made: read and decoded once.
final class SharedSource: Sendable {
  private struct State {
    var bytes: [UInt8]?
    var digest: Digest?
    var decoded: [DecodeRequest: SourceImage] = [:]
  }

  private let state = Mutex(State())

  var bytes: [UInt8]? {
    get { state.withLock { $0.bytes } }
    set { state.withLock { $0.bytes = newValue } }
  }

  /// Of `bytes`.
  var digest: Digest? {
    get { state.withLock { $0.digest } }
    set { state.withLock { $0.digest = newValue } }
  }

  subscript(request: DecodeRequest) -> SourceImage? {
    get { state.withLock { $0.decoded[request] } }
    set { state.withLock { $0.decoded[request] = newValue } }
  }
}
