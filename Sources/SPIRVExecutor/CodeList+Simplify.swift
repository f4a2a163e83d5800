extension CodeList {
  /// Removes what nothing reads.
  ///
  /// - Parameter results: registers that are read behind the last step.
  mutating func removeDead(results: [Register]) {
    var reads = [Int32](repeating: 0, count: Int(registers))
    for register in results { reads[Int(register)] += 1 }
    for block in indexedVariables { for register in block { reads[Int(register)] += 1 } }
    for index in steps.indices { visit(index) { if $2 == .read { reads[Int($0)] += 1 } } }
    var isKept = [Bool](repeating: true, count: steps.count), count = 0
    repeat {
      count = 0
      // The first step behind this one that is kept.
      var next = Int32(steps.count)
      for index in steps.indices.reversed() where isKept[index] {
        let i = steps[index]
        var isNeeded: Bool
        switch i.kind {
        case .compute, .select, .blend, .extract, .host: isNeeded = false
        case .load: if case .variable = accesses[Int(i.a)].target { isNeeded = false } else { isNeeded = true }
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
    keep(isKept)
  }

  /// Reads what is copied where the copy is read, as long as that stays what it is; the copies go.
  ///
  /// - Parameters:
  ///   - inputs: registers that are written before the first step.
  ///   - results: those that are read behind the last.
  /// - Returns: where the results are now.
  mutating func followCopies(inputs: [Register], results: [Register]) -> [Register] {
    let live = Liveness(self, inputs: inputs, results: results)
    var writes = [[Int32]](repeating: [], count: Int(registers))
    for register in inputs { writes[Int(register)].append(-1) }
    for index in steps.indices { visit(index) { if $2 != .read { writes[Int($0)].append($1) } } }
    // Elements of arrays are written by number too.
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
}
