/// A shard of the cases of `verify`: every n-th case of single stages and filters, and all others.
///
/// Devices that differ in how pictures reach them, and compute alike, take a shard each: together they see every case.
package struct VerificationShard: Sendable {
  package let index: Int, count: Int

  /// Groups with a case or more for each stage or filter, which test what a device computes.
  package static let divided: Set<VerificationGroup> = [.stages, .numbers, .filters]

  /// Makes shard `index` of `count`; `nil` unless 0 <= index < count.
  package init?(_ index: Int, of count: Int) {
    guard index >= 0, index < count else { return nil }
    (self.index, self.count) = (index, count)
  }

  /// Returns true if a case is in the shard.
  ///
  /// - Parameter place: the case's place in its group, from 0.
  package func has(_ place: Int, of group: VerificationGroup) -> Bool {
    !Self.divided.contains(group) || place % count == index
  }
}
