import HDRCore
import PlainData

/// The measured light of a clip or segment, as one pass leaves it for the next.
extension ClipLight {
  package var json: JSON {
    func list(_ numbers: [Int]) -> JSON { .array(numbers.map(JSON.int)) }
    return [
      "pixels": .int(pixels), "histogram": list(histogram.counts), "first": list(ends.first), "last": list(ends.last),
      "rows": edges.map { list($0.rows) } ?? .null, "columns": edges.map { list($0.columns) } ?? .null,
      // Each frame: largest, units, change, then bins and pixels in turn.
      "frames": .array(
        frames.map { frame in
          list([frame.largest, frame.units, frame.change] + frame.brightest.flatMap { [$0.bin, $0.pixels] })
        }),
    ]
  }

  /// Reads what `json` wrote.
  ///
  /// - Throws: `.malformed` if numbers are missing, impossible or contradict each other.
  package init(_ json: JSON) throws(DecodeError) {
    let pixels = json["pixels"]?.integer ?? -1
    guard (0...1 << 31).contains(pixels), let rows = json["frames"]?.array else { throw Self.fault("its head") }
    var frames: [Frame] = []
    for row in rows { frames.append(try Frame(try Self.numbers(row, "a frame"), pixels: pixels)) }
    let first = try Self.numbers(json["first"], "the first frame"),
      last = try Self.numbers(json["last"], "the last frame")
    var histogram = LightHistogram()
    histogram.counts = try Self.numbers(json["histogram"], "the histogram")
    let total = try Self.sum(histogram.counts)
    guard histogram.counts.count == LightHistogram.binCount, total == pixels * frames.count else {
      throw Self.fault("the histogram")
    }
    for end in [first, last] {
      let total = try Self.sum(end)
      guard end.count == (frames.isEmpty ? 0 : LightHistogram.binCount / 16), total == pixels else {
        throw Self.fault("the first or the last frame")
      }
    }
    guard frames.isEmpty == (pixels == 0) else { throw Self.fault("the number of frames") }
    var edges: EdgeLight?
    if json["rows"]?.array != nil {
      edges = EdgeLight(
        rows: try Self.numbers(json["rows"], "light of rows"),
        columns: try Self.numbers(json["columns"], "light of columns"))
      guard let edges, edges.rows.count.multipliedReportingOverflow(by: edges.columns.count) == (pixels, false) else {
        throw Self.fault("the number of rows and columns")
      }
    }
    self.init(pixels: pixels, frames: frames, histogram: histogram, edges: edges, first: first, last: last)
  }

  fileprivate static func fault(_ what: String) -> DecodeError {
    .malformed(where: "measured light", what: "\(what) cannot be; measure the clip again")
  }

  /// Returns whole numbers of at least 0.
  private static func numbers(_ json: JSON?, _ what: String) throws(DecodeError) -> [Int] {
    guard let list = json?.array else { throw fault(what) }
    var numbers: [Int] = []
    for value in list {
      guard let number = value.integer, number >= 0 else { throw fault(what) }
      numbers.append(number)
    }
    return numbers
  }

  fileprivate static func sum(_ numbers: [Int]) throws(DecodeError) -> Int {
    var sum = 0
    for number in numbers {
      let (next, isTooLarge) = sum.addingReportingOverflow(number)
      if isTooLarge { throw fault("a sum of pixels") }
      sum = next
    }
    return sum
  }
}

extension ClipLight.Frame {
  fileprivate init(_ numbers: [Int], pixels: Int) throws(DecodeError) {
    guard numbers.count >= 5, numbers.count % 2 == 1, numbers[0] < 1 << 16, numbers[2] <= 2 * pixels,
      Double(numbers[1]) <= Double(pixels) * 10_000 * 0x1p18
    else { throw ClipLight.fault("a frame") }
    (largest, units, change) = (numbers[0], numbers[1], numbers[2])
    brightest = stride(from: 3, to: numbers.count, by: 2).map { LightTail(bin: numbers[$0], pixels: numbers[$0 + 1]) }
    let bins = brightest.map(\.bin)
    let descend = zip(bins, bins.dropFirst()).allSatisfy { $0 > $1 }
    let sum = try ClipLight.sum(brightest.map(\.pixels))
    guard descend, bins[0] == LightHistogram.bin(ofCode: largest), brightest.allSatisfy({ $0.pixels > 0 }),
      pixels / 10_000 < sum, sum <= pixels
    else { throw ClipLight.fault("a frame") }
  }
}
