import HDRCore
import LaneLoops

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
  private let state: UnsafeMutablePointer<State>
  private let memory: PixelBuffer
  private let rows: UnsafeMutablePointer<Word>
  private let uniform: UnsafeMutablePointer<Bool>
  private let steps: UnsafeMutableBufferPointer<Step>
  private let code = LaneCode.best
  /// Rows for operands that need all their lanes.
  let spare: Word
  /// Words from one row to the next: not a multiple of 4 KiB, or stores to one would stall loads of another.
  let stride: Int
  /// What surrounds the pixels of a `PixelStrip`.
  var host: PixelHost?

  /// What changes from step to step; behind a pointer, as nothing else is fast enough.
  private struct State {
    var lanes = 0, span = 0, turns = 0
    var isFull = true, isEmpty = false
  }

  var lanes: Int { state.pointee.lanes }
  /// Lanes, rounded up to whole vectors.
  var span: Int { state.pointee.span }
  /// Of the lanes of this strip: all of them are on, or none is.
  private var isFull: Bool {
    get { state.pointee.isFull }
    set { state.pointee.isFull = newValue }
  }
  private var isEmpty: Bool {
    get { state.pointee.isEmpty }
    set { state.pointee.isEmpty = newValue }
  }

  init(_ program: ShaderProgram, _ resources: ShaderResources, _ variant: ExecutorVariant, width: Int) {
    (self.program, self.resources, self.variant, self.width) = (program, resources, variant, width)
    let constants = program.constants.count, count = program.rows + constants
    stride = (width + 15) / 16 * 16 + 16
    // A constant takes a line of the cache.
    memory = PixelBuffer(byteCount: 4 * (stride * (program.rows + 3) + 16 * constants))
    let words = memory.base.assumingMemoryBound(to: UInt32.self)
    spare = words + stride * program.rows
    state = .allocate(capacity: 1)
    state.initialize(to: State())
    rows = .allocate(capacity: count)
    uniform = .allocate(capacity: count)
    for register in 0..<program.rows {
      rows[register] = words + stride * register
      uniform[register] = false
    }
    for (index, word) in program.constants.enumerated() {
      let row = spare + 3 * stride + 16 * index
      row[0] = word
      rows[program.rows + index] = row
      uniform[program.rows + index] = true
    }
    steps = .allocate(capacity: program.steps.count)
    _ = steps.initialize(from: program.steps)
  }

  deinit {
    state.deallocate()
    rows.deallocate()
    uniform.deallocate()
    steps.deallocate()
  }

  func begin(_ invocations: Range<Int>, columns: Int) {
    state.pointee = State(lanes: invocations.count, span: (invocations.count + 7) / 8 * 8)
    let on = row(0)
    for lane in 0..<span { on[lane] = lane < lanes ? Self.allOn : 0 }
    guard program.invocation.count == 3 else { return }
    let (x, y, z) = (row(program.invocation[0]), row(program.invocation[1]), row(program.invocation[2]))
    for lane in 0..<lanes {
      let number = variant.isReversed ? invocations.upperBound - 1 - lane : invocations.lowerBound + lane
      (x[lane], y[lane], z[lane]) = (UInt32(number % columns), UInt32(number / columns), 0)
    }
    for register in program.invocation { setUniform(register, false) }
  }

  func run() throws(ExecutorError) { try run(0, steps.count) }

  // MARK: Registers

  /// Words of a register.
  @inline(__always) func row(_ register: Register) -> Word { rows[Int(register)] }
  @inline(__always) func isUniform(_ register: Register) -> Bool { uniform[Int(register)] }
  @inline(__always) func setUniform(_ register: Register, _ isUniform: Bool) { uniform[Int(register)] = isUniform }

  /// The word of a lane.
  @inline(__always) func word(_ register: Register, _ lane: Int) -> UInt32 {
    row(register)[isUniform(register) ? 0 : lane]
  }

  /// Gives all lanes one word.
  func set(_ register: Register, _ word: UInt32) {
    row(register)[0] = word
    setUniform(register, true)
  }

  /// Gives each lane its word.
  func spread(_ register: Register) {
    guard isUniform(register) else { return }
    let row = row(register)
    row.update(repeating: row[0], count: span)
    setUniform(register, false)
  }

  /// A row of a register's words for every lane: its own, or a spare one.
  func wholeRow(_ register: Register, spare number: Int) -> Word {
    guard isUniform(register) else { return row(register) }
    let copy = spare + number * stride
    copy.update(repeating: row(register)[0], count: span)
    return copy
  }

  // MARK: Steps

  private func run(_ first: Int, _ end: Int) throws(ExecutorError) {
    var next = first
    while next < end {
      let i = steps[next]
      next += 1
      switch i.kind {
      case .compute: compute(i)
      case .select: select(i.a, i.b, i.c, i.d)
      case .blend: blend(i.a, i.b)
      case .load: try load(program.accesses[Int(i.a)])
      case .store: try store(program.accesses[Int(i.a)])
      case .extract: extract(program.accesses[Int(i.a)])
      case .imageRead: try readTexels(program.accesses[Int(i.a)])
      case .imageWrite: try writeTexels(program.accesses[Int(i.a)])
      case .host: ask(program.accesses[Int(i.a)])
      case .park:
        let waiting = row(i.a), on = row(0)
        for lane in 0..<span {
          waiting[lane] |= on[lane]
          on[lane] = 0
        }
        (isFull, isEmpty) = (false, true)
        return
      case .branch:
        try branch(i, next)
        next = Int(i.last)
        if isEmpty { return }
      case .choose:
        try choose(program.choices[Int(i.a)], next)
        next = Int(i.last)
        if isEmpty { return }
      case .loop:
        try loop(i, next)
        next = Int(i.last)
        if isEmpty { return }
      case .scope:
        try scope(i, next)
        next = Int(i.last)
      }
    }
  }

  @inline(__always) private func compute(_ i: Step) {
    if variant.flushesSubnormals || variant.flipsZeros, i.operation.isFloatArithmetic || i.operation.takesFloats {
      return computeVariant(i)
    }
    let isOneX = isUniform(i.b), isOneY = isUniform(i.c), isOne = isOneX && isOneY
    code.compute(
      i.operation.rawValue, row(i.a), row(i.b), row(i.c), isOneX && !isOne, isOneY && !isOne, isOne ? 8 : span)
    setUniform(i.a, isOne)
  }

  /// The same with what Vulkan leaves to a device.
  private func computeVariant(_ i: Step) {
    let isOne = isUniform(i.b) && isUniform(i.c), count = isOne ? 8 : span
    var x = isOne ? row(i.b) : wholeRow(i.b, spare: 0), y = isOne ? row(i.c) : wholeRow(i.c, spare: 1)
    let z = row(i.a)
    func flush(_ to: Word, _ from: Word) {
      for lane in 0..<count { to[lane] = from[lane] & 0x7f80_0000 == 0 ? from[lane] & 0x8000_0000 : from[lane] }
    }
    if variant.flushesSubnormals {
      flush(spare, x)
      flush(spare + stride, y)
      (x, y) = (spare, spare + stride)
    }
    code.compute(i.operation.rawValue, z, x, y, false, false, count)
    if i.operation.isFloatArithmetic {
      if variant.flushesSubnormals { flush(z, z) }
      if variant.flipsZeros { for lane in 0..<count { z[lane] ^= z[lane] & 0x7fff_ffff == 0 ? 0x8000_0000 : 0 } }
    }
    setUniform(i.a, isOne)
  }

  private func select(_ result: Register, _ condition: Register, _ one: Register, _ other: Register) {
    if isUniform(condition) { return copy(result, row(condition)[0] != 0 ? one : other) }
    code.select(row(result), row(condition), row(one), row(other), isUniform(one), isUniform(other), span)
    setUniform(result, false)
  }

  func copy(_ to: Register, _ from: Register) {
    if to == from { return }
    row(to).update(from: row(from), count: isUniform(from) ? 1 : span)
    setUniform(to, isUniform(from))
  }

  /// Writes where lanes are on.
  private func blend(_ to: Register, _ from: Register) {
    if isFull { return copy(to, from) }
    spread(to)
    code.select(row(to), row(0), row(from), row(to), isUniform(from), false, span)
  }

  private func extract(_ access: Access) {
    let index = access.reads[0], vector = access.reads.dropFirst(), target = row(access.writes[0])
    for lane in 0..<span {
      let place = Int(word(index, lane))
      target[lane] = place < vector.count ? word(access.reads[1 + place], lane) : 0
    }
    setUniform(access.writes[0], false)
  }

  // MARK: Lanes

  private func look() {
    let on = row(0)
    var all = Self.allOn, any: UInt32 = 0
    for lane in 0..<lanes {
      all &= on[lane]
      any |= on[lane]
    }
    (isFull, isEmpty) = (all != 0, any == 0)
  }

  private func copyMask(_ to: Register, _ from: Register) { row(to).update(from: row(from), count: span) }
  private func clearMask(_ register: Register) {
    row(register).update(repeating: 0, count: span)
    setUniform(register, false)
  }

  private func count() throws(ExecutorError) {
    state.pointee.turns += 1
    let most = program.limits.turns
    guard state.pointee.turns <= most else { throw .limit("more than \(most) turns of loops") }
  }

  private func branch(_ i: Step, _ first: Int) throws(ExecutorError) {
    let (middle, last) = (Int(i.end), Int(i.last))
    if isUniform(i.a) { return row(i.a)[0] != 0 ? try run(first, middle) : try run(middle, last) }
    let on = row(0), flags = row(i.a), others = row(i.b), ended = row(i.c)
    for lane in 0..<span {
      others[lane] = on[lane] & ~flags[lane]
      on[lane] &= flags[lane]
    }
    setUniform(i.b, false)
    look()
    if !isEmpty { try run(first, middle) }
    ended.update(from: on, count: span)
    setUniform(i.c, false)
    on.update(from: others, count: span)
    look()
    if !isEmpty { try run(middle, last) }
    for lane in 0..<span { on[lane] |= ended[lane] }
    look()
  }

  private func choose(_ choice: Choice, _ first: Int) throws(ExecutorError) {
    let on = row(0), rest = row(choice.rest), ended = row(choice.ended), left = row(choice.merge)
    rest.update(from: on, count: span)
    setUniform(choice.rest, false)
    clearMask(choice.ended)
    clearMask(choice.merge)
    var start = first
    for (index, part) in choice.parts.enumerated() {
      let takesAll = index == choice.parts.count - 1
      for lane in 0..<span {
        let isOn = rest[lane] != 0 && (takesAll || part.values.contains(word(choice.selector, lane)))
        on[lane] = isOn ? Self.allOn : 0
        if isOn { rest[lane] = 0 }
      }
      look()
      if !isEmpty { try run(start, Int(part.end)) }
      for lane in 0..<span { ended[lane] |= on[lane] }
      start = Int(part.end)
    }
    for lane in 0..<span { on[lane] = ended[lane] | left[lane] }
    look()
  }

  private func loop(_ i: Step, _ first: Int) throws(ExecutorError) {
    clearMask(i.a)
    while !isEmpty {
      clearMask(i.b)
      try run(first, Int(i.end))
      let on = row(0), waiting = row(i.b)
      for lane in 0..<span { on[lane] |= waiting[lane] }
      look()
      if isEmpty { break }
      try run(Int(i.end), Int(i.last))
      try count()
    }
    copyMask(0, i.a)
    look()
  }

  /// Lanes that left early go on behind.
  private func scope(_ i: Step, _ first: Int) throws(ExecutorError) {
    let wasFull = isFull
    copyMask(i.b, 0)
    setUniform(i.b, false)
    clearMask(i.a)
    try run(first, Int(i.last))
    copyMask(0, i.b)
    (isFull, isEmpty) = (wasFull, false)
  }
}
