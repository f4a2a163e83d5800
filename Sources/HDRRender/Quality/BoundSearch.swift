/// Finds the first place of a scale at which a function that falls is at most 0, in few evaluations.
///
/// The function is in doublings. Nothing is assumed of it but that it falls more or less: it may jump, stay equal, or
/// rise between places. No place is asked for twice.
struct BoundSearch: Sendable {
  /// The last place; the first is 0.
  let last: Int
  let start: Int
  /// The most evaluations.
  let most: Int
  /// The excess that a guess aims at: below 0 where that is near enough, else 0.
  let aim: Double
  private(set) var known: [(place: Int, excess: Double)] = []

  /// The fall from place to place where one is known, and its bounds where two say more.
  static let slope = 0.043, slopes = 0.015...0.2
  private static let over = 0.06
  /// Values beyond are as good as these: of an infinite one nothing could be interpolated.
  static let bound = 12.0

  init(last: Int, start: Int, most: Int, aim: Double) {
    (self.last, self.start, self.most, self.aim) = (last, min(start, last), most, aim)
  }

  mutating func add(_ place: Int, excess: Double) {
    known.append((place, excess.isNaN ? Self.bound : min(max(excess, -Self.bound), Self.bound)))
  }

  /// The first known place at most 0.
  private var lowest: (place: Int, excess: Double)? { known.filter { $0.excess <= 0 }.min { $0.place < $1.place } }

  /// The place to try next; `nil` if the search is over.
  var next: Int? {
    guard let latest = known.last else { return start }
    let left = most - known.count
    if left <= 0 { return nil }
    guard let high = lowest else {
      guard let low = known.max(by: { $0.place < $1.place }), low.place < last else { return nil }
      // That nothing will do is said of the last place alone. Before it, half of the way is the least.
      if left == 1 { return last }
      let least = left == 2 ? (low.place + last + 1) / 2 : low.place + 1
      return place(beyond: low, within: least...last)
    }
    guard high.place > 0 else { return nil }
    guard let low = known.filter({ $0.place < high.place }).max(by: { $0.place < $1.place }) else {
      return place(beyond: high, within: 0...high.place - 1)
    }
    guard high.place - low.place > 1 else { return nil }
    // A place without any error, as quality 100 of a lossless coder, says nothing of those before it.
    if high.excess <= -Self.bound { return place(beyond: low, within: low.place + 1...high.place - 1) }
    let width = Double(high.place - low.place)
    // The last one should not miss.
    var share = (low.excess - (left == 1 ? min(aim, -Self.over) : aim)) / (low.excess - high.excess)
    // Two on one side of the bound: a jump may be near, and guesses would creep.
    let before = known.count > 2 ? known[known.count - 2] : latest
    let moved = abs(before.place - latest.place), isSameSide = (before.excess <= 0) == (latest.excess <= 0)
    if moved > 0, isSameSide, aim < 0 || left > 1 && 4 * Double(moved) < width { share = 0.5 }
    let place = low.place + Int((min(max(share, 0), 1) * width).rounded(.up))
    return min(max(place, low.place + 1), high.place - 1)
  }

  /// Returns the place at which the function should reach the aim, by its fall between the last two places.
  private func place(beyond known: (place: Int, excess: Double), within range: ClosedRange<Int>) -> Int {
    let other = self.known.dropLast().last { $0.place != known.place && abs($0.excess) < Self.bound }
    let fall = other.map { ($0.excess - known.excess) / Double(known.place - $0.place) } ?? Self.slope
    let slope = min(max(fall, Self.slopes.lowerBound), Self.slopes.upperBound)
    // An exact search steps over the bound, to have it between two places.
    let aim = aim < 0 ? aim : known.excess > 0 ? -Self.over : Self.over
    let steps = Int(((known.excess - aim) / slope).rounded(.up))
    return min(max(known.place + steps, range.lowerBound), range.upperBound)
  }
}
