/// Reads a compiled kernel and rewrites its functions with exact functions of the library. These replace what devices
/// may round freely or leave undefined: divisions, roots, powers, conversions, shifts, indices, unset values. Loops
/// count operations and end when there are too many.
struct ExactRewriter {
  /// A type that values in kernels may have.
  enum Kind {
    case bool, float
    case int(isSigned: Bool)
    case vector(UInt32, count: Int)
    case array(UInt32, count: Int)
    case structure([UInt32])
    case pointer(UInt32)
    case function(result: UInt32)
    case void
  }

  let words: [UInt32]
  private(set) var globals: [UInt32] = []
  private(set) var made: [UInt32] = []
  private(set) var imports: [UInt32: String] = [:]
  private(set) var entry: UInt32?

  private var types: [UInt32: Kind] = [:]
  /// Types by the ids of values and pointers.
  var valueTypes: [UInt32: UInt32] = [:]
  private var constants: [UInt32: UInt32] = [:]
  private var names: [UInt32: String] = [:]
  private var extended: UInt32?
  private var importIDs: [String: UInt32] = [:]
  private var madeGlobals: [String: UInt32] = [:]
  private(set) var operationsVariable: UInt32?
  private var nextID: UInt32
  /// Numbers of instructions of functions, and the functions that they call.
  private var sizes: [UInt32: (count: Int, callees: [UInt32])] = [:]
  private var weights: [UInt32: Int] = [:]
  private var weighing: Set<UInt32> = []
  private(set) var line: Int?

  init(_ words: [UInt32]) {
    self.words = words
    nextID = words.count > Header.bound ? words[Header.bound] : 1
  }

  func fault(_ message: String) -> KernelFault { KernelFault(message, line: line) }

  // MARK: Ids

  mutating func fresh(_ type: UInt32? = nil) throws(KernelFault) -> UInt32 {
    // Ids of a module are below its bound; a damaged one may leave none.
    guard nextID < 1 << 22 else { throw fault("its module is damaged") }
    defer { nextID += 1 }
    valueTypes[nextID] = type
    return nextID
  }

  func kind(_ type: UInt32) throws(KernelFault) -> Kind {
    guard let kind = types[type] else { throw fault("its module is damaged: type \(type)") }
    return kind
  }

  func type(of value: UInt32) throws(KernelFault) -> UInt32 {
    guard let type = valueTypes[value] else { throw fault("its module is damaged: value \(value)") }
    return type
  }

  /// Returns the element type and the number of components of a scalar or vector type.
  func components(_ type: UInt32) throws(KernelFault) -> (element: UInt32, count: Int) {
    if case .vector(let element, let count) = try kind(type) { return (element, count) }
    return (type, 1)
  }

  /// Returns the id that calls of a library function use.
  mutating func library(_ name: String) throws(KernelFault) -> UInt32 {
    if let id = importIDs[name] { return id }
    let id = try fresh()
    importIDs[name] = id
    imports[id] = name
    return id
  }

  private mutating func global(_ key: String, _ make: (UInt32) -> [UInt32]) throws(KernelFault) -> UInt32 {
    if let id = madeGlobals[key] { return id }
    let id = try fresh()
    madeGlobals[key] = id
    globals += make(id)
    return id
  }

  mutating func scalarType(_ wanted: Kind) throws(KernelFault) -> UInt32 {
    let found = types.filter { _, kind in
      switch (kind, wanted) {
      case (.bool, .bool), (.float, .float): true
      case (.int(let a), .int(let b)): a == b
      default: false
      }
    }
    if let id = found.keys.min() { return id }
    let instruction: [UInt32] =
      switch wanted {
      case .bool: [head(Op.typeBool, 2), nextID]
      case .int(let isSigned): [head(Op.typeInt, 4), nextID, 32, isSigned ? 1 : 0]
      default: [head(Op.typeFloat, 3), nextID, 32]
      }
    let id = try fresh()
    types[id] = wanted
    globals += instruction
    return id
  }

  mutating func constant(_ word: UInt32, _ type: UInt32) throws(KernelFault) -> UInt32 {
    let id = try global("\(type) \(word)") { [head(Op.constant, 4), type, $0, word] }
    valueTypes[id] = type
    return id
  }

  /// Returns a zero of a type.
  mutating func null(_ type: UInt32) throws(KernelFault) -> UInt32 {
    let id = try global("null \(type)") { [head(Op.constantNull, 3), type, $0] }
    valueTypes[id] = type
    return id
  }

  func constant(_ id: UInt32) -> Int? { constants[id].map { Int(Int32(bitPattern: $0)) } }

