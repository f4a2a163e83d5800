/// The steps between which each register is needed.
///
/// Places are counted in half steps: a step reads at twice its number and writes one later. So its result may take the
/// register of an operand that is not needed any more. Steps with many operands read later too. A register that carries
/// a value from one turn of a loop to the next lives as long as the loop.
struct Liveness {
  /// The places from the first use to the last, both included.
  struct Interval {
    var first = Int32.max
    var last = Int32.min
    /// True if the first use does not write all of the register: turns of a loop then depend on earlier ones.
    var isCarried = false

    var isEmpty: Bool { first > last }
  }

  private(set) var intervals: [Interval]

  /// - Parameters:
  ///   - inputs: registers that are written before the first step.
  ///   - results: registers that are read after the last step.
  init(_ code: CodeList, inputs: [Register], results: [Register]) {
    intervals = [Interval](repeating: Interval(), count: Int(code.registers))
    for register in inputs { note(register, -1, .write) }
    var loops: [(first: Int32, last: Int32)] = []
    for index in code.steps.indices {
      code.visit(index) { note($0, $1, $2) }
      let i = code.steps[index]
      if i.kind == .loop { loops.append((Int32(2 * index + 1), 2 * i.last - 1)) }
    }
    for register in results { note(register, Int32(2 * code.steps.count), .read) }
    // Inner loops come after outer ones, so the outer one sees intervals that an inner one has extended.
    for loop in loops.reversed() { extend(over: loop) }
  }

  private mutating func note(_ register: Register, _ place: Int32, _ use: CodeList.Use) {
    let index = Int(register)
    if intervals[index].isEmpty { intervals[index].isCarried = use != .write }
    intervals[index].first = min(intervals[index].first, place)
    intervals[index].last = max(intervals[index].last, place)
  }

  private mutating func extend(over loop: (first: Int32, last: Int32)) {
    for index in intervals.indices {
      let interval = intervals[index]
      guard interval.first <= loop.last, interval.last >= loop.first else { continue }
      let isInside = interval.first >= loop.first && interval.last <= loop.last
      guard !isInside || interval.isCarried else { continue }
      intervals[index].first = min(interval.first, loop.first)
      intervals[index].last = max(interval.last, loop.last)
    }
  }
}
