/// Gives values that are not live at the same time the same register.
///
/// Source: Poletto and Sarkar, "Linear Scan Register Allocation" (1999).
struct RegisterAllocation {
  /// The new number of each register; -1 if nothing uses it.
  private(set) var colors: [Register]
  private(set) var count: Register = 0

  /// - Parameters:
  ///   - blocks: registers that stay next to each other, in order, as an index that is not constant finds them.
  ///   - constants: registers that get no number here.
  ///   - reuses: `false`: each value has a register of its own, for tests.
  init(_ live: Liveness, blocks: [ClosedRange<Register>], constants: Set<Register>, reuses: Bool) {
    let intervals = live.intervals
    colors = [Register](repeating: -1, count: intervals.count)
    // The mask of the lanes that are on comes first.
    for block in [0...0] + blocks { for register in block { give(Int(register), count) } }
    let order = intervals.indices
      .filter { colors[$0] < 0 && !intervals[$0].isEmpty && !constants.contains(Register($0)) }
      .sorted { (intervals[$0].first, $0) < (intervals[$1].first, $1) }
    // Numbers by the last place where they are needed; the first place is -1.
    var ending = [[Register]](repeating: [], count: Int(max(0, intervals.map(\.last).max() ?? 0)) + 2)
    var passed = 0, free: [Register] = []
    for register in order {
      let interval = intervals[register]
      while passed < Int(interval.first) + 1 {
        if reuses { free += ending[passed] }
        passed += 1
      }
      // The register that was used last is the most likely to be in the cache.
      let color = free.popLast() ?? count
      give(register, color)
      ending[Int(interval.last) + 1].append(color)
    }
  }

  private mutating func give(_ register: Int, _ color: Register) {
    colors[register] = color
    count = max(count, color + 1)
  }
}
