import SPIRV

/// Makes one function's steps: components of values become registers, its flow of control becomes branches and loops
/// (SPIR-V 1.3, clause 2.11).
struct FunctionCompiler {
  enum Value {
    case registers([Register])
    /// A pointer, and what it points to.
    case place(Place, pointee: UInt32, isBuffer: Bool)
    case image(binding: Int)
  }

  /// A loop or a switch around the place that is being compiled.
  private struct Construct {
    var merge: UInt32
    var leave: Register
    var next: (label: UInt32, mask: Register)?
    /// Labels of a switch's other cases.
    var cases: Set<UInt32> = []
  }

  var builder: ProgramBuilder
  /// Values of loops that are used behind them.
  private(set) var escapes: Set<UInt32>

  private let text: FunctionText
  private let code: FunctionCode
  private let known: Set<UInt32>
  private let blocks: [UInt32: Int]
  private var values: [UInt32: Value] = [:]
  private var homes: [UInt32: [Int]] = [:]
  private var constructs: [Construct] = []
  private var loops: [Int] = []
  private var loopCount = 0
  private var depth = 0
  private var emitted: Set<UInt32> = []
  private var phis: [UInt32: [(result: [Register], sources: [UInt32: UInt32])]] = [:]
  /// Variables that only one block names.
  private var singleBlock: Set<UInt32> = []
  /// What variables hold, as far as this block knows: registers by register of the variable, or by parameter.
  private var held: [Register: Register] = [:]
  private var heldByParameter: [Int: [Int: Register]] = [:]
  private var steps: [Step] = []
  private var line: Int?

  init(_ builder: ProgramBuilder, _ text: FunctionText, _ code: FunctionCode, _ escapes: Set<UInt32>) {
    (self.builder, self.text, self.code) = (builder, text, code)
    (self.escapes, known) = (escapes, escapes)
    blocks = Dictionary(text.blocks.enumerated().map { ($1.label, $0) }, uniquingKeysWith: { a, _ in a })
  }

  private var tables: ModuleTables { builder.tables }

  mutating func compile() throws(ExecutorError) -> [Step] {
    guard let first = text.blocks.first else { throw .malformed("a function without a body") }
    for (index, parameter) in text.parameters.enumerated() {
      guard case .pointer(let storage, let pointee) = try tables.types.type(parameter.type) else {
        values[parameter.id] = .registers(code.inputs[index])
        continue
      }
      guard storage == .function else { throw .unsupported("parameters that are pointers elsewhere", line: nil) }
      values[parameter.id] = .place(
        Place(base: .parameter(code.firstParameter + index)), pointee: pointee, isBuffer: false)
    }
    try findSingleBlocks()
    try takePhis()
    try emit(from: first.label, end: nil)
    return steps
  }

  private func unsupported(_ what: String) -> ExecutorError { .unsupported(what, line: line) }

  // MARK: What is known before

  private mutating func findSingleBlocks() throws(ExecutorError) {
    var owners: [UInt32: Set<UInt32>] = [:]
    var variables: Set<UInt32> = []
    for block in text.blocks {
      for (words, _) in block.body {
        if words.opcode == Op.variable {
          variables.insert(words[2])
          continue
        }
        for index in 1..<max(1, words.count) where variables.contains(words[index]) {
          owners[words[index], default: []].insert(block.label)
        }
      }
    }
    singleBlock = variables.filter { owners[$0]?.count ?? 0 <= 1 }
  }

  private mutating func takePhis() throws(ExecutorError) {
    for block in text.blocks {
      for (words, _) in block.body where words.opcode == 245 {
        let count = try tables.types.components(words[1])
        let first = try builder.take(count)
        var sources: [UInt32: UInt32] = [:]
        for index in stride(from: 3, to: words.count - 1, by: 2) { sources[words[index + 1]] = words[index] }
        phis[block.label, default: []].append((Array(first..<first + count), sources))
        values[words[2]] = .registers(Array(first..<first + count))
      }
    }
  }

  // MARK: Values

  private mutating func registers(_ id: UInt32) throws(ExecutorError) -> [Register] {
    if let value = values[id] {
      guard case .registers(let found) = value else { throw .malformed("%\(id) is no value") }
      if let home = homes[id], !loops.starts(with: home) { escapes.insert(id) }
      return found
    }
    guard let constant = tables.constants[id] else { throw .malformed("%\(id) is used before it is there") }
    var result: [Register] = []
    for word in constant { result.append(try builder.constant(word)) }
    return result
  }

