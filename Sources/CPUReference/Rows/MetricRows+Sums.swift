extension MetricRows {
  package static func steps(
    _ differences: UnsafePointer<Float>, unit: Float, largest: Float, to steps: UnsafeMutablePointer<UInt32>,
    bins: UnsafeMutablePointer<UInt32>, count: Int
  ) {
    for x in 0..<count {
      let scaled = differences[x] * unit + 0.5, limited = scaled < largest ? scaled : largest
      // Adding 2^23 rounds to nearest, and leaves the integer in the lower bits.
      let nearest = (limited + 0x1p23) - 0x1p23, below = nearest > limited ? nearest - 1 : nearest
      let code = (below + 0x1p23).bitPattern & 0x7f_ffff
      steps[x] = code
      // The upper bits of the number in binary32.
      let upper = Float(Int32(bitPattern: code)).bitPattern &>> 16 &- 0x4280
      bins[x] = code < 256 ? code : upper
    }
  }

  package static func add(
    _ numbers: UnsafePointer<UInt32>, to sums: UnsafeMutablePointer<UInt32>, sumCount: Int
  ) -> (most: UInt32, squares: UInt64) {
    var most: UInt32 = 0, squares: UInt64 = 0
    for index in 0..<sumCount {
      let numbers = numbers + 16 &* index
      var sum: UInt32 = 0
      for x in 0..<16 {
        let k = numbers[x]
        sum = sum &+ k
        most = k > most ? k : most
      }
      sums[index] = sums[index] &+ sum
    }
    for x in 0..<16 &* sumCount { squares = squares &+ UInt64(numbers[x]) &* UInt64(numbers[x]) }
    return (most, squares)
  }

  package static func light(
    _ r: UnsafePointer<Float>, _ g: UnsafePointer<Float>, _ b: UnsafePointer<Float>, low: Float, high: Float, count: Int
  ) -> (most: Float, sum: UInt64, outside: Int) {
    // The order of bits is that of numbers of at least 0, and those below are below 0.
    var most: Int32 = 0, sum: UInt64 = 0, outside: UInt32 = 0, first = 0
    while first < count {
      let end = first &+ 256 < count ? first &+ 256 : count
      // At most 2^23 of 256 pixels.
      var part: UInt32 = 0
      for x in first..<end {
        let rg = r[x] > g[x] ? r[x] : g[x], large = rg > b[x] ? rg : b[x]
        let lower = r[x] < g[x] ? r[x] : g[x], small = lower < b[x] ? lower : b[x]
        let bits = Int32(bitPattern: large.bitPattern)
        most = bits > most ? bits : most
        outside = outside &+ (small < low ? 1 : large > high ? 1 : 0)
        let above: Float = large > 0 ? large : 0, limited = above < 8191 ? above : 8191
        part = part &+ ((limited * 1024 + 0x1p23).bitPattern & 0x7f_ffff)
      }
      sum &+= UInt64(part)
      first = end
    }
    return (Float(bitPattern: UInt32(bitPattern: most)), sum, Int(outside))
  }

  package static func sums(_ x: UnsafePointer<Double>, count: Int) -> (first: Double, fourth: Double) {
    typealias Lanes = SIMD8<Double>
    var sum = Lanes(), fourth = Lanes(), at = 0
    // Eight sums that do not wait for each other, in the same order in each build.
    while at &+ 8 <= count {
      let v = UnsafeRawPointer(x + at).loadUnaligned(as: Lanes.self), square = v * v
      sum += v
      fourth += square * square
      at &+= 8
    }
    var result = (first: 0.0, fourth: 0.0)
    for lane in 0..<8 {
      result.first += sum[lane]
      result.fourth += fourth[lane]
    }
    while at < count {
      let square = x[at] * x[at]
      result.first += x[at]
      result.fourth += square * square
      at &+= 1
    }
    return result
  }
}
