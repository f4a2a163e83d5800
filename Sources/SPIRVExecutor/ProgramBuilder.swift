import LaneLoops
import SPIRV

/// Makes the steps of a module from one function on; the functions that it calls replace their calls.
final class ProgramBuilder {
  let tables: ModuleTables
  let limits: ExecutorLimits
  private(set) var code: [LaneStep] = []
  var accesses: [Access] = []
  var choices: [Choice] = []
  private(set) var calls: [LibraryFunction] = []
  /// The registers that hold constants, and their words.
  private(set) var constants: [(register: Register, word: UInt32)] = []
  private var constantRegisters: [UInt32: Register] = [:]
  /// Register 0 holds the lanes that are on.
  private(set) var registers: Register = 1
  /// The last register of each variable, by its first.
  private(set) var variables: [Register: Register] = [:]
  /// The first registers of global variables.
  private(set) var globals: [UInt32: Register] = [:]
  /// The first of three registers that hold the invocation's number.
  private(set) var invocation: Register?
  /// The functions that are called in the host instead of being compiled.
  private(set) var hosts: [UInt32: HostFunction] = [:]
  /// Values that are computed in loops and used after them, by function.
  private var escapes: [UInt32: Set<UInt32>] = [:]

  /// The registers that hold the values of variables at this place of the program, by register of the variable.
  var held: [Register: Register] = [:]
  /// The variables that were stored to, in order.
  private(set) var stored: [Register] = []
  /// The number of calls, branches and loops around this place.
  var depth = 0

  /// - Parameter library: functions that are called instead of being compiled; `nil`: none, and none of a host either.
  init(
    _ tables: ModuleTables, _ limits: ExecutorLimits, library: [String: LibraryFunction]? = nil
  ) throws(ExecutorError) {
    (self.tables, self.limits) = (tables, limits)
    if let library {
      for function in tables.functions { hosts[function.id] = HostFunction(tables.names[function.id] ?? "", library) }
    }
    for (id, variable) in tables.variables.sorted(by: { $0.key < $1.key }) {
      switch variable.storage {
      case .private: globals[id] = try self.variable(of: tables.types.components(variable.pointee))
      case .input:
        // GlobalInvocationId
        guard tables.builtIns[id] == 28 else {
          throw .unsupported("an input that is not the invocation's number", line: nil)
        }
        guard try tables.types.components(variable.pointee) == 3 else {
          throw .malformed("a number of an invocation that is not of three parts")
        }
        let first = try self.variable(of: 3)
        (globals[id], invocation) = (first, first)
      default: break
      }
    }
    let zero = try constant(0)
    for first in globals.values.sorted() where first != invocation {
      for register in first...(variables[first] ?? first) {
        try emit(.copy, register, zero)
        held[register] = zero
      }
    }
  }

  func take(_ count: Int) throws(ExecutorError) -> Register {
    let first = registers
    guard Int(first) + count <= limits.steps else { throw .limit("more than \(limits.steps) values") }
    registers += Register(count)
    return first
  }

  /// Takes registers for a variable and returns the first.
  func variable(of count: Int) throws(ExecutorError) -> Register {
    let first = try take(count)
    if count > 0 { variables[first] = first + Register(count) - 1 }
    return first
  }

  func constant(_ word: UInt32) throws(ExecutorError) -> Register {
    if let known = constantRegisters[word] { return known }
    let register = try take(1)
    constantRegisters[word] = register
    constants.append((register, word))
    return register
  }

  // MARK: Steps

  /// - Returns: the place of the step.
  @discardableResult func emit(_ step: LaneStep) throws(ExecutorError) -> Int {
    guard code.count < limits.steps else { throw .limit("more than \(limits.steps) steps") }
    code.append(step)
    return code.count - 1
  }

  func emit(_ operation: LaneOperation, _ a: Register, _ b: Register, _ c: Register? = nil) throws(ExecutorError) {
    try emit(LaneStep(kind: .compute, operation: operation, a: a, b: b, c: c ?? b))
  }

  func emit(_ kind: LaneStep.Kind, _ access: Access) throws(ExecutorError) {
    accesses.append(access)
    try emit(LaneStep(kind: kind, number: Int32(accesses.count - 1)))
  }

  /// Adds a call of a library function.
  func emit(_ function: LibraryFunction, _ arguments: [Register], result: Register)
    throws(ExecutorError)
  {
    calls.append(function)
    // Arguments that the function does not have may be any register.
    let all = arguments + [arguments[arguments.count - 1], arguments[arguments.count - 1]]
    try emit(
      LaneStep(kind: .call, number: Int32(calls.count - 1), a: result, b: all[0], c: all[1], d: all[2]))
  }

  var place: Int32 { Int32(code.count) }

  /// Sets the places where parts of a step end, after they were made.
  func close(_ step: Int, end: Int32, last: Int32) {
    code[step].end = end
    code[step].last = last
  }

  // MARK: What variables hold

  var storedCount: Int { stored.count }

  func note(stored register: Register) { stored.append(register) }

  /// Restores the known values of variables, except of those that were stored to since.
  func restore(_ before: [Register: Register], since count: Int) {
    held = before
    for register in stored[count...] { held[register] = nil }
  }

  // MARK: Functions

  private func text(of id: UInt32) throws(ExecutorError) -> FunctionText {
    guard let text = tables.functions.first(where: { $0.id == id }) else {
      throw .malformed("function %\(id) is not there")
    }
    return text
  }

  /// Refuses functions that call themselves.
  func checkCalls(_ id: UInt32) throws(ExecutorError) {
    var checked: Set<UInt32> = []
    func check(_ id: UInt32, _ callers: [UInt32]) throws(ExecutorError) {
      guard !callers.contains(id) else { throw .unsupported("recursion", line: nil) }
      guard !checked.contains(id) else { return }
      guard callers.count < 32 else { throw .limit("calls more than 32 deep") }
      var callees: Set<UInt32> = []
      for block in try text(of: id).blocks {
        for (words, _) in block.body where words.opcode == Op.functionCall { callees.insert(words[3]) }
      }
      for callee in callees.sorted() where hosts[callee] == nil { try check(callee, callers + [id]) }
      checked.insert(id)
    }
    try check(id, [])
  }

  /// Adds a function's steps.
  ///
  /// - Returns: the registers of its result.
  func function(_ id: UInt32, _ arguments: [FunctionCompiler.Value]) throws(ExecutorError) -> [Register] {
    depth += 1
    defer { depth -= 1 }
    let text = try text(of: id)
    guard text.parameters.count == arguments.count else { throw .malformed("a call with other parameters") }
    // Twice: the values that leave a loop are known only after all their uses were seen.
    let before = (code.count, accesses.count, choices.count, stored.count, held)
    while true {
      let known = escapes[id] ?? []
      var compiler = FunctionCompiler(self, text, known)
      let result = try compiler.compile(arguments)
      if compiler.escapes == known { return result }
      escapes[id] = compiler.escapes
      code.removeSubrange(before.0...)
      accesses.removeSubrange(before.1...)
      choices.removeSubrange(before.2...)
      stored.removeSubrange(before.3...)
      held = before.4
    }
  }
}
