/// Sums of each row of a picture, added in the order of rows: the same for any bands and any number of threads.
struct RowSums: Sendable {
  private var rows: [(y: Int, sums: [Double])] = []

  mutating func add(row y: Int, _ sums: [Double]) { rows.append((y, sums)) }

  mutating func merge(_ other: RowSums) { rows += other.rows }

  /// The sums of all rows; empty without rows.
  var total: [Double] {
    let sorted = rows.sorted { $0.y < $1.y }
    guard var total = sorted.first?.sums else { return [] }
    for row in sorted.dropFirst() { for index in total.indices { total[index] += row.sums[index] } }
    return total
  }
}