  private mutating func scalar(_ id: UInt32) throws(ExecutorError) -> Register {
    let found = try registers(id)
    guard found.count == 1 else { throw .malformed("%\(id) is no scalar") }
    return found[0]
  }

  private mutating func define(_ id: UInt32, _ found: [Register]) throws(ExecutorError) {
    homes[id] = loops
    guard known.contains(id) else {
      values[id] = .registers(found)
      return
    }
    // Lanes that have left the loop keep what they had.
    let first = try builder.take(found.count)
    steps.append(.move(found.enumerated().map { (first + $0, $1) }))
    values[id] = .registers(Array(first..<first + found.count))
  }

  private mutating func fresh(_ count: Int) throws(ExecutorError) -> [Register] {
    let first = try builder.take(count)
    return Array(first..<first + count)
  }

  private mutating func each(
    _ operation: Operation, _ words: Words, _ a: UInt32, _ b: UInt32? = nil
  ) throws(ExecutorError) {
    let one = try registers(a), other = try b.map { (id) throws(ExecutorError) in try registers(id) } ?? one
    guard one.count == other.count else { throw .malformed("operands of different sizes") }
    let result = try fresh(one.count)
    for index in one.indices { steps.append(.compute(operation, result[index], one[index], other[index])) }
    try define(words[2], result)
  }

  // MARK: Blocks

  private mutating func region(_ body: (inout Self) throws(ExecutorError) -> Void) throws(ExecutorError) -> [Step] {
    let outer = steps
    steps = []
    try body(&self)
    let made = steps
    steps = outer
    return made
  }

  private mutating func forget() {
    held = [:]
    heldByParameter = [:]
  }

  /// A branch's arm: the way from one block to another, and on to the end of the region.
  private mutating func arm(from: UInt32, to: UInt32, end: UInt32?) throws(ExecutorError) -> [Step] {
    try region { (compiler) throws(ExecutorError) in
      if let next = try compiler.follow(from: from, to: to, end: end) { try compiler.emit(from: next, end: end) }
    }
  }

  /// The way from one block to another.
  ///
  /// - Returns: the block, if it is to be compiled next.
  private mutating func follow(from: UInt32, to: UInt32, end: UInt32?) throws(ExecutorError) -> UInt32? {
    if let entries = phis[to] {
      var moves: [(to: Register, from: Register)] = []
      for entry in entries {
        guard let source = entry.sources[from] else { throw .malformed("a phi without its predecessor") }
        let found = try registers(source)
        for (index, register) in entry.result.enumerated() { moves.append((register, found[index])) }
      }
      // All are read before any is written.
      if entries.count > 1 {
        let first = try builder.take(moves.count)
        for (index, move) in moves.enumerated() { steps.append(.compute(.copy, first + index, move.from, move.from)) }
        moves = moves.enumerated().map { ($1.to, first + $0) }
      }
      steps.append(.move(moves))
    }
    if to == end { return nil }
    for construct in constructs.reversed() {
      if to == construct.merge {
        steps.append(.park(construct.leave))
        return nil
      }
      if let next = construct.next, to == next.label {
        steps.append(.park(next.mask))
        return nil
      }
      if construct.cases.contains(to) { throw unsupported("a case that runs into the next") }
    }
    return to
  }

  /// Blocks from one on, up to the end of the region.
  private mutating func emit(from first: UInt32, end: UInt32?) throws(ExecutorError) {
    depth += 1
    defer { depth -= 1 }
    guard depth <= 32 else { throw .limit("branches and loops more than 32 deep") }
    var next: UInt32? = first
    while let label = next { next = try emit(block: label, end: end) }
  }

  private mutating func emit(block label: UInt32, end: UInt32?) throws(ExecutorError) -> UInt32? {
    guard emitted.insert(label).inserted else { throw unsupported("flow of control that is not structured") }
    guard emitted.count <= 1 << 14 else { throw .limit("more than 16384 blocks") }
    guard let index = blocks[label] else { throw .malformed("block %\(label) is not there") }
    let block = text.blocks[index]
    if let merge = block.body.first(where: { $0.words.opcode == 246 })?.words {
      try emitLoop(block, merge: merge[1], next: merge[2])
      return try behind(merge[1], end: end)
    }
    return try emit(body: block, end: end)
  }

