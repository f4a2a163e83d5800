import HDRCore

/// The registers of a strip of lanes, and what runs over them. For one thread.
///
/// A register whose lanes are all the same is *uniform*: only its first word counts, and is all that is computed.
final class LaneStrip {
  typealias Word = UnsafeMutablePointer<UInt32>
  static let allOn = UInt32.max

  let program: ShaderProgram
  let resources: ShaderResources
  let variant: ExecutorVariant
  let width: Int
  /// Lanes, rounded up to whole vectors.
  var span = 0
  private let memory: PixelBuffer
  let words: Word
  var isUniform: [Bool]
  private var bound: [Place]
  /// What surrounds the pixels of a `PixelStrip`.
  var host: PixelHost?

  /// Of the lanes of this strip: all of them are on, or none is.
  private var isFull = true
  private var isEmpty = false
  private(set) var lanes = 0
  private var turns = 0

  init(_ program: ShaderProgram, _ resources: ShaderResources, _ variant: ExecutorVariant, width: Int) {
    (self.program, self.resources, self.variant, self.width) = (program, resources, variant, width)
    memory = PixelBuffer(byteCount: 4 * width * program.registers)
    words = memory.base.assumingMemoryBound(to: UInt32.self)
    isUniform = [Bool](repeating: false, count: program.registers)
    bound = [Place](repeating: Place(base: .invocation), count: program.parameters)
    for constant in program.constants {
      words[constant.register * width] = constant.word
      isUniform[constant.register] = true
    }
  }

  func begin(_ invocations: Range<Int>, columns: Int) {
    lanes = invocations.count
    span = (lanes + 7) / 8 * 8
    for lane in 0..<span { words[lane] = lane < lanes ? Self.allOn : 0 }
    (isFull, isEmpty, turns) = (true, false, 0)
    guard let first = program.invocation else { return }
    let (x, y, z) = (row(first), row(first + 1), row(first + 2))
    for lane in 0..<lanes {
      let number = variant.isReversed ? invocations.upperBound - 1 - lane : invocations.lowerBound + lane
      (x[lane], y[lane], z[lane]) = (UInt32(number % columns), UInt32(number / columns), 0)
    }
    for register in first..<first + 3 { isUniform[register] = false }
  }

  func run() throws(ExecutorError) {
    let first = program.functions[program.entry].firstParameter
    for (index, registers) in program.arguments.enumerated() {
      bound[first + index] = Place(base: .register(registers[0]))
    }
    try call(program.entry)
  }

  /// Words of a register.
  @inline(__always) func row(_ register: Register) -> Word { words + register * width }

  /// Gives each lane its word.
  func spread(_ register: Register) {
    guard isUniform[register] else { return }
    let row = row(register)
    row.update(repeating: row[0], count: span)
    isUniform[register] = false
  }

  /// The word of a lane.
  @inline(__always) func word(_ register: Register, _ lane: Int) -> UInt32 {
    row(register)[isUniform[register] ? 0 : lane]
  }

  // MARK: Lanes

  private func look() {
    var all = Self.allOn, any: UInt32 = 0
    for lane in 0..<lanes {
      all &= words[lane]
      any |= words[lane]
    }
    (isFull, isEmpty) = (all != 0, any == 0)
  }

  private func copyMask(_ to: Register, _ from: Register) { row(to).update(from: row(from), count: span) }
  private func clearMask(_ register: Register) { row(register).update(repeating: 0, count: span) }

  private func call(_ number: Int) throws(ExecutorError) {
    let function = program.functions[number]
    try count()
    copyMask(function.entered, 0)
    clearMask(function.returned)
    let wasFull = isFull
    try run(function.steps)
    copyMask(0, function.entered)
    (isFull, isEmpty) = (wasFull, false)
  }

  private func run(_ steps: [Step]) throws(ExecutorError) {
    for step in steps {
      if isEmpty { return }
      switch step {
      case .compute(let operation, let result, let a, let b): compute(operation, result, a, b)
      case .select(let result, let condition, let one, let other): select(result, condition, one, other)
      case .extract(let result, let vector, let index):
        for lane in 0..<span {
          let place = Int(word(index, lane))
          row(result)[lane] = place < vector.count ? word(vector[place], lane) : 0
        }
        isUniform[result] = false
      case .move(let moves): for move in moves { blend(move.to, move.from) }
      case .load(let place, let registers): try load(place, registers)
      case .store(let place, let registers, let isMasked): try store(place, registers, isMasked)
      case .imageRead(let binding, let x, let y, let registers): try read(binding, x, y, registers)
      case .imageWrite(let binding, let x, let y, let registers): try write(binding, x, y, registers)
      case .call(let number, let places):
        var resolved: [(Int, Place)] = []
        for (parameter, place) in places { resolved.append((parameter, resolve(place))) }
        for (parameter, place) in resolved { bound[parameter] = place }
        try call(number)
      case .host(let function, let arguments, let results): ask(function, arguments, results)
      case .branch(let condition, let then, let otherwise, let masks):
        try branch(condition, then, otherwise, masks)
      case .choose(let selector, let cases, let otherwise, let masks, let merge):
        try choose(selector, cases, otherwise, masks, merge)
      case .loop(let body, let next, let leave, let again): try loop(body, next, leave, again)
      case .park(let mask):
        let waiting = row(mask)
        for lane in 0..<span { waiting[lane] |= words[lane] }
        clearMask(0)
        (isFull, isEmpty) = (false, true)
      }
    }
  }

