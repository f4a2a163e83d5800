import CodecService
import HDRCore
import ImageFiles
import Synchronization

/// The source of several tasks, opened and decoded once.
package final class SharedSource: Sendable {
  private struct State {
    var file: InputFile?
    var reading = ReadingOptions()
    var decoded: [DecodeRequest: Result<CodecAnswer<SourceImage>, CodecError>] = [:]
  }

  private let state = Mutex(State())

  package init() {}

  var file: InputFile? {
    get { state.withLock { $0.file } }
    set { state.withLock { $0.file = newValue } }
  }

  /// The result of decoding: all tasks with the same request and options, one after the other, share one attempt, even
  /// a failed one.
  subscript(request: DecodeRequest, reading: ReadingOptions) -> Result<CodecAnswer<SourceImage>, CodecError>? {
    get { state.withLock { $0.reading == reading ? $0.decoded[request] : nil } }
    set {
      state.withLock {
        if $0.reading != reading { ($0.reading, $0.decoded) = (reading, [:]) }
        $0.decoded[request] = newValue
      }
    }
  }
}
