import HDRCore
import HDRRender
import Synchronization
import VideoStreams

/// The bytes that a child gives, for a reader of NUT. It remembers why they stopped.
final class PipeStream: ByteStream {
  private let pipe: Pipe
  private let kept = Mutex<Pipe.Fault?>(nil)

  init(_ pipe: Pipe) { self.pipe = pipe }

  /// The reason why the last read failed; `nil`: none did.
  var fault: Pipe.Fault? { kept.withLock { $0 } }

  func read(into memory: UnsafeMutableRawBufferPointer) throws(DecodeError) -> Int {
    do throws(Pipe.Fault) {
      return try pipe.read(into: memory)
    } catch {
      kept.withLock { $0 = error }
      throw .io("\(error)")
    }
  }
}

extension HDRError {
  /// Makes the error of a clip or of a program that works on it.
  init(clip code: String, _ message: Message, kind: Kind = .source) {
    self.init(code: "video." + code, message: message, kind: kind)
  }

  /// Makes the error of bytes that did not pass, where that is no consequence of the other end's failure.
  init?(_ fault: Pipe.Fault, of what: String) {
    switch fault {
    case .closed: return nil
    case .stalled(let seconds):
      self.init(clip: "limit", "\(what): no progress for \(Int(seconds)) s")
    case .system(let number):
      self.init(clip: "pipe", "\(what): \(errorText(number))", kind: .codec)
    }
  }
}