  // MARK: Outside functions

  mutating func readGlobal(_ instruction: Instruction) throws(KernelFault) {
    let i = Operands(instruction, words)
    switch instruction.opcode {
    case Op.capability:
      guard i[1] == 1 else { throw KernelFault("it uses what kernels have not (SPIR-V capability \(i[1]))") }
    case Op.extension: throw KernelFault("extensions have no place in kernels")
    case Op.extInstImport:
      guard i.text(from: 2) == "GLSL.std.450" else { throw KernelFault("it uses functions that kernels have not") }
      extended = i[1]
    case Op.name: names[i[1]] = i.text(from: 2)
    case Op.decorate where i[2] == Code.relaxedPrecision, Op.memberDecorate where i[3] == Code.relaxedPrecision:
      throw KernelFault("mediump and lowp have no place in kernels")
    case Op.typeVoid...Op.typeForwardPointer: try readType(i)
    case Op.constantTrue...Op.constantNull, Op.undef: try readConstant(i)
    case Op.variable:
      guard let name = names[i[2]], UserModule.variableNames.contains(name), i.count == 4, i[3] == 6 else {
        throw KernelFault("variables outside functions are const: \(names[i[2]] ?? "one") is not")
      }
      if name == UserModule.operationsName { operationsVariable = i[2] }
      valueTypes[i[2]] = i[1]
      globals += i.all
    case 48...52: throw KernelFault("specialisation constants have no place in kernels")
    default: break
    }
  }

  private mutating func readType(_ i: Operands) throws(KernelFault) {
    guard types[i[1]] == nil else { throw fault("its module is damaged: type \(i[1])") }
    let made: Kind
    switch i.opcode {
    case Op.typeVoid: made = .void
    case Op.typeBool: made = .bool
    case Op.typeInt where i[2] == 32: made = .int(isSigned: i[3] == 1)
    case Op.typeFloat where i[2] == 32: made = .float
    case Op.typeVector where (2...4).contains(i[3]):
      _ = try kind(i[2])
      made = .vector(i[2], count: Int(i[3]))
    case Op.typeArray:
      _ = try kind(i[2])
      guard let count = constant(i[3]), (1...1024).contains(count) else {
        throw KernelFault("arrays have 1 to 1024 elements")
      }
      made = .array(i[2], count: count)
    case Op.typeStruct:
      for index in 2..<max(2, i.count) { _ = try kind(i[index]) }
      made = .structure((2..<max(2, i.count)).map { i[$0] })
    case Op.typePointer where i[2] == 7 || i[2] == 6:
      _ = try kind(i[3])
      made = .pointer(i[3])
    case Op.typeFunction: made = .function(result: i[2])
    case Op.typeMatrix: throw KernelFault("matrices: write their sums out")
    default: throw KernelFault("images, buffers and numbers of other than 32 bits have no place in kernels")
    }
    types[i[1]] = made
    globals += i.all
  }

  private mutating func readConstant(_ i: Operands) throws(KernelFault) {
    _ = try kind(i[1])
    guard valueTypes[i[2]] == nil else { throw fault("its module is damaged: constant \(i[2])") }
    if i.opcode == Op.constant { constants[i[2]] = i[3] }
    if i.opcode == Op.constantComposite {
      for index in 3..<max(3, i.count) { _ = try type(of: i[index]) }
    }
    valueTypes[i[2]] = i[1]
    globals += i.opcode == Op.undef ? [head(Op.constantNull, 3), i[1], i[2]] : i.all
  }

  // MARK: Functions

  /// Reads all functions in order; the library's are left out, and calls of them are kept.
  mutating func readFunctions(_ all: ArraySlice<Instruction>) throws(KernelFault) {
    var function: UInt32 = 0
    var bodies: [(id: UInt32, range: Range<Int>)] = []
    for index in all.indices {
      let i = Operands(all[index], words)
      switch i.opcode {
      case Op.function:
        function = i[2]
        bodies.append((function, index..<index))
        sizes[function] = (0, [])
        let name = name(of: function)
        if name == UserModule.entryName { entry = function }
        if UserModule.libraryNames.contains(name) {
          imports[function] = name
          importIDs[name] = function
        }
      case Op.functionCall: sizes[function]?.callees.append(i[3])
      default: break
      }
      guard !bodies.isEmpty else { throw fault("its module is damaged: no function") }
      bodies[bodies.count - 1].range = bodies[bodies.count - 1].range.lowerBound..<index + 1
      if i.opcode != Op.line { sizes[function]?.count += 1 }
      if let shape = InstructionShape(i.opcode), shape.hasType, i.count > 2 { valueTypes[i[2]] = i[1] }
      if [Op.extInst, Op.undef].contains(i.opcode) { valueTypes[i[2]] = i[1] }
    }
    for body in bodies where imports[body.id] == nil && name(of: body.id) != "main" {
      let weight = try weight(of: body.id)
      var index = body.range.lowerBound
      while index < body.range.upperBound {
        let i = Operands(all[index], words)
        // The last branch before a loop's body becomes conditional.
        let next = index + 1 < body.range.upperBound ? Operands(all[index + 1], words) : nil
        made += try rewritten(i, next: next, in: body.id, weight: weight)
        index += i.opcode == Op.loopMerge ? 2 : 1
      }
    }
  }

