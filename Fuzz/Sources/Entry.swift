import CFuzzer
import Glibc

/// One program has all targets, because linking it takes longer than most of them run. The variable FUZZ_TARGET names
/// the target, or the work `list` or `seeds`.
@main enum Fuzz {
  static func main() {
    switch getenv("FUZZ_TARGET").map({ String(cString: $0) }) {
    case "list": for target in Target.all { print(target.name, target.maxLength) }
    case "seeds":
      let words = CommandLine.arguments.dropFirst()
      guard let folder = words.first else { exit(64) }
      var maker = SeedMaker(folder: folder)
      maker.addMade()
      for path in words.dropFirst() { maker.add(path) }
      print("\(maker.count) seeds")
    default:
      // SwiftPM calls this function the program's `main`, and that of libFuzzer is never called.
      var count = CommandLine.argc
      var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
      exit(LLVMFuzzerRunDriver(&count, &arguments, testOneInput))
    }
  }
}

private let target: Target = {
  let name = getenv("FUZZ_TARGET").map { String(cString: $0) } ?? ""
  guard let found = Target.all.first(where: { $0.name == name }) else {
    print("FUZZ_TARGET is \"\(name)\", none of \(Target.all.map(\.name).joined(separator: " "))")
    exit(64)
  }
  return found
}()

@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ data: UnsafePointer<UInt8>?, _ size: Int) -> Int32 {
  target.run(Array(UnsafeBufferPointer(start: data, count: size)))
  return 0
}

@_cdecl("LLVMFuzzerCustomMutator")
public func customMutator(
  _ data: UnsafeMutablePointer<UInt8>, _ size: Int, _ maxSize: Int, _ seed: UInt32
) -> Int {
  isFuzzing = true
  guard let mutate = target.mutate else { return LLVMFuzzerMutate(data, size, maxSize) }
  var random = Random(seed: seed)
  let result = mutate(Array(UnsafeBufferPointer(start: data, count: size)), maxSize, &random)
  let kept = min(result.count, maxSize)
  for index in 0..<kept { data[index] = result[index] }
  return kept
}

/// True once libFuzzer runs, whose mutations need it. Grammars make seeds before.
nonisolated(unsafe) private var isFuzzing = false

/// Changes bytes as libFuzzer itself does: flips, copies, words of the dictionary, parts of other seeds. Without it they
/// stay as they are.
func blindly(_ bytes: [UInt8], maxSize: Int) -> [UInt8] {
  guard maxSize > 0 else { return [] }
  guard isFuzzing else { return Array(bytes.prefix(maxSize)) }
  let room = min(maxSize, max(64, bytes.count * 2))
  return [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
    count = min(bytes.count, room)
    for index in 0..<count { buffer.initializeElement(at: index, to: bytes[index]) }
    for index in count..<room { buffer.initializeElement(at: index, to: 0) }
    count = LLVMFuzzerMutate(buffer.baseAddress, count, room)
  }
}

/// SplitMix64: the same seed, the same file.
struct Random: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt32) { state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ z >> 30) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ z >> 27) &* 0x94D0_49BB_1331_11EB
    return z ^ z >> 31
  }

  mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(max(1, bound))) }
  mutating func one(in count: Int) -> Bool { below(count) == 0 }
  mutating func pick<T>(_ list: [T]) -> T { list[below(list.count)] }

  /// Mostly small, sometimes at the edge of a field.
  mutating func number() -> Int {
    switch below(8) {
    case 0: pick([0, 0xFF, 0xFFFF, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF, 65_535, 65_536, 10_000, 10_001])
    case 1: below(1 << 16)
    default: below(12)
    }
  }
}
