import HDRCore
import Kernels
import SPIRV

/// A user's kernel, read and checked: its head, its module for GPUs, its program for the CPU.
package struct UserKernel: Sendable {
  package let head: KernelHead
  /// The digest of the kernel's text, in hexadecimal digits.
  package let digest: String
  package let module: UserModule
  package let program: any KernelProgram
  package let headroomFactor: Expression?

  /// - Throws: `Expression.Fault` for a headroom rule that is not an expression of the kernel's numbers.
  package init(
    head: KernelHead, digest: String, module: UserModule, program: any KernelProgram
  ) throws(Expression.Fault) {
    (self.head, self.digest, self.module, self.program) = (head, digest, module, program)
    if case .scales(let text) = head.headroom {
      headroomFactor = try Expression(parsing: text, variables: head.variables)
    } else {
      headroomFactor = nil
    }
  }

  /// The kernel's parameters and inputs as those of a filter.
  package var parameters: [FilterParameter] {
    head.parameters.map { FilterParameter($0.name, $0.filterKind, $0.summary) }
      + head.inputs.map { FilterParameter($0, .input(nil), "a second picture") }
  }

  /// Returns the same kernel with another program for the CPU.
  package func replaced(by program: any KernelProgram) -> UserKernel {
    UserKernel(head: head, digest: digest + "*", module: module, program: program, headroomFactor: headroomFactor)
  }

  private init(
    head: KernelHead, digest: String, module: UserModule, program: any KernelProgram, headroomFactor: Expression?
  ) {
    (self.head, self.digest, self.module, self.program) = (head, digest, module, program)
    self.headroomFactor = headroomFactor
  }

  /// The words of the parameters' defaults.
  package var standardWords: [UInt32] { words(FilterValues()) }

  /// Returns the words of the parameters, as the kernel reads them.
  func words(_ values: FilterValues) -> [UInt32] {
    zip(head.parameters, parameters).flatMap { own, parameter -> [UInt32] in
      switch own.kind {
      case .number: [values.value(parameter).word]
      case .count: [(values.count(parameter) ?? 0).word]
      case .flag: [values.flag(parameter).word]
      case .vector: (values.vector(parameter) ?? []).map(\.word)
      case .color: values.color(parameter).map(\.word)
      }
    }
  }

  /// Returns the content headroom after the kernel; `nil`: unknown.
  func headroom(_ values: FilterValues, after content: Headroom) -> Headroom? {
    switch head.headroom {
    case .keeps: return content
    case .unknown: return nil
    case .scales:
      var numbers: [Expression.Variable: Double] = [:]
      for (own, parameter) in zip(head.parameters, parameters) {
        switch own.kind {
        case .number, .count: numbers[Expression.Variable(rawValue: own.name)] = values.value(parameter)
        case .flag: numbers[Expression.Variable(rawValue: own.name)] = values.flag(parameter) ? 1 : 0
        default: break
        }
      }
      guard let factor = headroomFactor?.value(numbers), factor.isFinite, factor > 0 else { return nil }
      return Headroom(stops: max(0, content.stops + ExactMath.log2(factor)))
    }
  }
}

/// Kernels of equal texts are equal.
extension UserKernel: Hashable {
  package static func == (a: UserKernel, b: UserKernel) -> Bool { a.digest == b.digest }
  package func hash(into hasher: inout Hasher) { hasher.combine(digest) }
}

extension KernelHead {
  /// The numbers that the headroom rule may name.
  fileprivate var variables: [Expression.Variable] {
    parameters.compactMap {
      switch $0.kind {
      case .number, .count, .flag: Expression.Variable(rawValue: $0.name)
      default: nil
      }
    }
  }
}

extension KernelHead.Parameter {
  fileprivate var filterKind: FilterParameter.Kind {
    switch kind {
    case .number(let value, let range): .number(value, range)
    case .count(let value, let range): .count(value, range)
    case .flag(let value): .flag(value)
    case .vector(let list, let range): .vector(list, size: list.count, range)
    case .color(let list): .color(list)
    }
  }
}
