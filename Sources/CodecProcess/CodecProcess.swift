import CodecService
import FileParts
import Glibc
import ImageFiles

/// Runs a codec process of hdrbatch: reads, decodes, encodes and writes through descriptors from its parent, in a
/// sandbox (docs/isolation.md).
///
/// - Parameter arguments: the program's arguments as `CodecProcessHandle` makes them.
package func runCodecProcess(_ arguments: [String], _ hooks: some CodecProcessHooks) -> Never {
  if arguments.dropFirst().first == ProgramProtocol.role { ProgramRole.run(Array(arguments.dropFirst(2))) }
  func number(_ name: String) -> Int? {
    arguments.first { $0.hasPrefix("--\(name)=") }.flatMap { Int($0.dropFirst(name.count + 3)) }
  }
  guard let parent = number("parent"), let memoryBytes = number("memory"), let most = number("most-memory") else {
    let text = "hdrbatch-codec works for hdrbatch, which starts it\n"
    _ = text.withCString { write(2, $0, strlen($0)) }
    exit(64)
  }
  let loop = OrderLoop(memoryBytes: memoryBytes, isLockedIn: arguments.contains("--lock-in"), hooks: hooks)
  loop.start(
    parent: Int32(truncatingIfNeeded: parent), maxMemory: most,
    libraries: number("libraries").map { RunTimeLibraries(rawValue: $0) } ?? .all)
  loop.work()
}
