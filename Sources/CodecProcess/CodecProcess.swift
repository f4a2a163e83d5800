import FileParts
import Glibc
import ImageFiles

/// Runs the codec worker of hdrbatch: reads, decodes, encodes and writes through descriptors from its parent, in a
/// sandbox (docs/isolation.md).
///
/// - Parameter arguments: the program's arguments as `CodecProcessHandle` makes them.
package func runCodecProcess(_ arguments: [String], _ steps: some WorkerSteps) -> Never {
  func number(_ name: String) -> Int? {
    arguments.first { $0.hasPrefix("--\(name)=") }.flatMap { Int($0.dropFirst(name.count + 3)) }
  }
  guard let parent = number("parent"), let memoryBytes = number("memory"), let most = number("most-memory") else {
    let text = "hdrbatch-codec works for hdrbatch, which starts it\n"
    _ = text.withCString { write(2, $0, strlen($0)) }
    exit(64)
  }
  let worker = Worker(memoryBytes: memoryBytes, isLockedIn: arguments.contains("--lock-in"), steps: steps)
  worker.start(
    parent: Int32(truncatingIfNeeded: parent), maxMemory: most,
    libraries: number("libraries").map { RunTimeLibraries(rawValue: $0) } ?? .all)
  worker.work()
}
