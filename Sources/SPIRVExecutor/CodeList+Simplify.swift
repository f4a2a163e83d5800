extension CodeList {
  /// Removes steps whose results nothing reads.
  ///
  /// - Parameter results: registers that are read after the last step.
  mutating func removeDead(results: [Register]) {
    var reads = [Int32](repeating: 0, count: Int(registers))
    for register in results { reads[Int(register)] += 1 }
    for block in indexedVariables { for register in block { reads[Int(register)] += 1 } }
    for index in steps.indices { visit(index) { if $2 == .read { reads[Int($0)] += 1 } } }
    var isKept = [Bool](repeating: true, count: steps.count), count = 0
    repeat {
      count = 0
      // The next step that is kept.
      var next = Int32(steps.count)
      for index in steps.indices.reversed() where isKept[index] {
        let i = steps[index]
        var isNeeded: Bool
        switch i.kind {
        case .compute, .select, .call, .blend, .extract, .host: isNeeded = false
        case .load: if case .variable = accesses[Int(i.number)].target { isNeeded = false } else { isNeeded = true }
        case .branch: isNeeded = next < i.last
        case .store, .imageRead, .imageWrite, .choose, .loop, .scope, .park: isNeeded = true
        }
        if i.kind != .branch { visit(index) { if $2 != .read, reads[Int($0)] > 0 { isNeeded = true } } }
        if isNeeded {
          next = Int32(index)
        } else {
          visit(index) { if $2 == .read { reads[Int($0)] -= 1 } }
          isKept[index] = false
          count += 1
        }
      }
    } while count > 0
    for index in steps.indices where isKept[index] && steps[index].kind == .host {
      let number = Int(steps[index].number)
      accesses[number].writes = accesses[number].writes.map { reads[Int($0)] > 0 ? $0 : -1 }
    }
    keep(isKept)
  }

  /// The places where parts of steps begin and end; not all lanes there came through the step before.
  private var borders: Set<Int32> {
    var found: Set<Int32> = []
    for step in steps { found.formUnion([step.end, step.last]) }
    for choice in choices { found.formUnion(choice.parts.map(\.end)) }
    return found
  }

  /// Removes steps whose result a later step overwrites before anything reads it.
  mutating func removeOverwritten() {
    let borders = borders, fixed = Set(indexedVariables.joined())
    var isKept = [Bool](repeating: true, count: steps.count)
    // The step that wrote a register that was not read yet, since the last border.
    var unread: [Register: Int] = [:]
    for index in steps.indices {
      let i = steps[index]
      if borders.contains(Int32(index)) { unread = [:] }
      visit(index) { register, _, use in if use == .read { unread[register] = nil } }
      switch i.kind {
      case .compute, .select, .call:
        if let before = unread[i.a], !i.isMasked { isKept[before] = false }
        // Elements of arrays are also read by index.
        unread[i.a] = i.isMasked || fixed.contains(i.a) ? nil : index
      case .blend: unread[i.a] = nil
      case .load, .store, .extract, .imageRead, .imageWrite, .host: break
      case .branch, .choose, .loop, .scope, .park: unread = [:]
      }
    }
    keep(isKept)
  }

  /// Replaces reads of a copy by reads of its source while the source does not change, and removes the copies.
  ///
  /// - Parameters:
  ///   - inputs: registers that are written before the first step.
  ///   - results: registers that are read after the last step.
  /// - Returns: the registers that hold the results now.
  mutating func followCopies(inputs: [Register], results: [Register]) -> [Register] {
    let live = Liveness(self, inputs: inputs, results: results)
    var writes = [[Int32]](repeating: [], count: Int(registers))
    for register in inputs { writes[Int(register)].append(-1) }
    for index in steps.indices { visit(index) { if $2 != .read { writes[Int($0)].append($1) } } }
    // Elements of arrays are also written by index.
    let fixed = Set(indexedVariables.joined())
    var sources = Array(0..<registers)
    var isKept = [Bool](repeating: true, count: steps.count)
    for (index, i) in steps.enumerated() where i.kind == .compute && i.operation == .copy {
      let source = sources[Int(i.b)], here = Int32(2 * index + 1), interval = live.intervals[Int(i.a)]
      guard source != i.a, writes[Int(i.a)].count == 1, interval.first == here else { continue }
      guard !fixed.contains(i.a), !fixed.contains(source) else { continue }
      guard !writes[Int(source)].contains(where: { $0 >= here && $0 <= interval.last }) else { continue }
      sources[Int(i.a)] = source
      isKept[index] = false
    }
    rename { sources[Int($0)] }
    keep(isKept)
    return results.map { sources[Int($0)] }
  }

  /// Writes results directly to the variable that they would only be copied to.
  mutating func storeAtOnce(results: [Register]) {
    var reads = [Int32](repeating: 0, count: Int(registers)), writes = reads
    for register in results { reads[Int(register)] += 1 }
    for index in steps.indices {
      visit(index) { register, _, use in
        if use == .read { reads[Int(register)] += 1 } else { writes[Int(register)] += 1 }
      }
    }
    let borders = borders, fixed = Set(indexedVariables.joined())
    var isKept = [Bool](repeating: true, count: steps.count)
    // The steps that wrote and last used a register, since the last border.
    var made: [Register: Int] = [:], used: [Register: Int] = [:]
    for index in steps.indices {
      let i = steps[index]
      if borders.contains(Int32(index)) { (made, used) = ([:], [:]) }
      let isStore = i.kind == .blend || i.kind == .compute && i.operation == .copy && !i.isMasked
      if isStore, let from = made[i.b], reads[Int(i.b)] == (i.kind == .blend ? 1 : 2), writes[Int(i.b)] == 1,
        used[i.a] ?? -1 <= from, !fixed.contains(i.a)
      {
        let isRead = [steps[from].b, steps[from].c, steps[from].d].contains(i.a)
        if steps[from].kind != .call || !isRead {
          (steps[from].a, steps[from].isMasked) = (i.a, i.kind == .blend)
          isKept[index] = false
          used[i.a] = index
          continue
        }
      }
      visit(index) { register, _, _ in used[register] = index }
      switch i.kind {
      case .compute, .select, .call: if !i.isMasked { made[i.a] = index }
      case .blend, .load, .store, .extract, .imageRead, .imageWrite, .host: break
      case .branch, .choose, .loop, .scope, .park: (made, used) = ([:], [:])
      }
    }
    keep(isKept)
  }
}
