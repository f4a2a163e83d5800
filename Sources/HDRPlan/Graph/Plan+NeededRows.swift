import HDRCore

extension Plan {
  /// Returns the rows of every pass that some rows of the last one need; `nil` for passes that no other pass reads.
  package func neededRows(_ rows: Range<Int>) -> [Range<Int>?] {
    var needed = [Range<Int>?](repeating: nil, count: passes.count)
    guard !passes.isEmpty else { return needed }
    needed[passes.count - 1] = rows
    for (index, pass) in passes.enumerated().reversed() {
      guard let own = needed[index] else { continue }
      let mapped = pass.mapping.rows(width: pass.width, rows: own)
      for case .earlier(let from, let scale) in pass.sources {
        let more = scale.rows(for: mapped)
        let known = needed[from] ?? more
        needed[from] = min(known.lowerBound, more.lowerBound)..<max(known.upperBound, more.upperBound)
      }
    }
    return needed
  }
}

extension SourceMapping {
  /// Returns the mapped rows of output columns 0..<width and rows `rows`.
  package func rows(width: Int, rows: Range<Int>) -> Range<Int> {
    let ys = [0, width - 1].flatMap { c in
      [rows.lowerBound, rows.upperBound - 1].map { y0 + c * columnY + $0 * rowY }
    }
    return (ys.min() ?? 0)..<(ys.max() ?? 0) + 1
  }
}
