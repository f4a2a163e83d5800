import SPIRV

/// An error that says why a module is refused, or why its run stopped.
package enum ExecutorError: Error, Sendable, Equatable {
  /// The words are not a valid module.
  case malformed(String)
  /// A construct without an exact meaning in the executor, and its GLSL line if the module states it.
  case unsupported(String, line: Int?)
  /// A limit was exceeded.
  case limit(String)
  /// A word or pixel outside a bound resource was accessed.
  case outside(String)
}

extension ExecutorError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .malformed(let what): "no valid module: \(what)"
    case .unsupported(let what, let line): (line.map { "line \($0): " } ?? "") + what
    case .limit(let what): what
    case .outside(let what): what
    }
  }
}

/// The limits on a program's size and run.
package struct ExecutorLimits: Sendable, Hashable {
  /// The largest number of loop turns of a strip, all loops together.
  package var turns: Int
  /// The largest number of registers of a lane: one for each component of each value that is live at the same time.
  package var registers: Int
  /// The largest number of steps; a function's steps count once for each call.
  package var steps: Int
  /// The largest number of instructions of a module.
  package var instructions: Int

  package init(turns: Int = 1 << 20, registers: Int = 1 << 16, steps: Int = 1 << 20, instructions: Int = 1 << 20) {
    self.turns = turns
    self.registers = registers
    self.steps = steps
    self.instructions = instructions
  }
}

/// Choices that Vulkan leaves to a device, and the order and number of lanes; results must not depend on them.
package struct ExecutorVariant: Sendable, Hashable {
  /// True if numbers below 2^-126 become 0, as operands and as results.
  package var flushesSubnormals = false
  /// True if zeros that arithmetic makes get the other sign.
  package var flipsZeros = false
  /// True if lanes run in the opposite order, so that stores happen in the opposite order too.
  package var isReversed = false
  /// The number of lanes of a strip.
  package var width = 256

  package init(flushesSubnormals: Bool = false, flipsZeros: Bool = false, isReversed: Bool = false, width: Int = 256) {
    self.flushesSubnormals = flushesSubnormals
    self.flipsZeros = flipsZeros
    self.isReversed = isReversed
    self.width = width
  }
}
