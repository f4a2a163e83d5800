import BatchEngine
import PlainData

/// Gathers the outcomes of an input's outputs, and turns them into lines: one for all outputs that fail alike.
struct InputReports {
  /// The outputs that each input has to get yet.
  private var left: [Int: Int] = [:]
  private var open: [Int: [ItemRecord]] = [:]
  /// Inputs that failed, by code, with the advice of the first.
  private var failures: [String: (inputs: Int, advice: String?)] = [:]
  /// The order of the codes.
  private var codes: [String] = []
  /// Inputs of which a file was made.
  private(set) var rendered = 0
  let inputs: Int
  /// True if an input has several outputs.
  let hasSeveral: Bool

  init(_ items: [BatchItem]) {
    for item in items { left[item.inputNumber, default: 0] += 1 }
    inputs = left.count
    hasSeveral = inputs < items.count
  }

  /// Adds an outcome.
  ///
  /// - Returns: all outcomes of the input with the last of them, else none.
  mutating func add(_ record: ItemRecord) -> [ItemRecord] {
    let input = record.item.inputNumber
    open[input, default: []].append(record)
    left[input, default: 1] -= 1
    guard left[input] == 0, let all = open.removeValue(forKey: input) else { return [] }
    count(all)
    return all
  }

  /// Returns the outcomes of inputs that did not get all of their outputs.
  mutating func rest() -> [[ItemRecord]] {
    let all = open.sorted { $0.key < $1.key }.map(\.value)
    open = [:]
    for records in all { count(records) }
    return all
  }

  private mutating func count(_ records: [ItemRecord]) {
    if records.contains(where: { $0.status == .ok || $0.status == .warn }) { rendered += 1 }
  }

  /// Returns a line for each way in which an input's outputs failed or were rejected. Advice is in the first line of a code.
  mutating func lines(of records: [ItemRecord]) -> [String] {
    var groups: [(word: String, first: ItemRecord, outputs: [String])] = [], codes: Set<String> = []
    for record in records {
      let word: String
      switch record.status {
      case .failed: word = "error"
      case .rejected: word = "rejected"
      case .ok, .warn, .skipped: continue
      }
      let name = record.item.relativeOutput.display
      let same = groups.firstIndex {
        ($0.word, $0.first.code, $0.first.message) == (word, record.code, record.message)
      }
      if let same { groups[same].outputs.append(name) } else { groups.append((word, record, [name])) }
    }
    return groups.map { word, first, outputs in
      let code = first.code ?? "", message = Advice(first.message ?? ""), isKnown = failures[code] != nil
      if codes.insert(code).inserted {
        if !isKnown { self.codes.append(code) }
        failures[code] = ((failures[code]?.inputs ?? 0) + 1, failures[code]?.advice ?? message.rest)
      }
      // A text of advice that differs from the first one's is said.
      let isSaid = isKnown && failures[code]?.advice == message.rest
      let text = isSaid ? message.fault : first.message ?? ""
      return "hdrbatch: \(word): \(first.item.input.display)\(Self.share(outputs, of: records.count)): "
        + "\(printable(text)) [\(code)]"
    }
  }

  /// Returns ` (5 outputs)`, or the names of some of them; nothing of an only output.
  private static func share(_ outputs: [String], of count: Int) -> String {
    if count == 1 { return "" }
    if outputs.count == count { return " (\(count) outputs)" }
    let more = outputs.count > 3 ? " and \(outputs.count - 3) more" : ""
    return " (\(outputs.count) of \(count) outputs: \(outputs.prefix(3).joined(separator: ", "))\(more))"
  }

  /// A line for each code of several inputs: what to do.
  var advice: [String] {
    codes.compactMap { code in
      guard let found = failures[code], found.inputs > 1, let advice = found.advice else { return nil }
      return "hdrbatch: advice: \(found.inputs) inputs [\(code)]: \(printable(advice))"
    }
  }
}
