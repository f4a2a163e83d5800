import CodecService
import GPURender
import Glibc
import HDRCore
import HDRPlan
import HDRRecipe
import PlainData

/// The reason why a picture could not be read, rendered or written.
///
/// ```swift
/// do {
///   try renderer.write(photo, to: "out.heic", as: .adaptiveHEIC())
/// } catch where error.kind == .exists {
///   print("there already")
/// }
/// ```
public struct HDRError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The cause of the error, which decides the remedy.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// The bytes of a source are damaged, of an unknown format, or over a limit.
    case source
    /// The request is not possible, or not with this picture.
    case request
    /// A file cannot be read.
    case input
    /// A file cannot be written.
    case output
    /// A file of that name exists.
    case exists
    /// An encoder refused, or its output differs from its input.
    case encoder
    /// The file was made, and is not accepted.
    case rejected
    /// A codec process crashed, hung, was refused or could not be started.
    case codec
    /// A demanded GPU failed.
    case device
    /// A GPU computed bits that differ from the CPU's.
    case wrongDevice
    /// A device, a codec or the codec program is not available.
    case unavailable
    /// The task was cancelled, or the batch abandoned: no file is left.
    case cancelled
  }

  /// The stable short code, e.g. `decode.truncated`.
  public var code: String
  /// The message in one line: the problem, its place, the fix.
  public var message: Message
  public var kind: Kind
  /// The file that the error concerns, if any.
  public var file: String?
  /// True if the next picture would fail too.
  package var concernsAll: Bool

  package init(
    code: String, message: Message, kind: Kind = .request, file: String? = nil, concernsAll: Bool = false
  ) {
    self.code = code
    self.message = message
    self.kind = kind
    self.file = file
    self.concernsAll = concernsAll
  }

  public var description: String { line.description }
  /// The file, the message and the code.
  package var line: Message { (file.map { "\($0): " } ?? "") + "\(message) [\(code)]" }

  /// Returns the error with a file; an error that already has one keeps it.
  package func about(_ path: FilePath) -> HDRError {
    var error = self
    if error.file == nil { error.file = path.display }
    return error
  }
}

extension HDRError {
  /// Makes the error of a source that cannot be opened or read.
  package init(reading fault: FileFault, limit: Int) {
    switch fault.number {
    case EFBIG:
      self.init(
        code: "decode.limit",
        message: "the file is larger than the limit of \(limit) bytes; raise it with \(setting: "max-file-bytes")",
        kind: .source)
    case ENOENT:
      self.init(code: "io.read", message: "the file is not there any more", kind: .input)
    case EINVAL:
      self.init(code: "io.read", message: "not a regular file", kind: .input)
    case EXDEV:
      self.init(
        code: "io.read",
        message: "a link that leads out of the folders that were given, and so not read; give the file itself",
        kind: .input)
    default:
      self.init(
        code: "io.read", message: "cannot be read: \(errorText(fault.number))", kind: .input,
        concernsAll: fault.concernsAllFiles)
    }
  }

  package init(_ error: DecodeError) {
    let advice: Message, kind: Kind
    switch error {
    case .malformed, .library:
      (advice, kind) = ("; the file is damaged or not what it says, take another copy", .source)
    case .unsupported: (advice, kind) = ("; convert it to a supported format first, see docs/formats.md", .source)
    case .truncated, .limit, .memory: (advice, kind) = ("", .source)
    case .undescribed(_, let give): (advice, kind) = ("; give \(give)", .request)
    case .io: (advice, kind) = ("", .input)
    case .unavailable: (advice, kind) = ("", .unavailable)
    }
    self.init(code: error.code, message: printable("\(error)") + advice, kind: kind)
  }

  package init(_ error: PlanError) { self.init(code: error.code, message: printable("\(error)")) }

  package init(_ error: EncodeError) {
    self.init(code: error.code, message: printable("\(error)"), kind: .encoder)
  }

  /// Makes the error of a failed codec operation, on a file for reading or on files for writing.
  package init(
    _ error: CodecError, reading file: InputFile? = nil, writing main: FilePath? = nil, sidecar: FilePath? = nil
  ) {
    switch error {
    case .decode(let error): self.init(error)
    case .encode(let error): self.init(error)
    case .read(let number):
      let fault = FileFault(call: "read", number: number, path: file?.path ?? FilePath(""))
      self.init(reading: fault, limit: file?.byteCount ?? 0)
    case .write(let number, let isSidecar):
      let path = isSidecar ? sidecar : main
      self.init(writing: FileFault(call: "writing", number: number, path: path ?? FilePath("")))
    case .lost(let code, let message, let isLast):
      self.init(
        code: code, message: printable(message),
        kind: code == UnavailableError.missingCode ? .unavailable : .codec, concernsAll: isLast)
    }
  }

  /// Makes the error of a wrong device, or of a demanded one that failed. The picture can be rendered elsewhere.
  ///
  /// - Parameter hasNoDeviceLeft: true if no device is left for the next picture.
  package init(_ error: GPUError, hasNoDeviceLeft: Bool = true) {
    let concernsAll = hasNoDeviceLeft && !error.concernsThisPictureOnly
    if case .mismatch = error {
      self.init(
        code: error.code, message: "\(error); the output is not written, and the device is not used any more",
        kind: .wrongDevice, concernsAll: concernsAll)
    } else {
      self.init(
        code: error.code,
        message:
          "\(error); \(setting: "backend") gpu was asked for, \(setting: "backend") auto would go on with the CPU",
        kind: .device, concernsAll: concernsAll)
    }
  }

  /// Makes the error of an output that cannot be written.
  package init(writing fault: FileFault) {
    switch fault.number {
    case EINTR:
      self.init(
        code: "batch.interrupted", message: "abandoned: the batch was told to stop", kind: .cancelled)
    case EEXIST:
      self.init(
        code: "output.exists",
        message: "\(fault.path.display) appeared while the batch ran; say \(setting: "on-existing") replace or skip",
        kind: .exists)
    default:
      self.init(
        code: "io.write", message: fault.message, kind: .output, concernsAll: fault.concernsAllFiles)
    }
  }
}

extension GPUError {
  /// True if the next picture may succeed: large pictures run out of memory first, and other programs on the device
  /// end.
  var concernsThisPictureOnly: Bool {
    switch self {
    case .tooLarge, .badPlan, .kernel, .outOfMemory: true
    default: false
    }
  }
}
