import LaneLoops
import SPIRV

/// Makes the steps of one call of a function. Components of values become registers; control flow becomes branches and
/// loops (SPIR-V 1.3, clause 2.11).
struct FunctionCompiler {
  enum Value {
    case registers([Register])
    /// A pointer, and the type of the value that it points to.
    case place(Place, pointee: UInt32)
    case image(binding: Int)
  }

  /// A loop or a switch around the place that is being compiled.
  private struct Construct {
    var merge: UInt32
    var leave: Register
    var next: (label: UInt32, mask: Register)?
    /// The labels of a switch's other cases.
    var cases: Set<UInt32> = []
  }

  let builder: ProgramBuilder
  /// Values that are computed in loops and used after them.
  private(set) var escapes: Set<UInt32>

  private let text: FunctionText
  private let known: Set<UInt32>
  private let blocks: [UInt32: Int]
  var values: [UInt32: Value] = [:]
  private var homes: [UInt32: [Int]] = [:]
  private var constructs: [Construct] = []
  private var loops: [Int] = []
  private var loopCount = 0
  private var depth = 0
  /// The number of branches and loops around the place that is being compiled.
  var nesting = 0
  private var emitted: Set<UInt32> = []
  private var phis: [UInt32: [(result: [Register], sources: [UInt32: UInt32])]] = [:]
  /// Variables of this function. Outside branches and loops, stores may write all lanes: those that are off need none.
  var own: Set<Register> = []
  /// Variables that only one block uses, and stores to as a whole before it reads them.
  var passing: Set<UInt32> = []
  /// True if the only return is the function's end, so that its values are the result.
  private let hasOneReturn: Bool
  private var result: [Register] = []
  private var returned: Register = 0
  private var line: Int?

  init(_ builder: ProgramBuilder, _ text: FunctionText, _ escapes: Set<UInt32>) {
    (self.builder, self.text) = (builder, text)
    (self.escapes, known) = (escapes, escapes)
    blocks = Dictionary(text.blocks.enumerated().map { ($1.label, $0) }, uniquingKeysWith: { a, _ in a })
    let ends = text.blocks.compactMap(\.body.last?.words.opcode)
    hasOneReturn = ends.count { $0 == Op.return || $0 == Op.returnValue || $0 == 255 } == 1
  }

  var tables: ModuleTables { builder.tables }

  /// - Returns: the registers of the result.
  mutating func compile(_ arguments: [Value]) throws(ExecutorError) -> [Register] {
    guard let first = text.blocks.first else { throw .malformed("a function without a body") }
    for (parameter, argument) in zip(text.parameters, arguments) {
      switch (try tables.types.type(parameter.type), argument) {
      case (.pointer(.function, let pointee), .place(let place, let other)):
        guard try tables.types.components(pointee) == tables.types.components(other) else {
          throw .malformed("a parameter of another size")
        }
        values[parameter.id] = .place(place, pointee: pointee)
      case (.pointer, _): throw .unsupported("parameters that are pointers elsewhere", line: nil)
      case (_, .registers(let found)):
        guard try found.count == tables.types.components(parameter.type) else {
          throw .malformed("a parameter of another size")
        }
        values[parameter.id] = argument
      default: throw .malformed("a parameter of another kind")
      }
    }
    findPassing()
    try takePhis()
    let count = try tables.types.components(text.result)
    if hasOneReturn {
      try emit(from: first.label, end: nil)
      guard result.count == count else { throw .malformed("a result of another size") }
      return result
    }
    result = try fresh(count)
    returned = try builder.take(2)
    let scope = try builder.emit(LaneStep(kind: .scope, a: returned, b: returned + 1))
    let before = builder.held, stored = builder.storedCount
    try emit(from: first.label, end: nil)
    builder.restore(before, since: stored)
    builder.close(scope, end: builder.place, last: builder.place)
    return result
  }

  func unsupported(_ what: String) -> ExecutorError { .unsupported(what, line: line) }

  // MARK: What is known before

  private mutating func findPassing() {
    var owners: [UInt32: UInt32] = [:], others: Set<UInt32> = []
    for block in text.blocks {
      for (words, _) in block.body {
        if words.opcode == Op.variable {
          owners[words[2]] = 0
          if words.count > 4 { others.insert(words[2]) }
          continue
        }
        for index in 1..<max(1, words.count) {
          guard let owner = owners[words[index]], owner != block.label else { continue }
          let isStore = words.opcode == Op.store && index == 1
          if owner == 0 && isStore { owners[words[1]] = block.label } else { others.insert(words[index]) }
        }
      }
    }
    passing = Set(owners.keys).subtracting(others)
  }

