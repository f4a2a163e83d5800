import Foundation
import HDRPlan
import OCIOConfig
import TestSupport
import Testing

/// The built-in configs of ACES 1.3 and 2.0 against OpenColorIO 2.6: every space, there and back, and every view.
@Suite struct BuiltinConfigTests {
  private struct Row {
    var config: String, source: String, target: String, view: String
    var colors: [[Double]]

    init?(_ line: Substring) {
      let cells = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      guard !line.hasPrefix("#"), cells.count > 4 else { return nil }
      (config, source, target, view) = (cells[0], cells[1], cells[2], cells[3])
      let numbers = cells[4...].compactMap { Double($0) }
      colors = stride(from: 0, to: numbers.count - 2, by: 3).map { Array(numbers[$0..<$0 + 3]) }
    }
  }

  /// The script scripts/peers/oracles/ocio.py has written these rows.
  private static let rows: [Row] = {
    let url = SharedData.repository.appendingPathComponent("scripts/peers/oracles/ocio.tsv")
    return ((try? String(contentsOf: url, encoding: .utf8)) ?? "").split(separator: "\n").compactMap { Row($0) }
  }()

  @Test func everySpaceAndViewFollowsOpenColorIO() throws {
    let codes = try #require(Self.rows.first { $0.config == "codes" }).colors
    let light = try #require(Self.rows.first { $0.config == "light" }).colors
    let context = ConfigContext { _ in false }
    var configs: [String: Config] = [:], compared = 0
    for row in Self.rows where row.config.contains("-config-") {
      let config = try #require(try configs[row.config] ?? Config.builtIn("ocio://" + row.config))
      configs[row.config] = config
      let operations =
        row.view.isEmpty
        ? try config.operations(from: row.source, to: row.target, context)
        : try config.operations(display: row.target, view: row.view, from: row.source, context).all
      let chain = try LUTChain(operations) { (file) throws(LUTError) in throw LUTError(.format, reason: "no file") }
      let input = row.view.isEmpty && row.target == "ACES2065-1" ? codes : light
      for (made, wanted) in zip(try LUTVectorTests.run(chain, input), row.colors) {
        let size = max(1, wanted.map(abs).max() ?? 0)
        #expect(
          zip(made, wanted).allSatisfy { abs($0 - $1) < 1e-4 * size },
          "\(row.config), \(row.source) to \(row.target) \(row.view): \(made), \(wanted)")
      }
      compared += 1
    }
    #expect(configs.count == 4 && compared == 292)
  }
}
