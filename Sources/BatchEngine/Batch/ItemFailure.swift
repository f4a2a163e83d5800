import CodecService
import GPURender
import Glibc
import HDRCore
import HDRPlan

/// Why one item failed, for its record, and what it means for the rest of the batch.
package struct ItemFailure: Error, Sendable {
  package var code: String
  /// One line: what, where, what to do.
  package var message: String
  /// The batch's exit status if nothing worse happens.
  package var status = ExitStatus.failedItems
  /// Set if the next item would fail too.
  package var stops: StopReason?

  package init(code: String, message: String, status: ExitStatus = .failedItems, stops: StopReason? = nil) {
    self.code = code
    self.message = message
    self.status = status
    self.stops = stops
  }

  /// A source that cannot be opened or read.
  package init(reading fault: FileFault, limit: Int) {
    switch fault.number {
    case EFBIG:
      self.init(
        code: "decode.limit",
        message: "the file is larger than the limit of \(limit) bytes; raise it with --max-file-bytes")
    case ENOENT:
      self.init(code: "io.read", message: "the file is not there any more")
    case EINVAL:
      self.init(code: "io.read", message: "not a regular file")
    default:
      self.init(
        code: "io.read", message: "cannot be read: \(errorText(fault.number))",
        status: fault.concernsAllFiles ? .inputOutput : .failedItems)
    }
  }

  package init(_ error: DecodeError) {
    let advice: String
    switch error {
    case .malformed, .library: advice = "; the file is damaged or not what it says, take another copy"
    case .unsupported: advice = "; convert it to a supported format first, see docs/formats.md"
    case .truncated, .limit, .io: advice = ""
    }
    self.init(code: error.code, message: FilePath.printable("\(error)") + advice)
  }

  package init(_ error: PlanError) { self.init(code: error.code, message: FilePath.printable("\(error)")) }

  package init(_ error: EncodeError) {
    self.init(code: error.code, message: FilePath.printable("\(error)"))
  }

  /// A codec operation that failed, on a file for reading or on files for writing.
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
        code: code, message: FilePath.printable(message),
        status: code == "codec.missing" ? .unavailable : .failedItems, stops: isLast ? .tooManyFailures : nil)
    }
  }

  /// A device that computed wrongly, or a demanded one that failed. The item can be done elsewhere.
  ///
  /// - Parameter isStranded: no device is left that the next item may go to.
  package init(_ error: GPUError, isStranded: Bool = true) {
    let stops = isStranded && !error.concernsThisPictureOnly
    if case .mismatch = error {
      self.init(
        code: error.code, message: "\(error); the output is not written, and the device is not used any more",
        status: .unavailable, stops: stops ? .deviceWrong : nil)
    } else {
      self.init(
        code: error.code, message: "\(error); --backend gpu was asked for, --backend auto would go on with the CPU",
        status: .stoppedEarly, stops: stops ? .deviceLost : nil)
    }
  }

  /// An output that cannot be written.
  package init(writing fault: FileFault) {
    switch fault.number {
    case EINTR: self.init(code: "batch.interrupted", message: "abandoned: the batch was told to stop")
    case EEXIST:
      self.init(
        code: "output.exists",
        message: "\(fault.path.display) appeared while the batch ran; say --on-existing replace or skip")
    default:
      self.init(
        code: "io.write", message: fault.message, status: .inputOutput,
        stops: fault.concernsAllFiles ? .outputBroken : nil)
    }
  }
}
