import CPlatform
import CSandbox
import CodecService
import Glibc
import HDRCore

// The worker of hdrbatch: reads, decodes, encodes and writes through descriptors from its parent, locked in
// (docs/isolation.md). It is started by hdrbatch, not by users.

let words = CommandLine.arguments.dropFirst()
func number(_ name: String) -> Int? {
  words.first { $0.hasPrefix("--\(name)=") }.flatMap { Int($0.dropFirst(name.count + 3)) }
}
guard let parent = number("parent"), let memoryBytes = number("memory"), let most = number("most-memory") else {
  let text = "hdrbatch-codec works for hdrbatch, which starts it\n"
  _ = text.withCString { write(2, $0, strlen($0)) }
  exit(64)
}
let worker = Worker(
  memoryBytes: memoryBytes, testing: words.contains("--testing"), isLockedIn: words.contains("--lock-in"))
worker.start(parent: Int32(truncatingIfNeeded: parent), mostMemory: most)
worker.work()
