import HDRCore
import SPIRV
import SPIRVExecutor

/// Modules as words, least byte first: read, and run on few lanes with resources of few words.
extension Target {
  static let spirv = Target("spirv", maxLength: 1 << 15, mutate: SPIRVGrammar.mutate) { bytes in
    let words = SPIRVGrammar.words(bytes)
    _ = try? pinningArithmetic(words)
    let limits = ExecutorLimits(turns: 2000, registers: 1 << 13, instructions: 1 << 13)
    guard let program = try? ShaderProgram(words, limits: limits) else { return }
    let memory = PixelBuffer(byteCount: 1 << 14)
    for index in 0..<(1 << 12) {
      memory.base.storeBytes(of: UInt32(index % 7), toByteOffset: 4 * index, as: UInt32.self)
    }
    var resources = ShaderResources()
    for binding in 0..<8 {
      let size = [640, 16_384, 256, 1024, 64, 4, 0, 1024][binding]
      resources.buffers[binding] = UnsafeMutableRawBufferPointer(start: memory.base, count: size)
    }
    for binding in 8..<12 {
      resources.images[binding] = ShaderImage(base: memory.base, width: 8, height: 4, rowBytes: 64)
    }
    for variant in [ExecutorVariant(width: 8), ExecutorVariant(flushesSubnormals: true, isReversed: true, width: 16)] {
      try? program.run(columns: 5, rows: 4, resources, variant: variant)
    }
  }
}

/// Modules whose instructions keep their lengths.
enum SPIRVGrammar {
  static func words(_ bytes: [UInt8]) -> [UInt32] {
    (0..<bytes.count / 4).map { index in
      (0..<4).reduce(0) { $0 | UInt32(bytes[4 * index + $1]) << UInt32(8 * $1) }
    }
  }

  static func mutate(_ bytes: [UInt8], _ maxLength: Int, _ random: inout Random) -> [UInt8] {
    var words = words(bytes)
    guard let all = try? instructions(of: words), all.count > 2 else { return bytes }
    func some() -> Instruction { all[random.below(all.count)] }
    for _ in 0...random.below(3) {
      let one = some()
      // Later instructions keep their places: those that are taken out become OpNop.
      switch random.below(5) {
      case 0 where one.count > 1:
        let place = one.start + 1 + random.below(one.count - 1)
        words[place] = random.below(2) == 0 ? words[place] &+ 1 : UInt32(random.below(Int(max(1, words[Header.bound]))))
      case 1 where one.count > 1:
        let other = some()
        words[one.start + 1 + random.below(one.count - 1)] = words[other.start + random.below(other.count)]
      case 2:
        for index in one.start..<one.start + one.count { words[index] = head(0, 1) }
      case 3:
        let other = some()
        if one.count == other.count {
          for index in 0..<one.count { words.swapAt(one.start + index, other.start + index) }
        }
      default: words[one.start] = words[one.start] & 0xffff_0000 | UInt32(random.below(260))
      }
    }
    return words.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> UInt32(8 * $0)) } }
  }
}
