import SPIRV

/// A user's kernel as a stage of a module: `vec4 (vec4 p, uint k)`, which runs over pixels in memory.
package final class PixelFunction: Sendable {
  let program: ShaderProgram

  /// The limits, for registers of one pixel and turns of loops.
  static let limits = ExecutorLimits(turns: 1 << 40, registers: 1 << 14)

  /// - Parameters:
  ///   - words: a module of `KernelLibrary.kernel` with the kernel among its stages.
  ///   - library: functions, by name in the module, to call instead of compiling the module's; they give the same bits.
  /// - Throws: `ExecutorError` for constructs without an exact meaning in the executor, and for exceeded limits.
  package convenience init(
    _ words: [UInt32], library: [String: LibraryFunction] = [:]
  ) throws(ExecutorError) {
    try self.init(words, library: library, reusesRegisters: true)
  }

  /// - Parameter reusesRegisters: `false`: each value has a register of its own, for tests.
  package init(
    _ words: [UInt32], library: [String: LibraryFunction] = [:], reusesRegisters: Bool
  ) throws(ExecutorError) {
    program = try ShaderProgram(
      words, function: KernelLibrary.userStageName, library: library, limits: Self.limits,
      reusesRegisters: reusesRegisters)
  }

  /// The number of registers of a pixel, without constants.
  package var registers: Int { program.rows }
}

/// The rows of one channel of a picture.
package struct PixelRows {
  package var base: UnsafeRawPointer
  package var rowBytes: Int
  package var stepBytes: Int

  package init(base: UnsafeRawPointer, rowBytes: Int, stepBytes: Int) {
    (self.base, self.rowBytes, self.stepBytes) = (base, rowBytes, stepBytes)
  }
}

/// A picture that a kernel reads besides its own pixel: 1, 3 or 4 channels of binary32.
package struct PixelSource {
  package var channels: [PixelRows]
  package var width: Int
  package var height: Int

  package init(channels: [PixelRows], width: Int, height: Int) {
    (self.channels, self.width, self.height) = (channels, width, height)
  }
}

/// The values that a kernel can ask its host for.
package struct PixelHost {
  /// The position of the first pixel.
  package var x: Int
  package var y: Int
  /// The size of the picture.
  package var width: Int
  package var height: Int
  package var headroom: Float
  package var contentHeadroom: Float
  /// The values of the kernel's parameters.
  package var parameters: UnsafeBufferPointer<UInt32>
  package var radius: Int
  package var sources: [PixelSource]

  package init(
    x: Int, y: Int, width: Int, height: Int, headroom: Float, contentHeadroom: Float,
    parameters: UnsafeBufferPointer<UInt32>, radius: Int,
    sources: [PixelSource]
  ) {
    (self.x, self.y, self.width, self.height) = (x, y, width, height)
    (self.headroom, self.contentHeadroom) = (headroom, contentHeadroom)
    (self.parameters, self.radius, self.sources) = (parameters, radius, sources)
  }
}

/// Runs a kernel over consecutive pixels of a row; for one thread.
package final class PixelStrip {
  private let strip: LaneStrip
  private let width: Int
  /// The number of operations in loops of the costliest pixel of the last run.
  package private(set) var operations = 0

  /// - Parameter width: pixels that run together; `nil`: up to 512, if they fit a second-level cache.
  package init(_ function: PixelFunction, variant: ExecutorVariant = ExecutorVariant(), width: Int? = nil) {
    let fitting = PixelStrip.cacheBytes / max(1, 4 * function.program.rows)
    self.width = width ?? min(max(fitting / 64 * 64, 128), 512)
    strip = LaneStrip(function.program, ShaderResources(), variant, width: self.width)
  }

  static let cacheBytes = 128 << 10

  /// - Parameters:
  ///   - planes: R, G, B and A, each of `count` pixels; the result replaces them.
  package func run(_ planes: [UnsafeMutablePointer<Float>], count: Int, _ host: PixelHost) {
    let program = strip.program
    operations = 0
    for start in stride(from: 0, to: count, by: width) {
      let part = min(width, count - start)
      strip.begin(0..<part, columns: part)
      strip.host = host
      strip.host?.x += start
      for (plane, register) in zip(planes, program.arguments[0]) {
        strip.row(register).update(from: Self.words(plane + start), count: part)
        strip.setUniform(register, false)
      }
      strip.set(program.arguments[1][0], 0)
      // Kernels have no buffers and count their loops' turns themselves, so nothing can fail.
      try? strip.run()
      if let counter = program.counter {
        for lane in 0..<part { operations = max(operations, Int(strip.word(counter, lane))) }
      }
      for (plane, register) in zip(planes, program.result) {
        let row = strip.row(register), target = Self.words(plane + start)
        if strip.isUniform(register) {
          target.update(repeating: row[0], count: part)
        } else {
          target.update(from: row, count: part)
        }
      }
    }
  }

  private static func words(_ floats: UnsafeMutablePointer<Float>) -> UnsafeMutablePointer<UInt32> {
    UnsafeMutableRawPointer(floats).assumingMemoryBound(to: UInt32.self)
  }
}

/// A function of up to three numbers that a program calls for all lanes at once, instead of running its steps.
package struct LibraryFunction: Sendable {
  package typealias Row = UnsafePointer<Float>
  /// Rows of arguments (unused ones may be any row), the row of the result (none of the arguments' rows), and lanes.
  package typealias Loop = @Sendable (_ x: Row, _ y: Row, _ z: Row, _ result: UnsafeMutablePointer<Float>, Int) -> Void

  let arguments: Int
  let run: Loop

  package init(_ arguments: Int, _ run: @escaping Loop) {
    (self.arguments, self.run) = (arguments, run)
  }
}

/// The functions of Shaders/glsl/user.glsl that the host provides, and those of a library.
enum HostFunction: Sendable {
  case word, headroom, contentHeadroom, position, size, pixel
  case library(LibraryFunction)

  /// Finds the function of a name in a module.
  init?(_ name: String, _ library: [String: LibraryFunction]) {
    let name = String(name.prefix { $0 != "(" })
    switch name {
    case "kernel_float", "kernel_word": self = .word
    case "kernel_headroom": self = .headroom
    case "kernel_content_headroom": self = .contentHeadroom
    case "kernel_position": self = .position
    case "kernel_size": self = .size
    case "kernel_pixel": self = .pixel
    default:
      guard let function = library[name] else { return nil }
      self = .library(function)
    }
  }

  var arguments: Int {
    switch self {
    case .word: 1
    case .headroom, .contentHeadroom, .position, .size: 0
    case .pixel: 3
    case .library(let function): function.arguments
    }
  }

  var results: Int {
    switch self {
    case .word, .headroom, .contentHeadroom, .library: 1
    case .position, .size: 2
    case .pixel: 4
    }
  }
}