  /// The block where a construct's ways meet again.
  private mutating func behind(_ merge: UInt32, end: UInt32?) throws(ExecutorError) -> UInt32 {
    if merge == end { throw .malformed("two constructs end in block %\(merge)") }
    return merge
  }

  private mutating func emitLoop(
    _ block: FunctionText.Block, merge: UInt32, next: UInt32
  ) throws(ExecutorError) {
    guard next != block.label else { throw unsupported("a loop of one block") }
    let masks = try builder.take(2)
    loopCount += 1
    loops.append(loopCount)
    constructs.append(Construct(merge: merge, leave: masks, next: (next, masks + 1)))
    let body = try region { (compiler) throws(ExecutorError) in
      if let on = try compiler.emit(body: block, end: next) { try compiler.emit(from: on, end: next) }
    }
    // The way back is the end of this part.
    let following = try region { (compiler) throws(ExecutorError) in try compiler.emit(from: next, end: block.label) }
    constructs.removeLast()
    loops.removeLast()
    steps.append(.loop(body: body, next: following, leave: masks, again: masks + 1))
  }

  /// - Returns: the block to be compiled next.
  private mutating func emit(body block: FunctionText.Block, end: UInt32?) throws(ExecutorError) -> UInt32? {
    forget()
    var merge: UInt32?
    for (words, line) in block.body {
      self.line = line
      switch words.opcode {
      case 245, 246: continue
      case 247: merge = words[1]
      case 249: return try follow(from: block.label, to: words[1], end: end)
      case 250:
        let condition = try scalar(words[1]), inner = merge ?? end
        let masks = try builder.take(2)
        let then = try arm(from: block.label, to: words[2], end: inner)
        let otherwise = try arm(from: block.label, to: words[3], end: inner)
        steps.append(.branch(condition, then: then, otherwise: otherwise, masks: masks))
        return try merge.map { (merge) throws(ExecutorError) in try behind(merge, end: end) }
      case 251: return try emitSwitch(words, label: block.label, merge: merge, end: end)
      case Op.return:
        steps.append(.park(code.returned))
        return nil
      case Op.returnValue:
        let found = try registers(words[1])
        guard found.count == code.result.count else { throw .malformed("a result of another size") }
        steps.append(.move(zip(code.result, found).map { ($0, $1) }))
        steps.append(.park(code.returned))
        return nil
      case 255:
        steps.append(.park(code.returned))
        return nil
      case 252: throw unsupported("discard")
      default: try emit(words)
      }
    }
    throw .malformed("a block without an end")
  }

  private mutating func emitSwitch(
    _ words: Words, label: UInt32, merge: UInt32?, end: UInt32?
  ) throws(ExecutorError) -> UInt32 {
    guard let merge else { throw unsupported("a switch without a merge") }
    let selector = try scalar(words[1]), masks = try builder.take(3)
    var order: [UInt32] = [], literals: [UInt32: [UInt32]] = [:]
    for index in stride(from: 3, to: words.count - 1, by: 2) {
      if literals[words[index + 1]] == nil { order.append(words[index + 1]) }
      literals[words[index + 1], default: []].append(words[index])
    }
    let standard = words[2]
    // Values of the default's own label go there by themselves.
    order.removeAll { $0 == standard }
    var made: [(values: [UInt32], steps: [Step])] = []
    func part(_ target: UInt32, _ compiler: inout Self) throws(ExecutorError) -> [Step] {
      var others = Set(order + [standard])
      others.remove(target)
      others.remove(merge)
      compiler.constructs.append(Construct(merge: merge, leave: masks + 2, next: nil, cases: others))
      let steps = try compiler.arm(from: label, to: target, end: merge)
      compiler.constructs.removeLast()
      return steps
    }
    for target in order { made.append((literals[target] ?? [], try part(target, &self))) }
    let otherwise = try part(standard, &self)
    steps.append(.choose(selector, cases: made, otherwise: otherwise, masks: masks, merge: masks + 2))
    return try behind(merge, end: end)
  }

  // MARK: Instructions

