/// Gives values that do not live at the same time one register.
///
/// Source: Poletto and Sarkar, "Linear Scan Register Allocation" (1999).
struct RegisterAllocation {
  /// The new number of each register; -1 where nothing uses it.
  private(set) var colors: [Register]
  private(set) var count: Register = 0

  /// - Parameters:
  ///   - blocks: registers that follow each other and keep their place, as a changing index finds them.
  ///   - constants: registers that get no number here.
  ///   - reuses: `false`: each value has a register of its own, for tests.
  init(_ live: Liveness, blocks: [ClosedRange<Register>], constants: Set<Register>, reuses: Bool) {
    let intervals = live.intervals
    colors = [Register](repeating: -1, count: intervals.count)
    // First the mask of the lanes that are on.
    for block in [0...0] + blocks { for register in block { give(Int(register), count) } }
    let order = intervals.indices
      .filter { colors[$0] < 0 && !intervals[$0].isEmpty && !constants.contains(Register($0)) }
      .sorted { (intervals[$0].first, $0) < (intervals[$1].first, $1) }
    var free: [Register] = []
    var active: [(last: Int32, color: Register)] = []
    for register in order {
      let interval = intervals[register]
      active.removeAll { old in
        guard reuses, old.last < interval.first else { return false }
        free.append(old.color)
        return true
      }
      // The one that was used last is the likeliest to be in the cache.
      let color = free.popLast() ?? count
      give(register, color)
      active.append((interval.last, color))
    }
  }

  private mutating func give(_ register: Int, _ color: Register) {
    colors[register] = color
    count = max(count, color + 1)
  }
}
