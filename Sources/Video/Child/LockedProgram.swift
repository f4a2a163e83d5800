import CPlatform
import CodecService
import Glibc
import HDRCore
import HDRRender
import Synchronization
import Threads

/// A program of others that runs locked in (docs/isolation.md#programs). Its standard input and output are pipes; what it
/// says on standard error is kept. It ends at the latest with this object.
package final class LockedProgram: Sendable {
  /// An outcome says how a program ended, what it used, and what it said last.
  package struct Outcome: Sendable, Hashable {
    /// The exit code; -1 after a signal.
    package var code: Int32 = -1
    package var signal: Int32 = 0
    package var cpuSeconds = 0.0
    package var peakBytes = 0
    /// The program said this last.
    package var text = ""

    package var isSuccess: Bool { code == 0 }

    /// The last line that says why it ended, without the addresses of ffmpeg's parts, or how it ended if none does; for
    /// messages.
    package var reason: String {
      let lines = text.split(whereSeparator: \.isNewline)
      let line = lines.last { line in
        line.contains { !$0.isWhitespace } && !Self.endings.contains { line.contains($0) }
      }
      guard var line else { return signal != 0 ? "it ended by signal \(signal)" : "it ended with code \(code)" }
      while line.first == "[", let end = line.firstRange(of: "] ") { line = line[end.upperBound...] }
      return String(line)
    }

    /// FFmpeg ends with such lines whatever the failure was.
    private static let endings = [
      "Conversion failed!", "Exiting with exit code", "Task finished with", "Terminating thread", "Statistics: ",
      "Nothing was written into", "Output file is empty", "Could not open encoder before", "Error opening ",
      "Error parsing options", "Failed to set value", "To ignore this", "put file #", "put stream #", "  Total: ",
      "muxing overhead", "frame=",
    ]
  }

  /// A talk keeps the last part of the text that the program writes.
  private final class Talk: Sendable {
    private let bytes = Mutex<[UInt8]>([])
    let kept: Int
    init(kept: Int) { self.kept = kept }

    func add(_ part: some Collection<UInt8>) {
      bytes.withLock { bytes in
        bytes += part
        if bytes.count > 2 * kept { bytes.removeFirst(bytes.count - kept) }
      }
    }

    var text: String { bytes.withLock { String(decoding: $0.suffix(kept), as: UTF8.self) } }
  }

  /// Our end of the program's standard input; `nil`: it has none.
  package let feed: Pipe?
  /// Our end of its standard output; `nil`: it has none.
  package let results: Pipe?
  private let pid: Int32
  private let talk: Talk
  private let listener: WorkerThread
  private let outcome = Mutex<Outcome?>(nil)

  /// The descriptor of the second file that the program may read.
  static let secondInput: Int32 = 5
  /// An address space that no driver fills.
  private static let driverBytes = 1 << 46

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - arguments: its name first.
  ///   - input, secondInput: files that it may read as `/dev/fd/3` and `/dev/fd/5`; `nil`: none.
  ///   - output: a file that it may read and write as `/dev/fd/4`; `nil`: none.
  ///   - takesFeed, givesResults: true to have a pipe to its standard input, and from its standard output.
  ///   - usesDevices: true for one that decodes on the machine's graphics, whose drivers map more memory than they use.
  ///   - keptBytes: how much of what it says is kept.
  /// - Throws: `HDRError` if the codec program cannot be started, `codec.missing` or `codec.start`.
  package init(
    _ program: FilePath, _ arguments: [String], input: Int32? = nil, secondInput: Int32? = nil, output: Int32? = nil,
    takesFeed: Bool = false, givesResults: Bool = false, usesDevices: Bool = false,
    keptBytes: Int = CodecProtocol.maxTextBytes,
    _ isolation: IsolationOptions
  ) throws(HDRError) {
    let codec = isolation.programPath
    guard let path = program.text else {
      throw HDRError(code: "video.ffmpeg", message: "\(program.display) is no name in UTF-8", kind: .unavailable)
    }
    var words = [
      "hdrbatch-codec", ProgramProtocol.role, "--parent=\(getpid())",
      "--memory=\(usesDevices ? Self.driverBytes : isolation.limits.maxMemoryBytes)",
    ]
    if usesDevices { words.append("--devices") }
    if secondInput != nil { words.append("--second-input=\(Self.secondInput)") }
    if isolation.isolation == .sandbox || isolation.isolation == .fresh { words.append("--lock-in") }
    words += ["--", path] + arguments
    let messages: PipeEnds
    do throws(Pipe.Fault) {
      let feeding = takesFeed ? try PipeEnds() : nil, giving = givesResults ? try PipeEnds() : nil
      messages = try PipeEnds()
      let descriptors = [
        feeding?.read.descriptor ?? -1, giving?.write.descriptor ?? -1, messages.write.descriptor, input ?? -1,
        output ?? -1, secondInput ?? -1,
      ]
      feed = feeding.map { Pipe($0.write) }
      results = giving.map { Pipe($0.read) }
      do throws(SpawnedCodec.Failure) {
        pid = try SpawnedCodec(codec, words, descriptors).pid
      } catch {
        throw .system(error.number)
      }
    } catch {
      let number: Int32 = if case .system(let number) = error { number } else { EIO }
      let isMissing = [ENOENT, EACCES, ENOEXEC, ENOTDIR].contains(number)
      throw HDRError(
        code: isMissing ? UnavailableError.missingCode : UnavailableError.startCode,
        message: "the codec process \(codec.display) cannot be started: \(errorText(number)); "
          + isolation.advice,
        kind: isMissing ? .unavailable : .codec, concernsAll: true)
    }
    let talk = Talk(kept: keptBytes), heard = messages.read
    self.talk = talk
    listener = WorkerThread(name: "listener") {
      var part = [UInt8](repeating: 0, count: 4096)
      while true {
        let count = read(heard.descriptor, &part, part.count)
        if count < 0 && errno == EINTR { continue }
        guard count > 0 else { return }
        talk.add(part[..<count])
      }
    }
  }

  deinit { _ = end(within: 0) }

  /// Waits for the program to end by itself, then kills it.
  ///
  /// - Returns: how it ended, the same at every call.
  package func end(within seconds: Double) -> Outcome {
    outcome.withLock { outcome in
      if let outcome { return outcome }
      feed?.close()
      results?.close()
      var found = Outcome(), peak: UInt64 = 0
      if hdr_wait_child(pid, seconds, &found.code, &found.signal, &found.cpuSeconds, &peak) == 0 {
        kill(pid, SIGKILL)
        _ = hdr_wait_child(pid, 60, &found.code, &found.signal, &found.cpuSeconds, &peak)
      }
      found.peakBytes = Int(clamping: peak)
      // It has ended, and starts no process: the pipe of its messages ends too.
      listener.join()
      found.text = talk.text
      outcome = found
      return found
    }
  }
}
