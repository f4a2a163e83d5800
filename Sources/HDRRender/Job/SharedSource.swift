import CodecService
import HDRCore
import ImageFiles
import Synchronization

/// The source of several tasks: opened and decoded once.
package final class SharedSource: Sendable {
  private struct State {
    var file: InputFile?
    var decoded: [DecodeRequest: Result<CodecAnswer<SourceImage>, CodecError>] = [:]
  }

  private let state = Mutex(State())

  package init() {}

  var file: InputFile? {
    get { state.withLock { $0.file } }
    set { state.withLock { $0.file = newValue } }
  }

  /// The result: a source that cannot be decoded is tried once for all tasks.
  subscript(request: DecodeRequest) -> Result<CodecAnswer<SourceImage>, CodecError>? {
    get { state.withLock { $0.decoded[request] } }
    set { state.withLock { $0.decoded[request] = newValue } }
  }
}
