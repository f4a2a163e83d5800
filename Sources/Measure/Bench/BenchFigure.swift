import BatchEngine
import PlainData

/// The result of repeated runs: the median, the quartiles and the extremes.
package struct Spread: Sendable, Hashable {
  package var median: Double
  package var lowerQuartile: Double
  package var upperQuartile: Double
  package var least: Double
  package var greatest: Double
  package var runs: Int

  /// Creates the spread of at least one value; without values all are 0.
  package init(_ values: [Double]) {
    let sorted = values.sorted()
    func at(_ share: Double) -> Double {
      sorted.isEmpty ? 0 : sorted[min(Int(Double(sorted.count) * share), sorted.count - 1)]
    }
    median = at(0.5)
    lowerQuartile = at(0.25)
    upperQuartile = at(0.75)
    least = at(0)
    greatest = at(1)
    runs = sorted.count
  }

  /// Returns the runs in another unit; `change` is called with each value. A unit that counts the other way round
  /// (seconds, pictures a second) turns the order.
  package func map(_ change: (Double) -> Double) -> Spread {
    var result = self
    let quartiles = [change(lowerQuartile), change(upperQuartile)].sorted()
    let ends = [change(least), change(greatest)].sorted()
    result.median = change(median)
    (result.lowerQuartile, result.upperQuartile) = (quartiles[0], quartiles[1])
    (result.least, result.greatest) = (ends[0], ends[1])
    return result
  }
}

/// A result of a bench: the name of what was measured, the values, and the details.
///
/// Every `bench` subcommand writes these, so that one page shows them and one comparison compares them.
package struct BenchFigure: Sendable, Hashable {
  /// The part of the bench that a figure belongs to, in the order of the report.
  package enum Section: String, Sendable, Hashable, CaseIterable {
    case kernel, stages, filters, kernels, metrics, codecs, transfer, files, adaptive, batch, video

    /// The heading of the section.
    package var title: String {
      switch self {
      case .kernel: "Fused recipes"
      case .stages: "What each stage adds"
      case .filters: "What each filter adds"
      case .kernels: "Making kernels"
      case .metrics: "What each metric of a comparison takes"
      case .codecs: "Codecs alone, a core"
      case .transfer: "Memory, arithmetic and bus"
      case .files: "Whole files, CPU time"
      case .adaptive: "Adaptive HDR JPEG from a pair"
      case .batch: "Whole batches"
      case .video: "Clips, CPU time a frame"
      }
    }
  }

  package enum Unit: String, Sendable, Hashable, CaseIterable {
    case nanosecondsPerPixel = "ns/px"
    case millisecondsPerMegapixel = "ms/MP"
    case milliseconds = "ms"
    case seconds = "s"
    case megapixelsPerSecond = "MP/s"
    case gigabytesPerSecond = "GB/s"
    case gigaoperationsPerSecond = "Gop/s"
    case imagesPerSecond = "images/s"
    case megabytes = "MB"
    case calls = "calls"

    /// True if less of it is better.
    package var isCost: Bool {
      switch self {
      case .nanosecondsPerPixel, .millisecondsPerMegapixel, .milliseconds, .seconds, .megabytes, .calls: true
      case .megapixelsPerSecond, .gigabytesPerSecond, .gigaoperationsPerSecond, .imagesPerSecond: false
      }
    }
  }

  package var section: Section
  /// Names the figure within its section; two reports are joined by it.
  package var name: String
  package var unit: Unit
  package var spread: Spread
  /// Further values, in the order of printing.
  package var details: [JSON.Field]
  /// The part that limits this job, in words.
  package var limit: String?

  package init(
    _ section: Section, _ name: String, _ spread: Spread, _ unit: Unit, details: [JSON.Field] = [],
    limit: String? = nil
  ) {
    self.section = section
    self.name = name
    self.unit = unit
    self.spread = spread
    self.details = details
    self.limit = limit
  }

  package var json: JSON {
    var fields: [JSON.Field] = [
      .init("bench", .string(section.rawValue)), .init("name", .string(name)), .init("unit", .string(unit.rawValue)),
      .init("median", .number(rounded(spread.median))), .init("q1", .number(rounded(spread.lowerQuartile))),
      .init("q3", .number(rounded(spread.upperQuartile))), .init("min", .number(rounded(spread.least))),
      .init("max", .number(rounded(spread.greatest))), .init("runs", .int(spread.runs)),
    ]
    if let limit { fields.append(.init("limit", .string(limit))) }
    return .object(fields + details)
  }

  /// Returns a detail by its name.
  package subscript(key: String) -> JSON? { details.first { $0.key == key }?.value }
}
