import LaneLoops
import SPIRV
import Synchronization
import Threads

/// A compute module that runs on the CPU as Vulkan's exact operations define it: sums, differences and products with
/// one rounding each, comparisons, integers, conversions, and functions that are exact (`floor`, `abs`, `min`). It
/// refuses all others when it reads the module.
///
/// Invocations run in strips of lanes, an instruction over all lanes at a time; where lanes diverge, some wait.
/// Source: SPIR-V 1.3; the float controls of SPV_KHR_float_controls (round to nearest even).
package struct ShaderProgram: Sendable {
  let steps: [LaneStep]
  let accesses: [Access]
  let choices: [Choice]
  let calls: [LibraryFunction]
  /// The number of registers that have a row of lanes. Those of constants come after them.
  let rows: Int
  let constants: [UInt32]
  let invocation: [Register]
  /// The registers of the variables that a function's pointers point to, if the program is one function.
  let arguments: [[Register]]
  let result: [Register]
  /// The register in which a kernel counts the operations of its loops.
  let counter: Register?
  let limits: ExecutorLimits
  /// The invocations of a work-group.
  package let localSize: (x: Int, y: Int)

  /// - Throws: `ExecutorError.malformed`, `.unsupported` and `.limit`.
  package init(_ words: [UInt32], limits: ExecutorLimits = ExecutorLimits()) throws(ExecutorError) {
    try self.init(words, limits: limits, reusesRegisters: true)
  }

  /// - Parameter reusesRegisters: `false`: each value has a register of its own, for tests.
  init(_ words: [UInt32], limits: ExecutorLimits, reusesRegisters: Bool) throws(ExecutorError) {
    let tables = try ModuleTables(words, limits), builder = try ProgramBuilder(tables, limits)
    try builder.checkCalls(tables.entry)
    _ = try builder.function(tables.entry, [])
    try self.init(
      builder, arguments: [], result: [], counter: nil, localSize: (tables.localSize.x, tables.localSize.y),
      reusesRegisters)
  }

  /// Compiles a function `vec4 NAME(vec4, uint)` of a module, which a `PixelStrip` runs; functions that the host or the
  /// library provides are not compiled.
  init(
    _ words: [UInt32], function name: String, library: [String: LibraryFunction], limits: ExecutorLimits,
    reusesRegisters: Bool = true
  ) throws(ExecutorError) {
    let tables = try ModuleTables(words, limits)
    guard let id = tables.names.first(where: { $0.value == name })?.key,
      let text = tables.functions.first(where: { $0.id == id }), text.parameters.count == 2
    else { throw .malformed("it has no function \(name)") }
    let builder = try ProgramBuilder(tables, limits, library: library)
    try builder.checkCalls(id)
    var arguments: [[Register]] = [], values: [FunctionCompiler.Value] = []
    for (parameter, count) in zip(text.parameters, [4, 1]) {
      guard case .pointer(.function, let pointee) = try tables.types.type(parameter.type),
        try tables.types.components(pointee) == count
      else { throw .malformed("parameters of \(name)") }
      let first = try builder.variable(of: count)
      arguments.append(Array(first..<first + Register(count)))
      values.append(.place(Place(base: .register(first)), pointee: pointee))
    }
    let result = try builder.function(id, values)
    guard result.count == 4 else { throw .malformed("parameters of \(name)") }
    let counter = tables.names.first { $0.value == KernelLibrary.userCounterName }.flatMap { builder.globals[$0.key] }
    try self.init(
      builder, arguments: arguments, result: result, counter: counter, localSize: (1, 1), reusesRegisters)
  }

  private init(
    _ builder: ProgramBuilder, arguments: [[Register]], result: [Register], counter: Register?,
    localSize: (x: Int, y: Int), _ reusesRegisters: Bool
  ) throws(ExecutorError) {
    var code = CodeList(builder)
    let invocation = builder.invocation.map { Array($0..<$0 + 3) } ?? []
    let inputs = invocation + arguments.joined()
    var results = result + (counter.map { [$0] } ?? [])
    code.removeDead(results: results)
    code.removeOverwritten()
    results = code.followCopies(inputs: inputs, results: results)
    code.storeAtOnce(results: results)
    let live = Liveness(code, inputs: inputs, results: results)
    let allocation = RegisterAllocation(
      live, blocks: code.indexedVariables,
      constants: Set(builder.constants.map(\.register)), reuses: reusesRegisters)
    guard allocation.count <= builder.limits.registers else {
      throw .limit("more than \(builder.limits.registers) values at a time")
    }
    var numbers = allocation.colors
    for (index, constant) in builder.constants.enumerated() {
      numbers[Int(constant.register)] = allocation.count + Register(index)
    }
    code.rename { numbers[Int($0)] }
    (steps, accesses, choices) = (code.steps, code.accesses, code.choices)
    calls = builder.calls
    rows = Int(allocation.count)
    constants = builder.constants.map(\.word)
    let isInvocationRead = invocation.contains {
      live.intervals[Int($0)].last > live.intervals[Int($0)].first
    }
    self.invocation = isInvocationRead ? invocation.map { numbers[Int($0)] } : []
    self.arguments = arguments.map { $0.map { numbers[Int($0)] } }
    self.result = results.prefix(result.count).map { numbers[Int($0)] }
    self.counter = counter.map { _ in numbers[Int(results[results.count - 1])] }
    limits = builder.limits
    self.localSize = localSize
  }

  /// Runs an invocation for each place of a grid.
  ///
  /// - Throws: `ExecutorError.outside` and `.limit`; words that were written until then stay.
  package func run(
    columns: Int, rows: Int, _ resources: ShaderResources, variant: ExecutorVariant = ExecutorVariant(),
    threads: Int = 1
  ) throws(ExecutorError) {
    let total = columns * rows
    guard total > 0 else { return }
    let width = max(8, (variant.width + 7) / 8 * 8), strips = (total - 1) / width + 1
    // The error of the first strip that failed, by number.
    let failure = Mutex<(strip: Int, error: ExecutorError)?>(nil)
    shareOut(strips, among: min(threads, strips)) { next in
      let strip = LaneStrip(self, resources, variant, width: width)
      while let number = next() {
        let first = (variant.isReversed ? strips - 1 - number : number) * width
        strip.begin(first..<min(first + width, total), columns: columns)
        do throws(ExecutorError) {
          try strip.run()
        } catch {
          failure.withLock { if $0.map({ first < $0.strip }) ?? true { $0 = (first, error) } }
          return
        }
      }
    }
    if let error = failure.withLock({ $0?.error }) { throw error }
  }
}

/// The buffers and images that a program reads and writes, by binding.
package struct ShaderResources: @unchecked Sendable {
  /// Buffers of 32-bit words.
  package var buffers: [Int: UnsafeMutableRawBufferPointer] = [:]
  /// Images of four 16-bit words a pixel.
  package var images: [Int: ShaderImage] = [:]
  package init() {}
}

/// A storage image of format `rgba16ui`.
package struct ShaderImage {
  package var base: UnsafeMutableRawPointer
  package var width: Int
  package var height: Int
  package var rowBytes: Int

  package init(base: UnsafeMutableRawPointer, width: Int, height: Int, rowBytes: Int) {
    (self.base, self.width, self.height, self.rowBytes) = (base, width, height, rowBytes)
  }
}
