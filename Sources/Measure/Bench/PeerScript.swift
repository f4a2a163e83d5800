import BatchEngine
import Glibc
import HDRRender

/// scripts/codec_peers.py, which runs and times Python modules.
struct PeerScript {
  private let python: String
  private let path: FilePath

  /// - Throws: `UnavailableError`, in one line, where there is no Python or no script.
  init() throws(UnavailableError) {
    guard let python = PeerBench.find(Environment.value("HDRBATCH_PYTHON") ?? "python3") else {
      throw UnavailableError(description: "--peers needs python3 in PATH, or its path in HDRBATCH_PYTHON")
    }
    guard let path = Self.find() else {
      throw UnavailableError(description: "--peers needs scripts/codec_peers.py, in a folder above this program")
    }
    (self.python, self.path) = (python, path)
  }

  /// Finds the script in a folder above the program.
  private static func find() -> FilePath? {
    var folder = OwnProgram.current.folder
    for _ in 0..<6 {
      let path = folder.appending("scripts").appending("codec_peers.py")
      if access(path.display, R_OK) == 0 { return path }
      folder = folder.parent
    }
    return nil
  }

  /// Returns the command with these words.
  func command(_ words: [String]) -> (program: String, arguments: [String]) { (python, [path.display] + words) }

  /// Returns the lines that the script prints; `nil` where it fails.
  ///
  /// - Parameter folder: a place for the file with its output.
  func output(_ words: [String], in folder: FilePath) -> [String]? {
    let log = folder.appending("output"), command = command(words)
    guard runChild(command.program, command.arguments, output: log) != nil,
      let bytes = try? readWholeFile(log, maxBytes: 1 << 16)
    else { return nil }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  /// Returns the script's measurements: CPU and wall seconds, bytes of the file.
  func timed(_ words: [String], in folder: FilePath) -> (time: ChildTime, fileBytes: Int)? {
    let numbers = output(words, in: folder)?.last?.split(separator: " ").compactMap { Double($0) }
    guard let numbers, numbers.count == 3 else { return nil }
    return (ChildTime(cpu: numbers[0], wall: numbers[1]), Int(numbers[2]))
  }
}
