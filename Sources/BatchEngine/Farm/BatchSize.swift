import HDRRender

/// The estimated work of a manifest, and its best division into shards.
///
/// A shard should take 2 to 10 minutes: below that scheduling shows (0.4 s a task with Slurm), above it a lost machine
/// costs too much (docs/farm.md).
package struct BatchSize: Sendable, Hashable {
  package var items = 0
  package var inputs = 0
  package var bytes = 0
  /// The estimated CPU time.
  package var cpuSeconds = 0.0

  /// Minutes that a shard should take.
  static let shardMinutes = 5
  /// CPU seconds of an item: a start, and so much for each megabyte of its input. Measured with the example photos (4.3
  /// MB, 40 megapixels): 0.7 s a megabyte to SDR JPEG, 1.2 to PQ PNG, 3.5 to PQ HEIC. PNG inputs hold ten times the
  /// bytes a pixel.
  static let itemSeconds = 0.1, megabyteSeconds = 1.0, megabyteSecondsToHEIC = 4.0, shareOfPNG = 0.1

  package init(_ manifest: Manifest) {
    items = manifest.rows.count
    for row in manifest.rows {
      if row.variant == 0 {
        inputs += 1
        bytes = bytes.addingReportingOverflow(row.size).partialValue
      }
      let megabytes = Double(row.size) / 1e6 * (Self.isNamed(row.input, ".png") ? Self.shareOfPNG : 1)
      let isSlow = Self.isNamed(row.output, ".heic") || Self.isNamed(row.output, ".avif")
      cpuSeconds += Self.itemSeconds + megabytes * (isSlow ? Self.megabyteSecondsToHEIC : Self.megabyteSeconds)
    }
  }

  private static func isNamed(_ path: FilePath, _ ending: String) -> Bool {
    path.bytes.suffix(ending.utf8.count).map { $0 | 0x20 }.elementsEqual(ending.utf8.map { $0 | 0x20 })
  }

  /// Shards that take about `shardMinutes` on `cpus` processors each; at least 1, at most one for each input.
  ///
  /// - Parameter most: what an engine allows.
  package func shards(cpus: Int, most: Int = 1 << 20) -> Int {
    let wanted = (cpuSeconds / Double(max(1, cpus)) / Double(60 * Self.shardMinutes)).rounded(.up)
    return max(1, Int(min(wanted, Double(min(inputs, most)))))
  }

  /// Items of one such shard.
  package func chunk(cpus: Int) -> Int {
    let count = shards(cpus: cpus)
    return max(1, (items + count - 1) / count)
  }

  var text: String { "\(items) items, \((bytes + 500_000) / 1_000_000) MB of inputs" }

  /// Returns a sentence about the assumptions of the division.
  func assumption(cpus: Int) -> String {
    "Size: assumed are 0.1 CPU s an item and 1 more for each MB of input (4 to HEIC and AVIF, a tenth from PNG), "
      + "\(Int(min(cpuSeconds, 1e15).rounded(.up))) s in all; a shard should take 2 to 10 min on \(cpus) CPUs."
  }
}