  private func count() throws(ExecutorError) {
    turns += 1
    let most = program.limits.turns
    guard turns <= most else { throw .limit("more than \(most) turns of loops and calls") }
  }

  private func branch(
    _ condition: Register, _ then: [Step], _ otherwise: [Step], _ masks: Register
  ) throws(ExecutorError) {
    if isUniform[condition] { return try run(row(condition)[0] != 0 ? then : otherwise) }
    let flags = row(condition), others = row(masks), ended = row(masks + 1)
    for lane in 0..<span {
      others[lane] = words[lane] & ~flags[lane]
      words[lane] &= flags[lane]
    }
    look()
    if !isEmpty { try run(then) }
    ended.update(from: words, count: span)
    words.update(from: others, count: span)
    look()
    if !isEmpty { try run(otherwise) }
    for lane in 0..<span { words[lane] |= ended[lane] }
    look()
  }

  private func choose(
    _ selector: Register, _ cases: [(values: [UInt32], steps: [Step])], _ otherwise: [Step], _ masks: Register,
    _ merge: Register
  ) throws(ExecutorError) {
    let rest = row(masks), ended = row(masks + 1)
    rest.update(from: words, count: span)
    clearMask(masks + 1)
    clearMask(merge)
    func part(_ steps: [Step], _ takes: (Int) -> Bool) throws(ExecutorError) {
      for lane in 0..<span {
        let isOn = rest[lane] != 0 && takes(lane)
        words[lane] = isOn ? Self.allOn : 0
        if isOn { rest[lane] = 0 }
      }
      look()
      if !isEmpty { try run(steps) }
      for lane in 0..<span { ended[lane] |= words[lane] }
    }
    for (values, steps) in cases { try part(steps) { values.contains(word(selector, $0)) } }
    try part(otherwise) { _ in true }
    let left = row(merge)
    for lane in 0..<span { words[lane] = ended[lane] | left[lane] }
    look()
  }

  private func loop(
    _ body: [Step], _ next: [Step], _ leave: Register, _ again: Register
  ) throws(ExecutorError) {
    clearMask(leave)
    while !isEmpty {
      clearMask(again)
      try run(body)
      let waiting = row(again)
      for lane in 0..<span { words[lane] |= waiting[lane] }
      look()
      if isEmpty { break }
      try run(next)
      try count()
    }
    copyMask(0, leave)
    look()
  }

  // MARK: Registers

  /// Writes where lanes are on.
  private func blend(_ to: Register, _ from: Register) {
    if to == from { return }
    if isFull {
      if isUniform[from] {
        row(to)[0] = row(from)[0]
        isUniform[to] = true
      } else {
        row(to).update(from: row(from), count: span)
        isUniform[to] = false
      }
      return
    }
    spread(to)
    let target = row(to), source = row(from)
    if isUniform[from] {
      let value = source[0]
      for lane in 0..<span { target[lane] = words[lane] & value | ~words[lane] & target[lane] }
    } else {
      for lane in 0..<span { target[lane] = words[lane] & source[lane] | ~words[lane] & target[lane] }
    }
  }

  private func copy(_ to: Register, _ from: Register) {
    if isUniform[from] {
      row(to)[0] = row(from)[0]
    } else {
      row(to).update(from: row(from), count: span)
    }
    isUniform[to] = isUniform[from]
  }

  private func select(_ result: Register, _ condition: Register, _ one: Register, _ other: Register) {
    if isUniform[condition] { return copy(result, row(condition)[0] != 0 ? one : other) }
    let flags = row(condition), target = row(result)
    let (a, b) = (row(one), row(other))
    switch (isUniform[one], isUniform[other]) {
    case (false, false): for lane in 0..<span { target[lane] = flags[lane] & a[lane] | ~flags[lane] & b[lane] }
    case (true, false):
      let value = a[0]
      for lane in 0..<span { target[lane] = flags[lane] & value | ~flags[lane] & b[lane] }
    case (false, true):
      let value = b[0]
      for lane in 0..<span { target[lane] = flags[lane] & a[lane] | ~flags[lane] & value }
    case (true, true):
      let (x, y) = (a[0], b[0])
      for lane in 0..<span { target[lane] = flags[lane] & x | ~flags[lane] & y }
    }
    isUniform[result] = false
  }

  // MARK: Memory

  /// With parameters replaced by what they stand for.
  private func resolve(_ place: Place) -> Place {
    guard case .parameter(let number) = place.base else { return place }
    var result = bound[number]
    result.offset += place.offset
    result.indices += place.indices
    return result
  }

  private func element(_ place: Place, _ lane: Int) throws(ExecutorError) -> Int {
    var index = place.offset
    for (register, stride, count) in place.indices {
      let value = Int(word(register, lane))
      if let count, value >= count { throw .outside("element \(value) of an array of \(count)") }
      index += value * stride
    }
    return index
  }

