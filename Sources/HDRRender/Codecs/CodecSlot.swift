import CodecService
import FileParts
import Glibc
import HDRCore

/// The only task of a codec process: bytes of an input can only harm processes that get such bytes.
enum CodecRole: String, CaseIterable {
  case decode
  /// Encodes pixels.
  case encode
  /// Writes files around payloads and profiles from inputs.
  case wrap

  init(_ request: FileRequest) { self = request.foreignBytes == .none ? .encode : .wrap }
}

/// The data of an operation that a slot may have already: an input, by its identity, or the memory of pixels.
enum CodecSubject {
  case input(Int)
  case pixels(PixelBuffer)
  case nothing

  var input: Int? { if case .input(let file) = self { file } else { nil } }
}

/// The limits of a phase of an operation.
struct CodecBounds {
  var memoryBytes = 0
  var seconds = 0.0
  var fileBytes = 0
  var answerBytes = 0
  /// The bytes of the shared memory for decoded samples.
  var sharedBytes = 0
}

/// A process and the memory that outlives it. Slots move between threads and have one owner at a time.
final class CodecSlot: @unchecked Sendable {
  let role: CodecRole
  let arena: CodecArena
  /// The memory of an encoder for the main file and the sidecar.
  var outputs: [EncodedMemory] = []
  var process: CodecProcessHandle?
  /// The input that the process has read.
  var file: Int?
  /// The limits of its last request.
  var bounds = CodecBounds()
  /// The memory of process and arena after the last operation. Pictures that are still in use count: their memory
  /// goes to the next ones.
  var keptBytes = 0

  /// Makes a slot without a process.
  init(_ role: CodecRole, byteCount: Int) throws(StartFailure) {
    self.role = role
    do throws(FileFault) {
      arena = try CodecArena(byteCount: byteCount)
    } catch {
      throw StartFailure(message: "no memory can be shared with it (\(error.call): \(errorText(error.number)))")
    }
  }

  /// Returns true if the process has read the input, or if the pixels lie in its memory.
  func has(_ subject: CodecSubject) -> Bool {
    switch subject {
    case .input(let file): self.file == file
    case .pixels(let buffer): arena.offset(of: buffer) != nil
    case .nothing: false
    }
  }

  /// Returns true if the process has the libraries and may read another input.
  func isReady(_ libraries: RunTimeLibraries) -> Bool {
    process.map { !$0.readsNoOther && $0.libraries.isSuperset(of: libraries) } ?? false
  }

  /// The memory that the slot keeps beside its process.
  var touchedBytes: Int { outputs.reduce(arena.memory.touchedBytes) { $0 + $1.file.touchedBytes } }

  /// Ends the process.
  func retire() {
    process = nil
    file = nil
  }
}
