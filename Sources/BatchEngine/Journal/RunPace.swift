import Glibc
import HDRRecipe

/// The pace of runs that are at work, by their journals alone.
enum RunPace {
  /// A run that has written nothing for so many seconds is not at work.
  private static let silence = 120.0

  /// Returns files a second of all runs at work together; `nil` if there are none.
  ///
  /// - Throws: `UsageError` for journals that cannot be read.
  static func rate(of journals: [Journal]) throws(UsageError) -> Double? {
    let now = Double(time(nil))
    var rates: [Double] = []
    for journal in journals where journal.unixTime > 0 {
      guard let last = journal.lastChange, now - last < silence else { continue }
      var items = 0, isOver = false
      try journal.eachRow(["type", "status", "code"]) { row in
        switch row {
        case .item(let item): items += item.isOutcome ? 1 : 0
        case .other: isOver = true
        case .header: break
        }
      }
      if !isOver, items > 0 { rates.append(Double(items) / max(1, now - Double(journal.unixTime))) }
    }
    return rates.isEmpty ? nil : rates.reduce(0, +)
  }
}
