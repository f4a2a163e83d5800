/// The bytes of a slot that the next pictures begin with after the device's memory ran out: another program has it, and
/// pictures need not all learn that by failing.
package struct RememberedSize {
  private let slotBytes: Int
  private let end: ContinuousClock.Instant

  package static let duration = Duration.seconds(60)

  package init(bytes: Int, until end: ContinuousClock.Instant) { (slotBytes, self.end) = (bytes, end) }

  /// The bytes; `nil` when the time is over, and the whole size is tried again.
  package func bytes(at now: ContinuousClock.Instant) -> Int? { now < end ? slotBytes : nil }
}
