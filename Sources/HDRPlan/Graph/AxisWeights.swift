import HDRCore

/// The weights that make each sample along one axis of a result from consecutive source samples. Resampling, blur,
/// averages and stretching differ only in weights (stages `convolve_x`, `convolve_y`).
struct AxisWeights: Sendable {
  /// The values beyond the ends of the source.
  enum Edges: Sendable {
    /// The first and the last sample repeat.
    case clamp
    /// Transparent black.
    case transparent
    /// Nothing: the other weights are scaled to sum 1.
    case renormalize
  }

  let sourceSize: Int
  /// The first source sample and the list in `weights` of each sample of the result.
  private(set) var first: [Int] = []
  private(set) var index: [Int] = []
  /// The different lists of weights, none empty.
  private(set) var weights: [[UInt32]] = []

  var size: Int { first.count }

  /// - Parameter taps: first sample of the source, which may lie outside, and weights.
  init(sourceSize: Int, size: Int, edges: Edges, _ taps: (Int) -> (first: Int, weights: [Double])) {
    self.sourceSize = sourceSize
    var known: [[UInt32]: Int] = [:], last: [Double]?
    for i in 0..<size {
      let (start, list) = taps(i)
      if start >= 0 && start + list.count <= sourceSize {
        // The same weights as before, which most samples of a blur have, are not looked up again.
        if let last, last == list {
          first.append(start)
          index.append(index[i - 1])
          continue
        }
        last = list
      } else {
        last = nil
      }
      let (from, inside) = Self.inside(start, list, sourceSize, edges)
      let words = inside.map(\.word)
      if known[words] == nil {
        known[words] = weights.count
        weights.append(words)
      }
      first.append(from)
      index.append(known[words]!)
    }
  }

  /// Returns weights for the same sum that use samples of the source only.
  private static func inside(
    _ start: Int, _ list: [Double], _ size: Int, _ edges: Edges
  ) -> (first: Int, weights: [Double]) {
    let end = start + list.count
    if start >= 0 && end <= size { return (start, list) }
    let from = min(max(start, 0), size - 1), to = max(min(end, size), from + 1)
    var kept = [Double](repeating: 0, count: to - from)
    for (offset, weight) in list.enumerated() {
      let at = start + offset
      if edges == .clamp {
        kept[min(max(at, from), to - 1) - from] += weight
      } else if at >= from && at < to && at >= 0 && at < size {
        kept[at - from] += weight
      }
    }
    if edges == .renormalize {
      let sum = kept.reduce(0, +), whole = list.reduce(0, +)
      if sum != 0 { kept = kept.map { $0 * whole / sum } }
    }
    return (from, kept)
  }

  /// Three words for each sample of the result: first source sample, number of weights, and their place in these words;
  /// then the weights.
  var words: [UInt32] {
    var offsets: [Int] = [], next = 3 * size
    for list in weights {
      offsets.append(next)
      next += list.count
    }
    var words: [UInt32] = []
    words.reserveCapacity(next)
    for i in 0..<size { words += [first[i].word, weights[index[i]].count.word, offsets[index[i]].word] }
    for list in weights { words += list }
    return words
  }

  /// The source rows that each row of the result needs.
  var rows: RowScale {
    RowScale(
      firstRow: first.map { Int32($0) },
      lastRow: (0..<size).map { Int32(first[$0] + weights[index[$0]].count - 1) })
  }
}

extension AxisWeights {
  /// Keeps each sample as it is.
  static func identity(_ size: Int) -> AxisWeights {
    AxisWeights(sourceSize: size, size: size, edges: .clamp) { ($0, [1]) }
  }

  /// Averages over the area of each result sample with fractional coverage; the result must not be larger.
  static func area(_ axis: SampleAxis, to result: Int) -> AxisWeights {
    // Lengths are in `unit`ths of a sample.
    let unit = result * axis.scale, lead = axis.lead * result
    return AxisWeights(sourceSize: axis.count, size: result, edges: .clamp) { i in
      let start = i * axis.pixels + lead, end = (i + 1) * axis.pixels + lead
      let first = start / unit, last = (end - 1) / unit
      return (
        first,
        (first...last).map { sample in
          Double(min(end, (sample + 1) * unit) - max(start, sample * unit)) / Double(axis.pixels)
        }
      )
    }
  }

  /// Resamples with a kernel of `support` source samples to either side, stretched if the result is smaller. The
  /// weights of each result sample are normalised to sum 1. Without a repeated edge a sample that stands over the picture
  /// counts by the part of it that lies inside.
  ///
  /// - Parameter kernel: weight at a distance in samples, for a result of the source's size or larger.
  static func resampled(
    _ axis: SampleAxis, to result: Int, support: Double, edges: Edges = .renormalize, _ kernel: (Double) -> Double
  ) -> AxisWeights {
    let step = Double(axis.pixels) / Double(axis.scale * result), stretch = max(step, 1), reach = support * stretch
    let lead = Double(axis.lead) / Double(axis.scale)
    return AxisWeights(sourceSize: axis.count, size: result, edges: edges) { i in
      let center = (Double(i) + 0.5) * step + lead - 0.5
      let first = Int((center - reach).rounded(.up)), last = max(first, Int((center + reach).rounded(.down)))
      var list = (first...last).map { kernel((Double($0) - center) / stretch) }
      if axis.scale > 1, edges == .renormalize {
        for end in [0, axis.count - 1] where first...last ~= end { list[end - first] *= axis.coverage(end) }
      }
      let sum = list.reduce(0, +)
      if sum == 0 { return (first, list.map { _ in 1 / Double(list.count) }) }
      // Rounding errors where the kernel is 0 would make subnormals of dark light, in two passes.
      return (first, list.map { abs($0 / sum) < 0x1p-40 ? 0 : $0 / sum })
    }
  }

  /// Applies one symmetric kernel to every sample: weights at distances 0, 1, 2 ...
  ///
  /// - Parameter offset: by how many samples the result is moved towards larger numbers.
  static func symmetric(_ size: Int, _ half: [Double], edges: Edges, offset: Int = 0) -> AxisWeights {
    let list = half.dropFirst().reversed() + half
    return AxisWeights(sourceSize: size, size: size, edges: edges) { ($0 - offset - half.count + 1, list) }
  }
}
