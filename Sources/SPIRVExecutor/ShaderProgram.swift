import SPIRV
import Synchronization
import Threads

/// A compute module that runs on the CPU as Vulkan's exact operations define it: sums, differences and products with one
/// rounding each, comparisons, integers, conversions, and functions that are exact (`floor`, `abs`, `min`). Everything else is
/// refused when the module is read.
///
/// Invocations run in strips of lanes, an instruction over all lanes at a time; where lanes part, those that are off wait.
/// Source: SPIR-V 1.3; the float controls of SPV_KHR_float_controls (round to nearest even).
public struct ShaderProgram: Sendable {
  let functions: [FunctionCode]
  let constants: [(register: Register, word: UInt32)]
  let registers: Int
  let parameters: Int
  let invocation: Register?
  let entry: Int
  /// Registers of the variables that a function's pointers stand for, where the program is one function.
  let arguments: [[Register]]
  /// Where a kernel counts the operations of its loops.
  let counter: Register?
  let limits: ExecutorLimits
  /// Invocations of a work-group.
  public let localSize: (x: Int, y: Int)

  /// - Throws: `ExecutorError.malformed`, `.unsupported` and `.limit`.
  public init(_ words: [UInt32], limits: ExecutorLimits = ExecutorLimits()) throws(ExecutorError) {
    let tables = try ModuleTables(words, limits)
    var builder = try ProgramBuilder(tables, limits)
    entry = try builder.function(tables.entry)
    arguments = []
    counter = nil
    functions = builder.functions
    constants = builder.constants
    registers = builder.registers
    parameters = builder.parameters
    invocation = builder.invocation
    self.limits = limits
    localSize = (tables.localSize.x, tables.localSize.y)
  }

  /// A function `vec4 NAME(vec4, uint)` of a module, which a `PixelStrip` runs; the functions that it has of a host are not
  /// read.
  init(
    _ words: [UInt32], function name: String, library: [String: LibraryFunction], limits: ExecutorLimits
  ) throws(ExecutorError) {
    let tables = try ModuleTables(words, limits)
    guard let id = tables.names.first(where: { $0.value == name })?.key,
      let text = tables.functions.first(where: { $0.id == id }), text.parameters.count == 2
    else { throw .malformed("it has no function \(name)") }
    var builder = try ProgramBuilder(tables, limits, library: library)
    entry = try builder.function(id)
    var arguments: [[Register]] = []
    for parameter in text.parameters {
      guard case .pointer(.function, let pointee) = try tables.types.type(parameter.type) else {
        throw .malformed("parameters of \(name)")
      }
      let count = try tables.types.components(pointee), first = try builder.take(count)
      arguments.append(Array(first..<first + count))
    }
    guard arguments[0].count == 4, arguments[1].count == 1, builder.functions[entry].result.count == 4 else {
      throw .malformed("parameters of \(name)")
    }
    self.arguments = arguments
    counter = tables.names.first { $0.value == KernelLibrary.userCounterName }.flatMap { builder.globals[$0.key] }
    functions = builder.functions
    constants = builder.constants
    registers = builder.registers
    parameters = builder.parameters
    invocation = builder.invocation
    self.limits = limits
    localSize = (1, 1)
  }

  /// Runs an invocation for each place of a grid.
  ///
  /// - Throws: `ExecutorError.outside` and `.limit`; what was written until then stays.
  public func run(
    columns: Int, rows: Int, _ resources: ShaderResources, variant: ExecutorVariant = ExecutorVariant(),
    threads: Int = 1
  ) throws(ExecutorError) {
    let total = columns * rows
    guard total > 0 else { return }
    let width = max(8, (variant.width + 7) / 8 * 8), strips = (total - 1) / width + 1
    // The first failure by number of the strip.
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

/// What a program reads and writes, by binding.
public struct ShaderResources: @unchecked Sendable {
  /// 32-bit words.
  public var buffers: [Int: UnsafeMutableRawBufferPointer] = [:]
  /// Four 16-bit words a pixel.
  public var images: [Int: ShaderImage] = [:]
  public init() {}
}

/// A storage image of format `rgba16ui`.
public struct ShaderImage {
  public var base: UnsafeMutableRawPointer
  public var width: Int
  public var height: Int
  public var rowBytes: Int

  public init(base: UnsafeMutableRawPointer, width: Int, height: Int, rowBytes: Int) {
    (self.base, self.width, self.height, self.rowBytes) = (base, width, height, rowBytes)
  }
}