  private mutating func takePhis() throws(ExecutorError) {
    for block in text.blocks {
      for (words, _) in block.body where words.opcode == 245 {
        let count = try tables.types.components(words[1])
        let result = try fresh(count)
        var sources: [UInt32: UInt32] = [:]
        for index in stride(from: 3, to: words.count - 1, by: 2) { sources[words[index + 1]] = words[index] }
        phis[block.label, default: []].append((result, sources))
        values[words[2]] = .registers(result)
      }
    }
  }

  // MARK: Values

  mutating func registers(_ id: UInt32) throws(ExecutorError) -> [Register] {
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

  mutating func scalar(_ id: UInt32) throws(ExecutorError) -> Register {
    let found = try registers(id)
    guard found.count == 1 else { throw .malformed("%\(id) is no scalar") }
    return found[0]
  }

  mutating func define(_ id: UInt32, _ found: [Register]) throws(ExecutorError) {
    homes[id] = loops
    guard known.contains(id) else {
      values[id] = .registers(found)
      return
    }
    // Lanes that have left the loop keep their values.
    let kept = try fresh(found.count)
    for (to, from) in zip(kept, found) { try builder.emit(LaneStep(kind: .blend, a: to, b: from)) }
    values[id] = .registers(kept)
  }

  mutating func fresh(_ count: Int) throws(ExecutorError) -> [Register] {
    let first = try builder.take(count)
    return Array(first..<first + Register(count))
  }

  private mutating func each(
    _ operation: LaneOperation, _ words: InstructionWords, _ a: UInt32, _ b: UInt32? = nil
  ) throws(ExecutorError) {
    let one = try registers(a), other = try b.map { (id) throws(ExecutorError) in try registers(id) } ?? one
    guard one.count == other.count else { throw .malformed("operands of different sizes") }
    let result = try fresh(one.count)
    for index in one.indices { try builder.emit(operation, result[index], one[index], other[index]) }
    try define(words[2], result)
  }

  // MARK: Blocks

  /// Compiles an arm of a branch: from one block to another, and on to the end of the region. Values that variables
  /// have in the arm are forgotten after it.
  private mutating func arm(from: UInt32, to: UInt32, end: UInt32?) throws(ExecutorError) {
    nesting += 1
    defer { nesting -= 1 }
    let before = builder.held, stored = builder.storedCount
    if let next = try follow(from: from, to: to, end: end) { try emit(from: next, end: end) }
    builder.restore(before, since: stored)
  }

  /// Compiles the step from one block to the next one.
  ///
  /// - Returns: the next block, if it is to be compiled now.
  private mutating func follow(from: UInt32, to: UInt32, end: UInt32?) throws(ExecutorError) -> UInt32? {
    if let entries = phis[to] {
      var moves: [(to: Register, from: Register)] = []
      for entry in entries {
        guard let source = entry.sources[from] else { throw .malformed("a phi without its predecessor") }
        let found = try registers(source)
        for (index, register) in entry.result.enumerated() { moves.append((register, found[index])) }
      }
      // All sources are read before any result is written.
      if entries.count > 1 {
        let read = try fresh(moves.count)
        for (copy, move) in zip(read, moves) { try builder.emit(.copy, copy, move.from) }
        moves = zip(read, moves).map { ($1.to, $0) }
      }
      for move in moves { try builder.emit(LaneStep(kind: .blend, a: move.to, b: move.from)) }
    }
    if to == end { return nil }
    for construct in constructs.reversed() {
      if to == construct.merge {
        try park(construct.leave)
        return nil
      }
      if let next = construct.next, to == next.label {
        try park(next.mask)
        return nil
      }
      if construct.cases.contains(to) { throw unsupported("a case that runs into the next") }
    }
    return to
  }

  /// Compiles blocks from one on, up to the end of the region.
  private mutating func emit(from first: UInt32, end: UInt32?) throws(ExecutorError) {
    depth += 1
    builder.depth += 1
    defer { (depth, builder.depth) = (depth - 1, builder.depth - 1) }
    guard depth <= 32 else { throw .limit("branches and loops more than 32 deep") }
    guard builder.depth <= 96 else { throw .limit("calls, branches and loops more than 96 deep") }
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

  /// Returns the block where the arms of a construct meet again.
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
    nesting += 1
    let loop = try builder.emit(LaneStep(kind: .loop, a: masks, b: masks + 1))
    // Earlier turns may have stored to variables.
    builder.held = [:]
    if let on = try emit(body: block, end: next) { try emit(from: on, end: next) }
    let middle = builder.place
    builder.held = [:]
    // The branch back to the loop's head ends this part.
    try emit(from: next, end: block.label)
    builder.held = [:]
    builder.close(loop, end: middle, last: builder.place)
    nesting -= 1
    constructs.removeLast()
    loops.removeLast()
  }

  private func park(_ mask: Register) throws(ExecutorError) { try builder.emit(LaneStep(kind: .park, a: mask)) }

  /// - Returns: the next block to be compiled.
  private mutating func emit(body block: FunctionText.Block, end: UInt32?) throws(ExecutorError) -> UInt32? {
    var merge: UInt32?
    for (words, line) in block.body {
      self.line = line
      switch words.opcode {
      case 245, 246: continue
      case 247: merge = words[1]
      case 249: return try follow(from: block.label, to: words[1], end: end)
      case 250:
        let condition = try scalar(words[1]), inner = merge ?? end, masks = try builder.take(2)
        let branch = try builder.emit(LaneStep(kind: .branch, a: condition, b: masks, c: masks + 1))
        let before = builder.held, stored = builder.storedCount
        try arm(from: block.label, to: words[2], end: inner)
        builder.held = before
        let middle = builder.place
        try arm(from: block.label, to: words[3], end: inner)
        builder.restore(before, since: stored)
        builder.close(branch, end: middle, last: builder.place)
        return try merge.map { (merge) throws(ExecutorError) in try behind(merge, end: end) }
      case 251: return try emitSwitch(words, label: block.label, merge: merge, end: end)
      case Op.return, Op.returnValue, 255:
        let found = words.opcode == Op.returnValue ? try registers(words[1]) : []
        if hasOneReturn {
          guard nesting == 0 else { throw unsupported("a return that is not a function's end") }
          result = words.opcode == 255 ? try zeros(tables.types.components(text.result)) : found
          return nil
        }
        guard found.count == result.count || words.opcode == 255 else { throw .malformed("a result of another size") }
        for (to, from) in zip(result, found) { try builder.emit(LaneStep(kind: .blend, a: to, b: from)) }
        try park(returned)
        return nil
      case 252: throw unsupported("discard")
      default: try emit(words)
      }
    }
    throw .malformed("a block without an end")
  }

  private mutating func emitSwitch(
    _ words: InstructionWords, label: UInt32, merge: UInt32?, end: UInt32?
  ) throws(ExecutorError) -> UInt32 {
    guard let merge else { throw unsupported("a switch without a merge") }
    let selector = try scalar(words[1]), masks = try builder.take(3)
    var order: [UInt32] = [], literals: [UInt32: [UInt32]] = [:]
    for index in stride(from: 3, to: words.count - 1, by: 2) {
      if literals[words[index + 1]] == nil { order.append(words[index + 1]) }
      literals[words[index + 1], default: []].append(words[index])
    }
    let standard = words[2]
    // Values that lead to the default's label need no part of their own.
    order.removeAll { $0 == standard }
    let before = builder.held, stored = builder.storedCount, number = builder.choices.count
    var choice = Choice(selector: selector, rest: masks, ended: masks + 1, merge: masks + 2)
    builder.choices.append(choice)
    let switching = try builder.emit(LaneStep(kind: .choose, number: Int32(number)))
    for target in order + [standard] {
      var others = Set(order + [standard])
      others.remove(target)
      others.remove(merge)
      constructs.append(Construct(merge: merge, leave: masks + 2, next: nil, cases: others))
      builder.held = before
      try arm(from: label, to: target, end: merge)
      constructs.removeLast()
      choice.parts.append((literals[target] ?? [], builder.place))
    }
    builder.restore(before, since: stored)
    builder.choices[number] = choice
    builder.close(switching, end: builder.place, last: builder.place)
    return try behind(merge, end: end)
  }

  // MARK: Instructions

  private mutating func emit(_ i: InstructionWords) throws(ExecutorError) {
    if let simple = Self.simple[i.opcode] {
      return try each(simple, i, i[3], i.count > 4 ? i[4] : nil)
    }
    if let swapped = Self.swapped[i.opcode] { return try each(swapped, i, i[4], i[3]) }
    switch i.opcode {
    case Op.variable:
      guard case .pointer(_, let pointee) = try tables.types.type(i[1]) else { throw .malformed("no pointer type") }
      let count = try tables.types.components(pointee), first = try builder.variable(of: count)
      values[i[2]] = .place(Place(base: .register(first)), pointee: pointee)
      own.insert(first)
      let from = i.count > 4 ? try registers(i[4]) : try zeros(count)
      for (register, value) in zip(first..., from.prefix(count)) {
        try builder.emit(.copy, register, value)
        builder.held[register] = value
      }
    case Op.load: try emitLoad(i)
    case Op.store: try emitStore(i)
    case 65, 66: try emitAccess(i)
    case Op.functionCall: try emitCall(i)
    case Op.vectorTimesScalar:
      let vector = try registers(i[3]), factor = try scalar(i[4]), result = try fresh(vector.count)
      for (to, from) in zip(result, vector) { try builder.emit(.floatMul, to, from, factor) }
      try define(i[2], result)
    case 169:
      let condition = try registers(i[3]), one = try registers(i[4]), other = try registers(i[5])
      let result = try fresh(one.count)
      guard one.count == other.count, condition.count == 1 || condition.count == one.count else {
        throw .malformed("a selection of different sizes")
      }
      for index in one.indices {
        let flag = condition.count == 1 ? condition[0] : condition[index]
        try builder.emit(LaneStep(kind: .select, a: result[index], b: flag, c: one[index], d: other[index]))
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
      try builder.emit(.extract, Access(target: .vector, reads: [index] + vector, writes: result))
      try define(i[2], result)
    case 83: try define(i[2], registers(i[3]))
    case 1:
      try define(i[2], zeros(tables.types.components(i[1])))
    case 124:
      // A bit cast keeps the bits.
      let found = try registers(i[3])
      guard try found.count == tables.types.components(i[1]) else { throw unsupported("a bit cast between sizes") }
      try define(i[2], found)
    case 154, 155:
      let parts = try registers(i[3])
      var sum = parts[0]
      for register in parts.dropFirst() {
        let result = try fresh(1)
        try builder.emit(i.opcode == 154 ? .intOr : .intAnd, result[0], sum, register)
        sum = result[0]
      }
      try define(i[2], [sum])
    case Op.extInst: try emitExtended(i)
    case Op.imageRead:
      guard case .image(let binding) = values[i[3]], i.count == 5 else { throw unsupported("an image with operands") }
      let place = try registers(i[4]), result = try fresh(try tables.types.components(i[1]))
      guard place.count == 2, result.count == 4 else { throw unsupported("an image that is not of two dimensions") }
      try builder.emit(.imageRead, Access(target: .binding(binding), reads: place, writes: result))
      try define(i[2], result)
    case Op.imageWrite:
      guard case .image(let binding) = values[i[1]], i.count == 4 else { throw unsupported("an image with operands") }
      let place = try registers(i[2]), texel = try registers(i[3])
      guard place.count == 2, texel.count == 4 else { throw unsupported("an image that is not of two dimensions") }
      try builder.emit(.imageWrite, Access(target: .binding(binding), reads: place + texel))
    case 0: break
    default: throw unsupported(Self.refusal(i.opcode))
    }
  }

  private func zeros(_ count: Int) throws(ExecutorError) -> [Register] {
    [Register](repeating: try builder.constant(0), count: count)
  }

  /// Finds the part of a composite that literal indices name.
  private func part(
    _ i: InstructionWords, of id: UInt32, from: Int
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

  private mutating func emitExtended(_ i: InstructionWords) throws(ExecutorError) {
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
      let lower: [LaneOperation] = [.floatMax, .intMax, .intMaxSigned]
      let upper: [LaneOperation] = [.floatMin, .intMin, .intMinSigned]
      let x = try registers(i[5]), low = try registers(i[6]), high = try registers(i[7])
      let inner = try fresh(x.count), result = try fresh(x.count), kind = Int(i[4]) - 43
      for index in x.indices {
        try builder.emit(lower[kind], inner[index], x[index], low[index])
        try builder.emit(upper[kind], result[index], inner[index], high[index])
      }
      try define(i[2], result)
    default:
      throw unsupported(Self.extendedNames[i[4]].map { "\($0): not exact on every device" } ?? "function \(i[4])")
    }
  }
}
