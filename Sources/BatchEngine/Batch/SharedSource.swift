import CodecService
import HDRCore
import ImageFiles
import Synchronization

/// The source of an input of which several outputs are made: opened and decoded once.
final class SharedSource: Sendable {
  private struct State {
    var file: InputFile?
    var decoded: [DecodeRequest: CodecAnswer<SourceImage>] = [:]
  }

  /// Memory of all outputs.
  let memory: MemoryShare

  init(_ memory: MemoryShare) { self.memory = memory }

  private let state = Mutex(State())

  var file: InputFile? {
    get { state.withLock { $0.file } }
    set { state.withLock { $0.file = newValue } }
  }

  subscript(request: DecodeRequest) -> CodecAnswer<SourceImage>? {
    get { state.withLock { $0.decoded[request] } }
    set { state.withLock { $0.decoded[request] = newValue } }
  }
}
