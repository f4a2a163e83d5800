import LaneLoops

/// Instructions with their operands, before they run.
struct CodeList {
  /// The use of a register by a step: read it, write lanes that are on (merge), or write all of it.
  enum Use { case read, merge, write }

  var steps: [LaneStep]
  var accesses: [Access]
  var choices: [Choice]
  var registers: Register
  /// The registers of each variable whose elements are accessed by an index that is not constant.
  var indexedVariables: [ClosedRange<Register>] = []

  init(_ builder: ProgramBuilder) {
    (steps, accesses, choices) = (builder.code, builder.accesses, builder.choices)
    registers = builder.registers
    var found: Set<Register> = []
    for access in accesses {
      guard case .variable(let first) = access.target, let last = builder.variables[first] else { continue }
      if found.insert(first).inserted { indexedVariables.append(first...last) }
    }
  }

  /// Visits the registers of a step, with the place and kind of each use (`Liveness`).
  func visit(_ index: Int, _ body: (Register, Int32, Use) -> Void) {
    let i = steps[index], here = Int32(2 * index), end = 2 * i.end - 1, last = 2 * i.last - 1
    let result = i.isMasked ? Use.merge : .write
    switch i.kind {
    case .compute:
      body(i.b, here, .read)
      body(i.c, here, .read)
      body(i.a, here + 1, result)
    case .select:
      body(i.b, here, .read)
      body(i.c, here, .read)
      body(i.d, here, .read)
      body(i.a, here + 1, result)
    case .call:
      // Their loops need a row for the result that is none of the arguments'.
      body(i.b, here + 1, .read)
      body(i.c, here + 1, .read)
      body(i.d, here + 1, .read)
      body(i.a, here + 1, result)
    case .blend:
      body(i.b, here, .read)
      body(i.a, here + 1, .merge)
    case .load, .store, .extract, .imageRead, .imageWrite, .host:
      let access = accesses[Int(i.number)]
      for register in access.reads { body(register, here + 1, .read) }
      for index in access.indices { body(index.register, here + 1, .read) }
      for register in access.writes where register >= 0 { body(register, here + 1, .write) }
    case .branch:
      body(i.a, here + 1, .read)
      for (mask, from) in [(i.b, here + 1), (i.c, end)] {
        body(mask, from, .write)
        body(mask, last, .read)
      }
    case .choose:
      let choice = choices[Int(i.number)]
      body(choice.selector, here, .read)
      body(choice.selector, last, .read)
      for mask in [choice.rest, choice.ended, choice.merge] {
        body(mask, here, .write)
        body(mask, last, .read)
      }
    case .loop, .scope:
      for mask in [i.a, i.b] {
        body(mask, here, .write)
        body(mask, last, .read)
      }
    case .park: body(i.a, here, .merge)
    }
  }

  /// Gives every register another number.
  mutating func rename(_ new: (Register) -> Register) {
    for index in steps.indices {
      switch steps[index].kind {
      case .load, .store, .extract, .imageRead, .imageWrite, .host, .choose: break
      case .compute, .select, .call, .blend, .branch, .loop, .scope, .park:
        // Operands that a step does not use stay 0.
        steps[index].a = new(steps[index].a)
        steps[index].b = new(steps[index].b)
        steps[index].c = new(steps[index].c)
        steps[index].d = new(steps[index].d)
      }
    }
    for index in accesses.indices {
      if case .variable(let first) = accesses[index].target { accesses[index].target = .variable(new(first)) }
      accesses[index].reads = accesses[index].reads.map(new)
      accesses[index].writes = accesses[index].writes.map { $0 < 0 ? $0 : new($0) }
      for place in accesses[index].indices.indices {
        accesses[index].indices[place].register = new(accesses[index].indices[place].register)
      }
    }
    for index in choices.indices {
      choices[index].selector = new(choices[index].selector)
      choices[index].rest = new(choices[index].rest)
      choices[index].ended = new(choices[index].ended)
      choices[index].merge = new(choices[index].merge)
    }
  }

  /// Removes the steps that are not kept.
  mutating func keep(_ isKept: [Bool]) {
    var new: [Int32] = []
    new.reserveCapacity(steps.count + 1)
    var count: Int32 = 0
    for kept in isKept {
      new.append(count)
      if kept { count += 1 }
    }
    new.append(count)
    var made: [LaneStep] = []
    made.reserveCapacity(Int(count))
    for (index, old) in steps.enumerated() where isKept[index] {
      var step = old
      step.end = new[Int(old.end)]
      step.last = new[Int(old.last)]
      made.append(step)
    }
    steps = made
    for index in choices.indices {
      for part in choices[index].parts.indices {
        choices[index].parts[part].end = new[Int(choices[index].parts[part].end)]
      }
    }
  }
}
