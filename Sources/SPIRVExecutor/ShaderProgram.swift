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
  let limits: ExecutorLimits
  /// Invocations of a work-group.
  public let localSize: (x: Int, y: Int)

  /// - Throws: `ExecutorError.malformed`, `.unsupported` and `.limit`.
  public init(_ words: [UInt32], limits: ExecutorLimits = ExecutorLimits()) throws(ExecutorError) {
    let tables = try ModuleTables(words, limits)
    var builder = try ProgramBuilder(tables, limits)
    entry = try builder.function(tables.entry)
    functions = builder.functions
    constants = builder.constants
    registers = builder.registers
    parameters = builder.parameters
    invocation = builder.invocation
    self.limits = limits
    localSize = (tables.localSize.x, tables.localSize.y)
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
