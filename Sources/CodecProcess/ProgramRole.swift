import CPlatform
import CSandbox
import CodecService
import Glibc

/// The role of a codec process that locks itself in and becomes a program of others (docs/isolation.md#programs).
enum ProgramRole {
  /// - Parameter arguments: `--parent`, `--memory`, perhaps `--second-input`, `--devices` and `--lock-in`, then `--`, the program's path
  ///   and its arguments, of which the first is its name.
  static func run(_ arguments: [String]) -> Never {
    let own = arguments.prefix { $0 != "--" }, words = Array(arguments.dropFirst(own.count + 1))
    func number(_ name: String) -> Int? {
      own.first { $0.hasPrefix("--\(name)=") }.flatMap { Int($0.dropFirst(name.count + 3)) }
    }
    guard let parent = number("parent"), let memory = number("memory"), memory > 0, let path = words.first else {
      fail("its arguments are of another version", 64)
    }
    _ = hdr_die_with_parent(Int32(truncatingIfNeeded: parent))
    _ = hdr_be_ended_first()
    let bound = hdr_bound_process(UInt64(memory))
    guard bound == 0 else { fail("limits: error \(bound)", ProgramProtocol.isNotLocked) }
    let file = open(path, hdr_path_only | O_CLOEXEC)
    guard file >= 0 else { fail("open: error \(errno)", ProgramProtocol.isNotStarted) }
    let libraries = getenv("LD_LIBRARY_PATH")
    let environment = ["LC_ALL=C"] + (libraries.map { ["LD_LIBRARY_PATH=" + String(cString: $0)] } ?? [])
    // They live as long as this process: the kernel copies them.
    let argv = words.dropFirst().map { strdup($0) } + [nil], envp = environment.map { strdup($0) } + [nil]
    var what: UnsafePointer<CChar>?
    let result = argv.withUnsafeBufferPointer { argv in
      envp.withUnsafeBufferPointer { envp in
        var program = hdr_program(
          file: file, arguments: argv.baseAddress, environment: envp.baseAddress, input: ProgramProtocol.input,
          second_input: number("second-input").map { Int32(truncatingIfNeeded: $0) } ?? -1,
          output: ProgramProtocol.output, libraries: libraries, is_locked: own.contains("--lock-in") ? 1 : 0,
          uses_devices: own.contains("--devices") ? 1 : 0)
        return hdr_become(&program, &what)
      }
    }
    let step = what.map { String(cString: $0) } ?? ""
    fail(
      "\(step): error \(result)",
      step == start ? ProgramProtocol.isNotStarted : ProgramProtocol.isNotLocked)
  }

  /// The name of the step that starts the program.
  private static let start = "execveat"

  private static func fail(_ text: String, _ code: Int32) -> Never {
    _ = (text + "\n").withCString { write(2, $0, strlen($0)) }
    exit(code)
  }
}
