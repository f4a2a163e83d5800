import CodecService
import HDRCore
import ImageFiles
import Synchronization

/// The source of an input of which several outputs are made: opened and decoded once.
final class SharedSource: Sendable {
  private struct State {
    var file: InputFile?
    var decoded: [DecodeRequest: Result<CodecAnswer<SourceImage>, CodecError>] = [:]
  }

  /// Memory of all outputs.
  let memory: MemoryShare

  init(_ memory: MemoryShare) { self.memory = memory }

  private let state = Mutex(State())

  var file: InputFile? {
    get { state.withLock { $0.file } }
    set { state.withLock { $0.file = newValue } }
  }

  /// The result: an input that cannot be decoded is tried once for all of its outputs.
  subscript(request: DecodeRequest) -> Result<CodecAnswer<SourceImage>, CodecError>? {
    get { state.withLock { $0.decoded[request] } }
    set { state.withLock { $0.decoded[request] = newValue } }
  }
}
