import SPIRV

/// Why a module is not run, or stopped.
public enum ExecutorError: Error, Sendable, Equatable {
  /// The words are no module that its own rules allow.
  case malformed(String)
  /// What the executor has no exact meaning for, and the GLSL line where the module tells.
  case unsupported(String, line: Int?)
  /// A bound was exceeded.
  case limit(String)
  /// A word or pixel outside a bound resource was asked for.
  case outside(String)
}

extension ExecutorError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .malformed(let what): "no valid module: \(what)"
    case .unsupported(let what, let line): (line.map { "line \($0): " } ?? "") + what
    case .limit(let what): what
    case .outside(let what): what
    }
  }
}

/// What a program may take.
public struct ExecutorLimits: Sendable, Hashable {
  /// Turns of loops, together, of a strip.
  public var turns: Int
  /// Registers of a lane: one for each component of each value that lives at a time.
  public var registers: Int
  /// Steps that its instructions become, those of a function once for each call of it.
  public var steps: Int
  /// Instructions of a module.
  public var instructions: Int

  public init(turns: Int = 1 << 20, registers: Int = 1 << 16, steps: Int = 1 << 20, instructions: Int = 1 << 20) {
    self.turns = turns
    self.registers = registers
    self.steps = steps
    self.instructions = instructions
  }
}

/// What Vulkan leaves to a device, and how lanes go; results must not depend on any of it.
public struct ExecutorVariant: Sendable, Hashable {
  /// Numbers below 2^-126 are 0, as operands and as results.
  public var flushesSubnormals = false
  /// Zeros that arithmetic makes have the other sign.
  public var flipsZeros = false
  /// Lanes in the opposite order, so that stores happen in the opposite order too.
  public var isReversed = false
  /// Lanes of a strip.
  public var width = 256

  public init(flushesSubnormals: Bool = false, flipsZeros: Bool = false, isReversed: Bool = false, width: Int = 256) {
    self.flushesSubnormals = flushesSubnormals
    self.flipsZeros = flipsZeros
    self.isReversed = isReversed
    self.width = width
  }
}
