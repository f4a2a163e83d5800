import BatchEngine
import Glibc
import HDRCore
import PlainData

/// A roofline: a kernel's operations a second over its operations a byte, below the limits of memory and arithmetic.
///
/// Both axes are logarithmic. The slanted roof is the bytes a second of a copy, the flat one products and sums. A point
/// under the slope waits for memory at best, one right of the corner for arithmetic; its distance below the roof is the
/// cost of other instructions, lookups and latency.
package struct Roofline {
  var title: String
  /// Bytes a second read plus written, and operations a second; the latter unknown on devices without a clock.
  var copy: Double
  var arithmetic: Double?
  var points: [(name: String, operationsPerByte: Double, operationsPerSecond: Double)]

  /// Returns charts for the best CPU build on one thread and on all threads, and for each device.
  static func all(of report: BenchReport) -> [Roofline] {
    let kernels = report.figures.filter { $0.section == .kernel }
    let transfers = report.figures.filter { $0.section == .transfer }
    func roof(_ name: String) -> Double? {
      transfers.first { $0.name == name }.map { $0.spread.median * 1e9 }
    }
    func points(_ rows: [BenchFigure]) -> [(String, Double, Double)] {
      rows.compactMap { row in
        guard let operations = row["operationsPerPixel"]?.double, operations > 0,
          let bytes = row["bytesPerPixel"]?.double, bytes > 0, row.spread.median > 0
        else { return nil }
        return (row["recipe"]?.string ?? row.name, operations / bytes, operations / row.spread.median * 1e9)
      }
    }
    var charts: [Roofline] = []
    for threads in Set([1, report.machine.threads]).sorted() {
      let of = "\(threads) thread\(threads == 1 ? "" : "s")"
      let rows = kernels.filter {
        $0["backend"]?.string == "cpu" && $0["isa"]?.string == report.machine.instructionSet
          && $0["threads"]?.integer == threads
      }
      guard let copy = roof("memory copy, \(of)"), !rows.isEmpty else { continue }
      charts.append(
        Roofline(
          title: "\(report.machine.cpuModel), \(of), \(report.machine.instructionSet)", copy: copy,
          arithmetic: roof("products and sums, \(of)"), points: points(rows)))
    }
    for device in report.machine.devices {
      let rows = kernels.filter { $0["backend"]?.string == "gpu" && $0["device"]?.string == device.name }
      guard let copy = roof("device copy, \(device.name)"), !rows.isEmpty else { continue }
      charts.append(
        Roofline(
          title: device.name, copy: copy, arithmetic: roof("products and sums, \(device.name)"), points: points(rows)))
    }
    return charts
  }

  /// The chart as inline SVG, 360 by 250 units.
  var svg: String {
    let left = 46.0, right = 348.0, top = 12.0, bottom = 214.0
    let intensities = points.map(\.operationsPerByte) + [arithmetic.map { $0 / copy } ?? 1]
    let xLow = floor(log10(max(intensities.min() ?? 1, 1e-3) / 3)), xHigh = ceil(log10((intensities.max() ?? 10) * 3))
    let ceiling = arithmetic ?? copy * pow(10, xHigh)
    let rates = points.map(\.operationsPerSecond) + [ceiling]
    let yLow = floor(log10(max(rates.min() ?? 1, 1) / 3)), yHigh = ceil(log10((rates.max() ?? 1) * 1.2))
    func x(_ value: Double) -> Double { left + (log10(value) - xLow) / (xHigh - xLow) * (right - left) }
    func y(_ value: Double) -> Double { bottom - (log10(value) - yLow) / (yHigh - yLow) * (bottom - top) }
    func n(_ value: Double) -> String { decimals(value, 1) }
    var text = "<svg class=\"roof\" viewBox=\"0 0 360 250\" role=\"img\" aria-label=\"Roofline: \(xmlEscaped(title))\">"
    for decade in Int(xLow)...Int(xHigh) {
      let at = n(x(pow(10, Double(decade))))
      text += "<path class=\"grid\" d=\"M\(at) \(n(top))V\(n(bottom))\"/>"
      text += "<text x=\"\(at)\" y=\"\(n(bottom + 13))\" text-anchor=\"middle\">\(power(decade))</text>"
    }
    for decade in Int(yLow)...Int(yHigh) {
      let at = y(pow(10, Double(decade)))
      text += "<path class=\"grid\" d=\"M\(n(left)) \(n(at))H\(n(right))\"/>"
      text += "<text x=\"\(n(left - 4))\" y=\"\(n(at + 3))\" text-anchor=\"end\">\(power(decade - 9))</text>"
    }
    let start = pow(10, xLow), end = pow(10, xHigh), corner = ceiling / copy
    let low = max(copy * start, pow(10, yLow))
    text += "<path class=\"line\" d=\"M\(n(x(low / copy))) \(n(y(low)))L\(n(x(min(corner, end)))) "
    text += "\(n(y(min(ceiling, copy * end))))" + (arithmetic == nil ? "" : "H\(n(right))") + "\"/>"
    text += "<text x=\"\(n(x(low / copy) + 8))\" y=\"\(n(y(low) - 22))\">copy \(significant(copy / 1e9)) GB/s</text>"
    if let arithmetic {
      text += "<text x=\"\(n(right))\" y=\"\(n(y(arithmetic) - 5))\" text-anchor=\"end\">"
      text += "products and sums \(significant(arithmetic / 1e9)) Gop/s</text>"
    }
    // Names go to the side with room, one below the other where points are close.
    var taken: [Double] = []
    for point in points.sorted(by: { $0.operationsPerSecond > $1.operationsPerSecond }) {
      let px = x(point.operationsPerByte), py = y(point.operationsPerSecond)
      let label = Self.free(py + 3, among: taken)
      taken.append(label)
      let isLeft = px > right - 70
      if label > py + 6 {
        text += "<path class=\"grid\" d=\"M\(n(px)) \(n(py))L\(n(px + (isLeft ? -6 : 6))) \(n(label - 3))\"/>"
      }
      text += "<circle cx=\"\(n(px))\" cy=\"\(n(py))\" r=\"3.5\"/>"
      text += "<text x=\"\(n(px + (isLeft ? -7 : 7)))\" y=\"\(n(label))\"\(isLeft ? " text-anchor=\"end\"" : "")>"
      text += "\(xmlEscaped(point.name))</text>"
    }
    text += "<text x=\"\(n((left + right) / 2))\" y=\"244\" text-anchor=\"middle\">operations a byte</text>"
    text += "<text x=\"\(n(left))\" y=\"8\">Gop/s</text>"
    return text + "</svg>"
  }

  /// Returns the first place from `label` down that is a line away from those taken.
  package static func free(_ label: Double, among taken: [Double]) -> Double {
    var label = label
    // A sum may be rounded down: a label that is moved by 11 is at least 10.9 away.
    while let near = taken.first(where: { abs($0 - label) < 10.9 }) { label = near + 11 }
    return label
  }

  /// Returns 10 to the power of `exponent` in digits.
  private func power(_ exponent: Int) -> String {
    if exponent >= 0 { return "1" + String(repeating: "0", count: exponent) }
    return "0." + String(repeating: "0", count: -exponent - 1) + "1"
  }
}
