import LaneLoops
import SPIRV

/// The steps of a module from one function on, with the functions that it calls in the place of their calls.
final class ProgramBuilder {
  let tables: ModuleTables
  let limits: ExecutorLimits
  private(set) var code: [Step] = []
  var accesses: [Access] = []
  var choices: [Choice] = []
  private(set) var calls: [LibraryFunction] = []
  /// Registers that hold constants, and their words.
  private(set) var constants: [(register: Register, word: UInt32)] = []
  private var constantRegisters: [UInt32: Register] = [:]
  /// Register 0 holds the lanes that are on.
  private(set) var registers: Register = 1
  /// Variables by their first register, of each the last.
  private(set) var variables: [Register: Register] = [:]
  /// Global variables in registers: their first one.
  private(set) var globals: [UInt32: Register] = [:]
  /// Three registers: the number of the invocation.
  private(set) var invocation: Register?
  /// Functions that are not run but asked for.
  private(set) var hosts: [UInt32: HostFunction] = [:]
  /// Values of loops that are used behind them, by function.
  private var escapes: [UInt32: Set<UInt32>] = [:]

  /// What variables hold at this place of the program: registers by register of the variable.
  var held: [Register: Register] = [:]
  /// Variables that were stored to, in order.
  private(set) var stored: [Register] = []
  /// Calls, branches and loops around this place.
  var depth = 0

  /// - Parameter library: functions that are called instead of being run; `nil`: none is, those of a host neither.
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

  /// Registers of a variable.
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
  @discardableResult func emit(_ step: Step) throws(ExecutorError) -> Int {
    guard code.count < limits.steps else { throw .limit("more than \(limits.steps) steps") }
    code.append(step)
    return code.count - 1
  }

  func emit(_ operation: LaneOperation, _ a: Register, _ b: Register, _ c: Register? = nil) throws(ExecutorError) {
    try emit(Step(kind: .compute, operation: operation, a: a, b: b, c: c ?? b))
  }

  func emit(_ kind: Step.Kind, _ access: Access) throws(ExecutorError) {
    accesses.append(access)
    try emit(Step(kind: kind, number: Int32(accesses.count - 1)))
  }

  /// A call of a function of the library.
  func emit(_ function: LibraryFunction, _ arguments: [Register], result: Register)
    throws(ExecutorError)
  {
    calls.append(function)
    // Those that it does not have are any.
    let all = arguments + [arguments[arguments.count - 1], arguments[arguments.count - 1]]
    try emit(
      Step(kind: .call, number: Int32(calls.count - 1), a: result, b: all[0], c: all[1], d: all[2]))
  }

  var place: Int32 { Int32(code.count) }

  /// Says where parts of a step end, once they were made.
  func close(_ step: Int, end: Int32, last: Int32) {
    code[step].end = end
    code[step].last = last
  }

  // MARK: What variables hold

  var storedCount: Int { stored.count }

  func note(stored register: Register) { stored.append(register) }

  /// Takes back what was known, but for what was stored since.
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

  /// Refuses what calls itself.
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

  /// Appends a function's steps.
  ///
  /// - Returns: registers of its result.
  func function(_ id: UInt32, _ arguments: [FunctionCompiler.Value]) throws(ExecutorError) -> [Register] {
    depth += 1
    defer { depth -= 1 }
    let text = try text(of: id)
    guard text.parameters.count == arguments.count else { throw .malformed("a call with other parameters") }
    // Twice: what leaves a loop is known only after its uses were met.
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
