import SPIRV

/// Makes steps of a module's functions: those that are called before those that call.
struct ProgramBuilder {
  let tables: ModuleTables
  let limits: ExecutorLimits
  /// Registers that hold constants, and their words.
  private(set) var constants: [(register: Register, word: UInt32)] = []
  private var constantRegisters: [UInt32: Register] = [:]
  /// Register 0 holds the lanes that are on.
  private(set) var registers = 1
  private(set) var parameters = 0
  private(set) var functions: [FunctionCode] = []
  private var numbers: [UInt32: Int] = [:]
  /// Global variables in registers: their first one.
  private(set) var globals: [UInt32: Register] = [:]
  /// Three registers: the number of the invocation.
  private(set) var invocation: Register?
  /// Functions that are not run but asked for.
  private(set) var hosts: [UInt32: HostFunction] = [:]

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
      case .private: globals[id] = try take(tables.types.components(variable.pointee))
      case .input:
        // GlobalInvocationId
        guard tables.builtIns[id] == 28 else {
          throw .unsupported("an input that is not the invocation's number", line: nil)
        }
        let first = try take(3)
        (globals[id], invocation) = (first, first)
      default: break
      }
    }
  }

  mutating func take(_ count: Int) throws(ExecutorError) -> Register {
    let first = registers
    registers += count
    guard registers <= limits.registers else { throw .limit("more than \(limits.registers) values") }
    return first
  }

  mutating func constant(_ word: UInt32) throws(ExecutorError) -> Register {
    if let known = constantRegisters[word] { return known }
    let register = try take(1)
    constantRegisters[word] = register
    constants.append((register, word))
    return register
  }

  /// The number of a function, whose steps are made first.
  mutating func function(_ id: UInt32, callers: [UInt32] = []) throws(ExecutorError) -> Int {
    if let number = numbers[id] { return number }
    guard !callers.contains(id) else { throw .unsupported("recursion", line: nil) }
    guard callers.count < 32 else { throw .limit("calls more than 32 deep") }
    guard let text = tables.functions.first(where: { $0.id == id }) else {
      throw .malformed("function %\(id) is not there")
    }
    var callees: Set<UInt32> = []
    for block in text.blocks {
      for (words, _) in block.body where words.opcode == Op.functionCall { callees.insert(words[3]) }
    }
    for callee in callees.sorted() where hosts[callee] == nil { _ = try function(callee, callers: callers + [id]) }

    var code = FunctionCode()
    code.name = tables.names[id] ?? ""
    code.parameters = text.parameters.map(\.id)
    code.firstParameter = parameters
    parameters += text.parameters.count
    for parameter in text.parameters {
      var inputs: [Register] = []
      if case .pointer = try tables.types.type(parameter.type) {
      } else {
        let count = try tables.types.components(parameter.type)
        let first = try take(count)
        inputs = Array(first..<first + count)
      }
      code.inputs.append(inputs)
    }
    let count = try tables.types.components(text.result)
    let first = try take(count + 2)
    code.result = Array(first..<first + count)
    (code.returned, code.entered) = (first + count, first + count + 1)
    let number = functions.count
    functions.append(code)
    // Twice: what leaves a loop is known only after its uses were met.
    let before = self
    var escapes: Set<UInt32> = []
    while true {
      var compiler = FunctionCompiler(self, text, code, escapes)
      let steps = try compiler.compile()
      if compiler.escapes == escapes {
        self = compiler.builder
        functions[number].steps = steps
        break
      }
      escapes = compiler.escapes
      self = before
    }
    numbers[id] = number
    return number
  }

  func number(of id: UInt32) -> Int? { numbers[id] }
}
