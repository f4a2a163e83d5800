import HDRCore
import SPIRV
import SPIRVExecutor
import Shaders
import Testing

/// Modules that are not exact, not whole or without end are refused with a message.
@Suite struct RefusalTests {
  static func kernel(_ stages: [String] = ["matrix3"]) throws -> [UInt32] {
    try ShaderLibrary.library().kernel(
      stages: stages.map { KernelLibrary.Call($0, constants: 0) },
      sink: KernelLibrary.Call("store_rgba16", constants: 64))
  }

  static func refusal(_ words: [UInt32], limits: ExecutorLimits = ExecutorLimits()) -> ExecutorError? {
    do throws(ExecutorError) {
      _ = try ShaderProgram(words, limits: limits)
      return nil
    } catch {
      return error
    }
  }

  /// Operations that devices may round as they like.
  @Test(arguments: [(136, "/ between floats"), (140, "mod"), (138, "division"), (141, "mod")])
  func inexactOperationsAreNamed(opcode: UInt32, name: String) throws {
    var words = try Self.kernel()
    let product = try #require(try instructions(of: words).first { $0.opcode == Op.fMul })
    words[product.start] = words[product.start] & 0xffff_0000 | opcode
    guard case .unsupported(let what, _) = Self.refusal(words) else {
      Issue.record("not refused")
      return
    }
    #expect(what.hasPrefix(name))
  }

  @Test func cutAndTooLargeModulesAreRefused() throws {
    let words = try Self.kernel()
    for count in stride(from: 0, to: words.count, by: 17) { #expect(Self.refusal(Array(words[..<count])) != nil) }
    #expect(Self.refusal(words) == nil)
    for limits in [ExecutorLimits(registers: 10), ExecutorLimits(steps: 100), ExecutorLimits(instructions: 100)] {
      guard case .limit = Self.refusal(words, limits: limits) else {
        Issue.record("no limit")
        return
      }
    }
  }

  @Test func functionsThatCallThemselvesAreRefused() throws {
    var words = try Self.kernel()
    let all = try instructions(of: words)
    // Every function calls the first that is called.
    let calls = all.filter { $0.opcode == Op.functionCall }
    var inside: UInt32 = 0, isMade = false
    for i in all {
      if i.opcode == Op.function { inside = words[i.start + 2] }
      if !isMade, i.opcode == Op.functionCall, calls.contains(i) {
        words[i.start + 3] = inside
        isMade = true
      }
    }
    #expect(Self.refusal(words) == .unsupported("recursion", line: nil))
  }

  @Test func loopsEndAtTheLimitOfTurns() throws {
    var words = try Self.kernel(["convolve_x"])
    let all = try instructions(of: words)
    let loop = try #require(all.firstIndex { $0.opcode == 246 })
    // The branch that would leave it goes on.
    let branch = try #require(all[loop...].first { $0.opcode == 250 && $0.count == 4 })
    words.replaceSubrange(
      branch.start..<branch.start + 4, with: [head(249, 2), words[branch.start + 2], head(0, 1), head(0, 1)])
    let memory = PixelBuffer(byteCount: 1 << 16)
    for index in 0..<(1 << 14) { memory.base.storeBytes(of: 8, toByteOffset: 4 * index, as: UInt32.self) }
    var resources = ShaderResources()
    for binding in 0..<8 {
      resources.buffers[binding] = UnsafeMutableRawBufferPointer(start: memory.base, count: memory.byteCount)
    }
    let program = try ShaderProgram(words, limits: ExecutorLimits(turns: 1000))
    #expect(throws: ExecutorError.limit("more than 1000 turns of loops")) {
      try program.run(columns: 8, rows: 1, resources)
    }
  }

  @Test func bindingsWithoutABufferAreNamed() throws {
    let program = try ShaderProgram(try Self.kernel())
    #expect(throws: ExecutorError.outside("binding 0, which nothing is bound to")) {
      try program.run(columns: 8, rows: 1, ShaderResources())
    }
  }
}
