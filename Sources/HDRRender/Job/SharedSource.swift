import CodecService
import HDRCore
import ImageFiles
import Synchronization

/// The source of several tasks, opened and decoded once.
package final class SharedSource: Sendable {
  private struct State {
    var file: InputFile?
    var reading = ReadingOptions()
    var decoded: [Decoding: Result<DecodedSource, CodecError>] = [:]
  }

  /// A way of decoding. Sources that differ in the scale alone stay side by side: small ones take little memory.
  private struct Decoding: Hashable {
    var request: DecodeRequest
    var scale: DecodeScale
  }

  private let state = Mutex(State())

  package init() {}

  var file: InputFile? {
    get { state.withLock { $0.file } }
    set { state.withLock { $0.file = newValue } }
  }

  /// The result of decoding: all tasks with the same request and options, one after the other, share one attempt, even
  /// a failed one.
  subscript(request: DecodeRequest, reading: ReadingOptions) -> Result<DecodedSource, CodecError>? {
    get {
      let (way, rest) = Self.split(request, reading)
      return state.withLock { $0.reading == rest ? $0.decoded[way] : nil }
    }
    set {
      let (way, rest) = Self.split(request, reading)
      state.withLock {
        if $0.reading != rest { ($0.reading, $0.decoded) = (rest, [:]) }
        $0.decoded[way] = newValue
      }
    }
  }

  private static func split(_ request: DecodeRequest, _ reading: ReadingOptions) -> (Decoding, ReadingOptions) {
    var rest = reading
    rest.scale = .whole
    return (Decoding(request: request, scale: reading.scale), rest)
  }
}
