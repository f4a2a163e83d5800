import HDRCore
import HDRPlan

extension BandPlanner {
  /// Cuts a plan into bands of at most `limits.slotBytes`: of `aim` bytes, which overlap well, or of more where
  /// neighbours would compute or upload a tenth of the picture twice.
  package func bands(aim: Int) throws(GPUError) -> [Band] {
    var bytes = min(aim, limits.slotBytes)
    while true {
      var smaller = limits
      smaller.slotBytes = bytes
      let bands = try within(smaller).bands()
      if bytes >= limits.slotBytes || bands.count == 1 || repetition(of: bands) < Self.mostRepetition { return bands }
      bytes = min(bytes * 2, limits.slotBytes)
    }
  }

  /// The part of a picture that may be done twice.
  static let mostRepetition = 1.1

  /// Returns how many times the invocations and the uploaded bytes of a whole picture its bands have, the larger of
  /// both; 1: nothing is done twice.
  package func repetition(of bands: [Band]) -> Double {
    max(repetitionOfWork(bands), repetitionOfUploads(bands))
  }

  private func repetitionOfWork(_ bands: [Band]) -> Double {
    let needed = plan.neededRows(0..<(plan.passes.last?.height ?? 0))
    let whole = zip(plan.passes, needed).reduce(0) { sum, entry in
      let (pass, rows) = entry, block = pass.sink.block
      let columns = (pass.width + block.width - 1) / block.width
      return sum + columns * (((rows?.count ?? 0) + block.height - 1) / block.height)
    }
    // Blocks are encoded once in any case.
    let done = bands.reduce(0) { sum, band in
      band.dispatches.lazy.filter { $0.kernel < plan.passes.count }.reduce(sum) { $0 + $1.columns * $1.rows }
    }
    return Double(done) / Double(max(1, whole))
  }

  private func repetitionOfUploads(_ bands: [Band]) -> Double {
    // The memory that all bands read together. Bands of turned pictures read columns, whose rows lie in one another's.
    var ranges: [ObjectIdentifier: [Range<Int>]] = [:]
    var uploaded = 0
    for copy in bands.lazy.flatMap(\.copies) {
      let length = copy.rowBytes * (copy.rows - 1) + copy.bytes
      ranges[ObjectIdentifier(copy.buffer), default: []].append(copy.offset..<copy.offset + length)
      uploaded += copy.bytes * copy.rows
    }
    let whole = ranges.values.reduce(0) { $0 + Self.count($1) }
    return Double(uploaded) / Double(max(1, whole))
  }

  /// Returns the number of integers that are in any of the ranges.
  private static func count(_ ranges: [Range<Int>]) -> Int {
    var end = Int.min, count = 0
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      count += max(0, range.upperBound - max(range.lowerBound, end))
      end = max(end, range.upperBound)
    }
    return count
  }
}