  private mutating func emit(_ i: Words) throws(ExecutorError) {
    if let simple = Self.simple[i.opcode] {
      return try each(simple, i, i[3], i.count > 4 ? i[4] : nil)
    }
    if let swapped = Self.swapped[i.opcode] { return try each(swapped, i, i[4], i[3]) }
    switch i.opcode {
    case Op.variable:
      let count = try components(pointee: i[1])
      let first = try builder.take(count.registers)
      values[i[2]] = .place(Place(base: .register(first)), pointee: count.pointee, isBuffer: false)
      let from: [Register]
      if i.count > 4 {
        from = try registers(i[4])
      } else {
        let zero = try builder.constant(0)
        from = [Register](repeating: zero, count: count.registers)
      }
      for (index, register) in from.enumerated() { steps.append(.compute(.copy, first + index, register, register)) }
    case Op.load: try emitLoad(i)
    case Op.store: try emitStore(i)
    case 65, 66: try emitAccess(i)
    case Op.functionCall: try emitCall(i)
    case Op.vectorTimesScalar:
      let vector = try registers(i[3]), factor = try scalar(i[4]), result = try fresh(vector.count)
      for (index, register) in vector.enumerated() {
        steps.append(.compute(.floatMul, result[index], register, factor))
      }
      try define(i[2], result)
    case 169:
      let condition = try registers(i[3]), one = try registers(i[4]), other = try registers(i[5])
      let result = try fresh(one.count)
      guard one.count == other.count, condition.count == 1 || condition.count == one.count else {
        throw .malformed("a selection of different sizes")
      }
      for index in one.indices {
        let flag = condition.count == 1 ? condition[0] : condition[index]
        steps.append(.select(result[index], flag, one[index], other[index]))
      }
      try define(i[2], result)
    case 80:
      var parts: [Register] = []
      for index in 3..<max(3, i.count) { parts += try registers(i[index]) }
      guard try parts.count == tables.types.components(i[1]) else { throw .malformed("a composite of another size") }
      try define(i[2], parts)
    case 81:
      let (first, count, _) = try part(i, of: i[3], from: 4)
      try define(i[2], Array(try registers(i[3])[first..<first + count]))
    case 82:
      var whole = try registers(i[4])
      let (first, count, _) = try part(i, of: i[4], from: 5), object = try registers(i[3])
      guard object.count == count else { throw .malformed("a part of another size") }
      whole.replaceSubrange(first..<first + count, with: object)
      try define(i[2], whole)
    case 79:
      let both = try registers(i[3]) + registers(i[4])
      var parts: [Register] = []
      for index in 5..<max(5, i.count) {
        guard i[index] == .max || Int(i[index]) < both.count else { throw .malformed("a shuffle's component") }
        parts.append(i[index] == .max ? try builder.constant(0) : both[Int(i[index])])
      }
      try define(i[2], parts)
    case 77:
      let vector = try registers(i[3]), index = try scalar(i[4]), result = try fresh(1)
      steps.append(.extract(result[0], vector, index))
      try define(i[2], result)
    case 83: try define(i[2], registers(i[3]))
    case 1:
      let zero = try builder.constant(0)
      try define(i[2], [Register](repeating: zero, count: tables.types.components(i[1])))
    case 124:
      // The same bits.
      let found = try registers(i[3])
      guard try found.count == tables.types.components(i[1]) else { throw unsupported("a bit cast between sizes") }
      try define(i[2], found)
    case 154, 155:
      let parts = try registers(i[3])
      var sum = parts[0]
      for register in parts.dropFirst() {
        let result = try fresh(1)
        steps.append(.compute(i.opcode == 154 ? .intOr : .intAnd, result[0], sum, register))
        sum = result[0]
      }
      try define(i[2], [sum])
    case Op.extInst: try emitExtended(i)
    case Op.imageRead:
      guard case .image(let binding) = values[i[3]], i.count == 5 else { throw unsupported("an image with operands") }
      let place = try registers(i[4]), result = try fresh(try tables.types.components(i[1]))
      guard place.count == 2, result.count == 4 else { throw unsupported("an image that is not of two dimensions") }
      steps.append(.imageRead(binding: binding, x: place[0], y: place[1], result))
      try define(i[2], result)
    case Op.imageWrite:
      guard case .image(let binding) = values[i[1]], i.count == 4 else { throw unsupported("an image with operands") }
      let place = try registers(i[2]), texel = try registers(i[3])
      guard place.count == 2, texel.count == 4 else { throw unsupported("an image that is not of two dimensions") }
      steps.append(.imageWrite(binding: binding, x: place[0], y: place[1], texel))
    case 0: break
    default: throw unsupported(Self.refusal(i.opcode))
    }
  }