  /// Returns a function's name without its parameters.
  private func name(of function: UInt32) -> String { String(names[function, default: ""].prefix { $0 != "(" }) }

  /// Returns the number of instructions that a call of a function runs, loops once.
  mutating func weight(of function: UInt32) throws(KernelFault) -> Int {
    if let known = weights[function] { return known }
    if imports[function] != nil { return 24 }
    guard let size = sizes[function] else { throw fault("its module is damaged: function \(function)") }
    guard weighing.insert(function).inserted, weighing.count <= 32 else { throw fault("a function calls itself") }
    var sum = size.count
    for callee in size.callees { sum = min(sum + (try weight(of: callee)), 1 << 30) }
    weighing.remove(function)
    weights[function] = sum
    return sum
  }

  private mutating func rewritten(
    _ i: Operands, next: Operands?, in function: UInt32, weight: Int
  ) throws(KernelFault) -> [UInt32] {
    switch i.opcode {
    case Op.line:
      line = i.count > 2 ? Int(i[2]) : nil
      return []
    case Op.noLine: return []
    case Op.extInst:
      guard i[3] == extended else { throw fault("it uses functions that kernels have not") }
      guard let exact = ExactFunction(extended: i[4]) else {
        throw fault("\(ExactFunction.names[i[4]] ?? "function \(i[4])") has no exact form")
      }
      return try call(exact, i, Array(i.all.dropFirst(5)))
    case Op.loopMerge: return try guarded(i, next, weight)
    case Op.variable:
      guard i[3] == 7, case .pointer(let pointee) = try kind(i[1]) else { throw fault("static variables") }
      return i.count > 4 ? i.all : [head(Op.variable, 5), i[1], i[2], i[3], try null(pointee)]
    case Op.undef: return [head(Op.copyObject, 4), i[1], i[2], try null(i[1])]
    case Op.unreachable:
      guard let type = valueTypes[function], case let zero = try kind(type) else { return [] }
      if case .void = zero { return [head(Op.return, 1)] }
      return [head(Op.returnValue, 2), try null(type)]
    case Op.accessChain, 66: return try withinBounds(i)
    case 77, 78: return try withinVector(i)
    case 194, 195, 196: return try shifted(i)
    case Op.functionCall:
      guard sizes[i[3]] != nil || imports[i[3]] != nil else { throw fault("its module is damaged: function \(i[3])") }
      return i.all
    default: break
    }
    if let exact = ExactFunction(opcode: i.opcode) { return try call(exact, i, Array(i.all.dropFirst(3))) }
    guard let shape = InstructionShape(i.opcode) else {
      throw fault(ExactFunction.refusals[i.opcode] ?? "instruction \(i.opcode) has no place in kernels")
    }
    if shape.hasType { _ = try kind(i[1]) }
    return i.all
  }

  /// Writes one call of a library function, or one call for each component.
  private mutating func call(_ exact: ExactFunction, _ i: Operands, _ arguments: [UInt32]) throws(KernelFault)
    -> [UInt32]
  {
    guard !arguments.isEmpty else { throw fault("its module is damaged") }
    if exact.takesWhole {
      let (_, size) = try components(try type(of: arguments[0]))
      if size == 1 {
        return try call(exact.scalar, i, arguments)
      }
      let suffix = exact.name == "exact_cross" ? "" : "\(size)"
      return [head(Op.functionCall, 4 + arguments.count), i[1], i[2], try library(exact.name + suffix)] + arguments
    }
    let callee = try library(exact.name), (element, count) = try components(i[1])
    guard count > 1 else {
      return [head(Op.functionCall, 4 + arguments.count), i[1], i[2], callee] + arguments
    }
    var result: [UInt32] = [], parts: [UInt32] = []
    for component in 0..<UInt32(count) {
      var scalars: [UInt32] = []
      for argument in arguments {
        let own = try components(try type(of: argument))
        if own.count == 1 {
          scalars.append(argument)
          continue
        }
        let part = try fresh(own.element)
        result += [head(Op.compositeExtract, 5), own.element, part, argument, component]
        scalars.append(part)
      }
      let part = try fresh(element)
      result += [head(Op.functionCall, 4 + scalars.count), element, part, callee] + scalars
      parts.append(part)
    }
    return result + [head(Op.compositeConstruct, 3 + parts.count), i[1], i[2]] + parts
  }

