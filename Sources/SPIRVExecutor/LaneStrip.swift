import HDRCore
import LaneLoops

/// The registers of a strip of lanes, and the code that runs steps over them. For one thread.
///
/// A register whose lanes all have the same value is *uniform*: only its first word counts and is computed.
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
  private let steps: UnsafeMutableBufferPointer<LaneStep>
  private let code = LaneCode.best
  /// Spare rows: 0, 1 and 3 for operands that need all their lanes, 2 for results that only some lanes take.
  let spare: Word
  /// The words from one row to the next: not a multiple of 4 KiB, or stores to one row would stall loads of another.
  let stride: Int
  /// The pixels and parameters that host functions of a `PixelStrip` answer with.
  var host: PixelHost?

  /// The state that changes from step to step. It is in memory behind a pointer, as nothing else is fast enough.
  private struct State {
    var lanes = 0, span = 0, turns = 0
    var isFull = true, isEmpty = false
  }

  var lanes: Int { state.pointee.lanes }
  /// The number of lanes, rounded up to whole vectors.
  var span: Int { state.pointee.span }
  /// True if all lanes of this strip are on (`isFull`) or none is (`isEmpty`).
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
    // A constant takes one cache line.
    memory = PixelBuffer(byteCount: 4 * (stride * (program.rows + 4) + 16 * constants))
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
      let row = spare + 4 * stride + 16 * index
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
    set(0, Self.allOn)
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

  /// Returns the words of a register.
  @inline(__always) func row(_ register: Register) -> Word { rows[Int(register)] }
  @inline(__always) func isUniform(_ register: Register) -> Bool { uniform[Int(register)] }
  @inline(__always) func setUniform(_ register: Register, _ isUniform: Bool) { uniform[Int(register)] = isUniform }

  /// Returns the word of a lane.
  @inline(__always) func word(_ register: Register, _ lane: Int) -> UInt32 {
    row(register)[isUniform(register) ? 0 : lane]
  }

  /// Sets all lanes to one word.
  func set(_ register: Register, _ word: UInt32) {
    row(register)[0] = word
    setUniform(register, true)
  }

  /// Makes a uniform register hold a word for each lane.
  func spread(_ register: Register) {
    guard isUniform(register) else { return }
    let row = row(register)
    row.update(repeating: row[0], count: span)
    setUniform(register, false)
  }

  /// Returns a row with a word for every lane: the register's own, or a spare one.
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
      case .select: select(i)
      case .call: call(i)
      case .blend: blend(i.a, i.b)
      case .load: try load(program.accesses[Int(i.number)])
      case .store: try store(program.accesses[Int(i.number)])
      case .extract: extract(program.accesses[Int(i.number)])
      case .imageRead: try readTexels(program.accesses[Int(i.number)])
      case .imageWrite: try writeTexels(program.accesses[Int(i.number)])
      case .host: ask(program.accesses[Int(i.number)])
      case .park:
        joinMask(i.a, 0)
        set(0, 0)
        look()
        return
      case .branch:
        try branch(i, next)
        next = Int(i.last)
        if isEmpty { return }
      case .choose:
        try choose(program.choices[Int(i.number)], next)
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

  /// Returns the row for a result: the register's own, unless some lanes keep their values.
  @inline(__always) private func target(_ i: LaneStep) -> Word {
    i.isMasked && !isFull ? spare + 2 * stride : row(i.a)
  }

  @inline(__always) private func finish(_ i: LaneStep, isOne: Bool) {
    if i.isMasked && !isFull {
      spread(i.a)
      code.select(row(i.a), row(0), spare + 2 * stride, row(i.a), isOne, false, span)
    } else {
      setUniform(i.a, isOne)
    }
  }

  @inline(__always) private func compute(_ i: LaneStep) {
    if variant.flushesSubnormals || variant.flipsZeros, i.operation.isFloatArithmetic || i.operation.takesFloats {
      return computeVariant(i)
    }
    let isOneX = isUniform(i.b), isOneY = isUniform(i.c), isOne = isOneX && isOneY
    code.compute(
      i.operation.rawValue, target(i), row(i.b), row(i.c), isOneX && !isOne, isOneY && !isOne, isOne ? 8 : span)
    finish(i, isOne: isOne)
  }

  /// Computes a step with the choices of `variant`.
  private func computeVariant(_ i: LaneStep) {
    let isOne = isUniform(i.b) && isUniform(i.c), count = isOne ? 8 : span
    var x = isOne ? row(i.b) : wholeRow(i.b, spare: 0), y = isOne ? row(i.c) : wholeRow(i.c, spare: 1)
    let z = target(i)
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
    finish(i, isOne: isOne)
  }

  @inline(__always) private func select(_ i: LaneStep) {
    if isUniform(i.b) {
      let from = row(i.b)[0] != 0 ? i.c : i.d
      return i.isMasked ? blend(i.a, from) : copy(i.a, from)
    }
    code.select(target(i), row(i.b), row(i.c), row(i.d), isUniform(i.c), isUniform(i.d), span)
    finish(i, isOne: false)
  }

  /// Calls a library function; on one lane if all arguments are uniform.
  private func call(_ i: LaneStep) {
    let isOne = isUniform(i.b) && isUniform(i.c) && isUniform(i.d)
    func floats(_ row: Word) -> UnsafeMutablePointer<Float> {
      UnsafeMutableRawPointer(row).assumingMemoryBound(to: Float.self)
    }
    let function = program.calls[Int(i.number)], result = floats(target(i))
    if isOne {
      function.run(floats(row(i.b)), floats(row(i.c)), floats(row(i.d)), result, 1)
    } else {
      let x = wholeRow(i.b, spare: 0), y = i.c == i.b ? x : wholeRow(i.c, spare: 1)
      function.run(floats(x), floats(y), floats(i.d == i.c ? y : wholeRow(i.d, spare: 3)), result, span)
    }
    finish(i, isOne: isOne)
  }

  func copy(_ to: Register, _ from: Register) {
    if to == from { return }
    row(to).update(from: row(from), count: isUniform(from) ? 1 : span)
    setUniform(to, isUniform(from))
  }

  /// Writes only the lanes that are on.
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

  /// Updates `isFull` and `isEmpty`, and makes an equal mask uniform; ignores lanes after the last.
  private func look() {
    let on = row(0)
    var all = on[0], any = on[0]
    if !isUniform(0) {
      for lane in 0..<lanes {
        all &= on[lane]
        any |= on[lane]
      }
      if all != 0 || any == 0 { set(0, all) }
    }
    (isFull, isEmpty) = (all != 0, any == 0)
  }

  /// Adds lanes to a mask.
  private func joinMask(_ to: Register, _ from: Register) {
    if isUniform(from) {
      if row(from)[0] != 0 { set(to, Self.allOn) }
    } else if !isUniform(to) {
      let waiting = row(to), more = row(from)
      for lane in 0..<span { waiting[lane] |= more[lane] }
    } else if row(to)[0] == 0 {
      copy(to, from)
    }
  }

  private func count() throws(ExecutorError) {
    state.pointee.turns += 1
    let most = program.limits.turns
    guard state.pointee.turns <= most else { throw .limit("more than \(most) turns of loops") }
  }

  private func branch(_ i: LaneStep, _ first: Int) throws(ExecutorError) {
    let (middle, last) = (Int(i.end), Int(i.last))
    if isUniform(i.a) { return row(i.a)[0] != 0 ? try run(first, middle) : try run(middle, last) }
    spread(0)
    let on = row(0), flags = row(i.a), others = row(i.b)
    for lane in 0..<span {
      others[lane] = on[lane] & ~flags[lane]
      on[lane] &= flags[lane]
    }
    setUniform(i.b, false)
    look()
    if isFull { return try run(first, middle) }
    if !isEmpty { try run(first, middle) }
    copy(i.c, 0)
    copy(0, i.b)
    look()
    if !isEmpty { try run(middle, last) }
    joinMask(0, i.c)
    look()
  }

  private func choose(_ choice: Choice, _ first: Int) throws(ExecutorError) {
    spread(0)
    copy(choice.rest, 0)
    set(choice.ended, 0)
    set(choice.merge, 0)
    let on = row(0), rest = row(choice.rest)
    var start = first
    for (index, part) in choice.parts.enumerated() {
      let takesAll = index == choice.parts.count - 1
      for lane in 0..<span {
        let isOn = rest[lane] != 0 && (takesAll || part.values.contains(word(choice.selector, lane)))
        on[lane] = isOn ? Self.allOn : 0
        if isOn { rest[lane] = 0 }
      }
      setUniform(0, false)
      look()
      if !isEmpty { try run(start, Int(part.end)) }
      joinMask(choice.ended, 0)
      start = Int(part.end)
    }
    copy(0, choice.ended)
    joinMask(0, choice.merge)
    look()
  }

  private func loop(_ i: LaneStep, _ first: Int) throws(ExecutorError) {
    set(i.a, 0)
    while !isEmpty {
      set(i.b, 0)
      try run(first, Int(i.end))
      joinMask(0, i.b)
      look()
      if isEmpty { break }
      try run(Int(i.end), Int(i.last))
      try count()
    }
    copy(0, i.a)
    look()
  }

  /// Runs the steps of a scope; lanes that left it early go on after it.
  private func scope(_ i: LaneStep, _ first: Int) throws(ExecutorError) {
    copy(i.b, 0)
    set(i.a, 0)
    try run(first, Int(i.last))
    copy(0, i.b)
    look()
  }
}