  private func components(pointee pointer: UInt32) throws(ExecutorError) -> (registers: Int, pointee: UInt32) {
    guard case .pointer(_, let pointee) = try tables.types.type(pointer) else { throw .malformed("no pointer type") }
    return (try tables.types.components(pointee), pointee)
  }

  /// The part of a composite that literal indices name.
  private func part(
    _ i: Words, of id: UInt32, from: Int
  ) throws(ExecutorError) -> (first: Int, count: Int, type: UInt32) {
    guard var type = tables.valueTypes[id] else { throw .malformed("%\(id) has no type") }
    var first = 0
    for index in from..<max(from, i.count) {
      let element = try tables.types.element(type, Int(i[index]))
      first += element.first
      type = element.type
    }
    return (first, try tables.types.components(type), type)
  }

  private mutating func emitExtended(_ i: Words) throws(ExecutorError) {
    guard i[3] == tables.extended else { throw unsupported("an extended instruction set") }
    switch i[4] {
    case 3: try each(.floatTrunc, i, i[5])
    case 4: try each(.floatAbs, i, i[5])
    case 5: try each(.intAbs, i, i[5])
    case 8: try each(.floatFloor, i, i[5])
    case 9: try each(.floatCeil, i, i[5])
    case 37: try each(.floatMin, i, i[5], i[6])
    case 38: try each(.intMin, i, i[5], i[6])
    case 39: try each(.intMinSigned, i, i[5], i[6])
    case 40: try each(.floatMax, i, i[5], i[6])
    case 41: try each(.intMax, i, i[5], i[6])
    case 42: try each(.intMaxSigned, i, i[5], i[6])
    case 43, 44, 45:
      let lower: [Operation] = [.floatMax, .intMax, .intMaxSigned]
      let upper: [Operation] = [.floatMin, .intMin, .intMinSigned]
      let x = try registers(i[5]), low = try registers(i[6]), high = try registers(i[7])
      let inner = try fresh(x.count), result = try fresh(x.count), kind = Int(i[4]) - 43
      for index in x.indices {
        steps.append(.compute(lower[kind], inner[index], x[index], low[index]))
        steps.append(.compute(upper[kind], result[index], inner[index], high[index]))
      }
      try define(i[2], result)
    default:
      throw unsupported(Self.extendedNames[i[4]].map { "\($0): not exact on every device" } ?? "function \(i[4])")
    }
  }

  // MARK: Memory

  private mutating func place(
    _ id: UInt32
  ) throws(ExecutorError) -> (place: Place, pointee: UInt32, isBuffer: Bool) {
    if let value = values[id] {
      guard case .place(let place, let pointee, let isBuffer) = value else { throw .malformed("%\(id) is no pointer") }
      return (place, pointee, isBuffer)
    }
    guard let variable = tables.variables[id] else { throw .malformed("pointer %\(id) is not there") }
    if let register = builder.globals[id] {
      return (Place(base: .register(register)), variable.pointee, false)
    }
    guard let binding = tables.bindings[id] else { throw .malformed("variable %\(id) has no binding") }
    return (Place(base: .buffer(binding)), variable.pointee, true)
  }

  private mutating func emitAccess(_ i: Words) throws(ExecutorError) {
    var (place, type, isBuffer) = try place(i[3])
    for index in 4..<max(4, i.count) {
      let literal = tables.constants[i[index]]?.first.map { Int(Int32(bitPattern: $0)) }
      // Bytes between elements of buffers become words.
      let stride: Int, element: UInt32
      var count: Int?
      switch try tables.types.type(type) {
      case .structure(let members):
        guard let literal, members.indices.contains(literal) else { throw .malformed("a member that is not there") }
        place.offset += try isBuffer ? members[literal].offset / 4 : tables.types.element(type, literal).first
        type = members[literal].type
        continue
      case .vector(let each, let size): (stride, element, count) = (1, each, size)
      case .array(let each, let size, let bytes):
        (stride, element, count) = (try isBuffer ? bytes / 4 : tables.types.components(each), each, size)
      case .runtimeArray(let each, let bytes): (stride, element) = (bytes / 4, each)
      default: throw .malformed("a part of a scalar")
      }
      guard stride > 0 else { throw .malformed("an array without a stride") }
      if let literal {
        guard literal >= 0, literal < count ?? 1 << 30 else { throw .outside("element \(literal) of an array") }
        place.offset += stride * literal
      } else {
        place.indices.append((try scalar(i[index]), stride, count))
      }
      type = element
    }
    values[i[2]] = .place(place, pointee: type, isBuffer: isBuffer)
  }

