/// Allocates places in one buffer: first fit, free neighbours joined. Dispatches of a band run one after the other, so
/// a place is free once its last reader is recorded.
struct ScratchSpace {
  /// The bytes that hold all places at once.
  private(set) var size = 0
  /// The free ranges, ascending, no two touching.
  private var free: [Range<Int>] = []

  mutating func take(_ bytes: Int) -> Int {
    if let index = free.firstIndex(where: { $0.count >= bytes }) {
      let start = free[index].lowerBound
      free[index] = start + bytes..<free[index].upperBound
      if free[index].isEmpty { free.remove(at: index) }
      return start
    }
    // A free place at the end is made longer.
    let start = free.last.map { $0.upperBound == size ? $0.lowerBound : size } ?? size
    if start < size { free.removeLast() }
    size = start + bytes
    return start
  }

  mutating func give(_ start: Int, _ bytes: Int) {
    var place = start..<start + bytes
    let index = free.firstIndex { $0.lowerBound > start } ?? free.count
    if index < free.count, free[index].lowerBound == place.upperBound {
      place = place.lowerBound..<free[index].upperBound
      free.remove(at: index)
    }
    if index > 0, free[index - 1].upperBound == place.lowerBound {
      free[index - 1] = free[index - 1].lowerBound..<place.upperBound
    } else {
      free.insert(place, at: index)
    }
  }

  /// Gives all places.
  mutating func giveAll() { free = size > 0 ? [0..<size] : [] }
}
