import HDRCore
import Kernels

extension PlanBuilder {
  /// Mixes two looks of the open pass's picture: `standard` for an amount of 0, `high` for 1. The open pass ends as a
  /// picture that both are made from.
  mutating func mixLooks(standard: [PixelOperation], high: [PixelOperation], amount: Double) {
    if amount <= 0 || amount >= 1 {
      add(amount <= 0 ? standard : high)
      return
    }
    let own = close()
    begin(own)
    add(standard)
    let other = close()
    begin(own)
    add(high)
    let source = addSource(other, rows: .same(height: other.height))
    append(words.stage(.mixLooks, MixLooks.words(source: source, amount: amount)))
  }
}