  /// Registers that hold what is there; `nil`: not all is known.
  private func heldRegisters(_ place: Place, _ count: Int) -> [Register]? {
    guard place.indices.isEmpty else { return nil }
    var result: [Register] = []
    for index in place.offset..<place.offset + count {
      let found: Register? =
        switch place.base {
        case .register(let first): held[first + index]
        case .parameter(let number): heldByParameter[number]?[index]
        default: nil
        }
      guard let found else { return nil }
      result.append(found)
    }
    return result
  }

  private mutating func hold(_ place: Place, _ registers: [Register]) {
    for (index, register) in registers.enumerated() {
      switch place.base {
      case .register(let first): held[first + place.offset + index] = register
      case .parameter(let number): heldByParameter[number, default: [:]][place.offset + index] = register
      default: break
      }
    }
  }

  private mutating func emitLoad(_ i: Words) throws(ExecutorError) {
    if let variable = tables.variables[i[3]], case .image = try tables.types.type(variable.pointee) {
      guard let binding = tables.bindings[i[3]] else { throw .malformed("an image without a binding") }
      values[i[2]] = .image(binding: binding)
      return
    }
    let (place, pointee, _) = try place(i[3]), count = try tables.types.components(pointee)
    if let found = heldRegisters(place, count) { return try define(i[2], found) }
    let result = try fresh(count)
    steps.append(.load(place, result))
    if place.indices.isEmpty { hold(place, result) }
    try define(i[2], result)
  }

  private mutating func emitStore(_ i: Words) throws(ExecutorError) {
    let (place, pointee, isBuffer) = try place(i[1]), from = try registers(i[2])
    guard try from.count == tables.types.components(pointee) else { throw .malformed("a store of another size") }
    steps.append(.store(place, from, isMasked: !singleBlock.contains(i[1])))
    if isBuffer { return }
    // A parameter may stand for any variable of a caller, none of this function.
    if place.indices.isEmpty {
      hold(place, from)
    } else {
      forget()
    }
  }

  private mutating func emitCall(_ i: Words) throws(ExecutorError) {
    if let host = builder.hosts[i[3]] {
      var arguments: [Register] = []
      for index in 4..<max(4, i.count) { arguments += try registers(i[index]) }
      guard arguments.count == host.arguments else { throw .malformed("a call with other parameters") }
      let result = try fresh(host.results)
      steps.append(.host(host, arguments, result))
      return try define(i[2], result)
    }
    guard let number = builder.number(of: i[3]) else { throw .malformed("function %\(i[3]) is not there") }
    let callee = builder.functions[number]
    guard i.count == 4 + callee.parameters.count else { throw .malformed("a call with other parameters") }
    var bound: [(parameter: Int, place: Place)] = []
    for index in callee.parameters.indices {
      let inputs = callee.inputs[index]
      if !inputs.isEmpty {
        let found = try registers(i[4 + index])
        guard found.count == inputs.count else { throw .malformed("a parameter of another size") }
        for (to, from) in zip(inputs, found) { steps.append(.compute(.copy, to, from, from)) }
        continue
      }
      let place = try place(i[4 + index]).place
      guard place.indices.isEmpty else { throw unsupported("an element by a changing index as a parameter") }
      bound.append((callee.firstParameter + index, place))
    }
    steps.append(.call(number, bound))
    forget()
    // The next call of it writes there again.
    let result = try fresh(callee.result.count)
    for (index, register) in callee.result.enumerated() {
      steps.append(.compute(.copy, result[index], register, register))
    }
    if !result.isEmpty { try define(i[2], result) }
  }
}