  private func load(_ place: Place, _ registers: [Register]) throws(ExecutorError) {
    let place = resolve(place), isSame = place.indices.allSatisfy { isUniform[$0.register] }
    switch place.base {
    case .register(let first):
      if isSame {
        let from = first + (try element(place, 0))
        for (index, register) in registers.enumerated() { copy(register, from + index) }
        return
      }
      for (index, register) in registers.enumerated() {
        let target = row(register)
        for lane in 0..<lanes where words[lane] != 0 {
          target[lane] = word(first + (try element(place, lane)) + index, lane)
        }
        isUniform[register] = false
      }
    case .buffer(let binding):
      guard let buffer = resources.buffers[binding] else {
        throw .outside("binding \(binding), which nothing is bound to")
      }
      let count = buffer.count / 4, base = buffer.baseAddress
      func check(_ index: Int) throws(ExecutorError) {
        guard index >= 0, index + registers.count <= count else {
          throw .outside("word \(index) of binding \(binding), which has \(count)")
        }
      }
      if isSame {
        let from = try element(place, 0)
        try check(from)
        for (index, register) in registers.enumerated() {
          row(register)[0] = base!.load(fromByteOffset: 4 * (from + index), as: UInt32.self)
          isUniform[register] = true
        }
        return
      }
      for register in registers { isUniform[register] = false }
      if place.indices.count == 1, registers.count == 1 {
        // The commonest: a word by its number.
        let (register, stride, _) = place.indices[0]
        let numbers = row(register), target = row(registers[0])
        for lane in 0..<lanes where words[lane] != 0 {
          let from = place.offset + Int(numbers[lane]) * stride
          try check(from)
          target[lane] = base!.load(fromByteOffset: 4 * from, as: UInt32.self)
        }
        return
      }
      for lane in 0..<lanes where words[lane] != 0 {
        let from = try element(place, lane)
        try check(from)
        for (index, register) in registers.enumerated() {
          row(register)[lane] = base!.load(fromByteOffset: 4 * (from + index), as: UInt32.self)
        }
      }
    case .parameter, .invocation: throw .malformed("a parameter that stands for nothing")
    }
  }

  private func store(_ place: Place, _ registers: [Register], _ isMasked: Bool) throws(ExecutorError) {
    let place = resolve(place), isSame = place.indices.allSatisfy { isUniform[$0.register] }
    switch place.base {
    case .register(let first):
      if isSame {
        let to = first + (try element(place, 0))
        for (index, register) in registers.enumerated() {
          if isMasked { blend(to + index, register) } else { copy(to + index, register) }
        }
        return
      }
      for lane in 0..<lanes where words[lane] != 0 {
        let to = first + (try element(place, lane))
        for (index, register) in registers.enumerated() {
          spread(to + index)
          row(to + index)[lane] = word(register, lane)
        }
      }
    case .buffer(let binding):
      guard let buffer = resources.buffers[binding] else {
        throw .outside("binding \(binding), which nothing is bound to")
      }
      let count = buffer.count / 4
      for lane in 0..<lanes where words[lane] != 0 {
        let to = try element(place, lane)
        guard to >= 0, to + registers.count <= count else {
          throw .outside("word \(to) of binding \(binding), which has \(count)")
        }
        for (index, register) in registers.enumerated() {
          buffer.baseAddress!.storeBytes(of: word(register, lane), toByteOffset: 4 * (to + index), as: UInt32.self)
        }
      }
    case .parameter, .invocation: throw .malformed("a parameter that stands for nothing")
    }
  }

  private func texel(_ binding: Int, _ x: Register, _ y: Register, _ lane: Int) throws(ExecutorError)
    -> UnsafeMutablePointer<UInt16>
  {
    guard let image = resources.images[binding] else {
      throw .outside("binding \(binding), which no image is bound to")
    }
    let column = Int(Int32(bitPattern: word(x, lane))), line = Int(Int32(bitPattern: word(y, lane)))
    guard (0..<image.width).contains(column), (0..<image.height).contains(line) else {
      throw .outside("pixel \(column), \(line) of binding \(binding), which has \(image.width)x\(image.height)")
    }
    return (image.base + line * image.rowBytes + 8 * column).assumingMemoryBound(to: UInt16.self)
  }

  private func read(_ binding: Int, _ x: Register, _ y: Register, _ registers: [Register]) throws(ExecutorError) {
    for register in registers { isUniform[register] = false }
    for lane in 0..<lanes where words[lane] != 0 {
      let from = try texel(binding, x, y, lane)
      for (index, register) in registers.enumerated() { row(register)[lane] = UInt32(from[index]) }
    }
  }

  private func write(_ binding: Int, _ x: Register, _ y: Register, _ registers: [Register]) throws(ExecutorError) {
    for lane in 0..<lanes where words[lane] != 0 {
      let to = try texel(binding, x, y, lane)
      for (index, register) in registers.enumerated() { to[index] = UInt16(truncatingIfNeeded: word(register, lane)) }
    }
  }
}