  /// Writes a loop's head that counts operations and ends the loop when there are too many.
  private mutating func guarded(_ i: Operands, _ next: Operands?, _ weight: Int) throws(KernelFault) -> [UInt32] {
    guard let next, next.opcode == Op.branch, let counter = operationsVariable else {
      throw fault("a loop of unknown form")
    }
    let uint = try scalarType(.int(isSigned: false)), bool = try scalarType(.bool)
    let step = try constant(UInt32(clamping: weight), uint),
      most = try constant(UInt32(UserModule.maxOperations), uint)
    let before = try fresh(uint), after = try fresh(uint), isOn = try fresh(bool)
    return [head(Op.load, 4), uint, before, counter]
      + [head(Op.iAdd, 5), uint, after, before, step]
      + [head(Op.store, 3), counter, after]
      + [head(Op.uLessThanEqual, 5), bool, isOn, after, most]
      + i.all + [head(Op.branchConditional, 4), isOn, next[1], i[1]]
  }

  /// Writes a shift by 0 to 31 bits.
  private mutating func shifted(_ i: Operands) throws(KernelFault) -> [UInt32] {
    let type = try type(of: i[4]), (element, count) = try components(type)
    var most = try constant(31, element)
    if count > 1 {
      let one = most
      most = try global("31 of \(type)") {
        [head(Op.constantComposite, 3 + count), type, $0] + [UInt32](repeating: one, count: count)
      }
    }
    let masked = try fresh(type)
    return [head(Op.bitwiseAnd, 5), type, masked, i[4], most, head(i.opcode, 5), i[1], i[2], i[3], masked]
  }

  // MARK: Indices

  /// Returns an index limited to 0..<count.
  private mutating func inside(_ index: UInt32, _ count: Int, _ code: inout [UInt32]) throws(KernelFault) -> UInt32 {
    if let literal = constant(index) {
      guard (0..<count).contains(literal) else { throw fault("element \(literal) of \(count)") }
      return index
    }
    let own = try type(of: index)
    guard case .int(let isSigned) = try kind(own) else { throw fault("an index that is no integer") }
    let result = try fresh(own), last = try constant(UInt32(count - 1), own)
    code += [
      head(Op.functionCall, 6), own, result, try library(isSigned ? "exact_int_index" : "exact_uint_index"), index,
      last,
    ]
    return result
  }

  private mutating func withinBounds(_ i: Operands) throws(KernelFault) -> [UInt32] {
    guard i.count > 3, case .pointer(var type) = try kind(try type(of: i[3])) else {
      throw fault("its module is damaged: pointer \(i[3])")
    }
    var code: [UInt32] = [], chain = Array(i.all.prefix(4))
    for place in 4..<max(4, i.count) {
      switch try kind(type) {
      case .vector(let element, let count), .array(let element, let count):
        chain.append(try inside(i[place], count, &code))
        type = element
      case .structure(let members):
        guard let literal = constant(i[place]), members.indices.contains(literal) else {
          throw fault("a member that is not there")
        }
        chain.append(i[place])
        type = members[literal]
      default: throw fault("a part of a scalar")
      }
    }
    return code + chain
  }

  private mutating func withinVector(_ i: Operands) throws(KernelFault) -> [UInt32] {
    let place = i.opcode == 77 ? 4 : 5
    guard i.count == place + 1 else { throw fault("its module is damaged") }
    var code: [UInt32] = [], all = i.all
    all[place] = try inside(i[place], try components(try type(of: i[3])).count, &code)
    return code + all
  }
}

/// The words of one instruction; 0 after its end.
struct Operands {
  let all: [UInt32]

  init(_ i: Instruction, _ words: [UInt32]) { all = Array(words[i.start..<i.start + i.count]) }

  var opcode: UInt32 { all[0] & 0xffff }
  var count: Int { all.count }
  subscript(index: Int) -> UInt32 { index < all.count ? all[index] : 0 }
  func text(from index: Int) -> String { SPIRV.text(all, from: min(index, count), to: count) }
}

extension Op {
  static let copyObject: UInt32 = 83, iAdd: UInt32 = 128, bitwiseAnd: UInt32 = 199, uLessThanEqual: UInt32 = 178
}
