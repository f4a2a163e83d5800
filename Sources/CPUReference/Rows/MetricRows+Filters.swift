extension MetricRows {
  package static func filter(
    _ rows: UnsafePointer<UnsafePointer<Float>>, _ taps: UnsafeBufferPointer<Float>, isOdd: Bool, to result: Floats,
    count: Int
  ) {
    if isOdd {
      sum(rows, taps, isOdd: true, to: result, count: count)
    } else {
      sum(rows, taps, isOdd: false, to: result, count: count)
    }
  }

  package static func filter(
    _ rows: UnsafePointer<UnsafePointer<Double>>, _ taps: UnsafeBufferPointer<Double>, isOdd: Bool, to result: Doubles,
    count: Int
  ) {
    if isOdd {
      sum(rows, taps, isOdd: true, to: result, count: count)
    } else {
      sum(rows, taps, isOdd: false, to: result, count: count)
    }
  }

  /// Adds pairs of rows from the middle outwards. Sums stay in registers for all taps.
  @inline(__always) private static func sum<Sample: BinaryFloatingPoint & SIMDScalar>(
    _ rows: UnsafePointer<UnsafePointer<Sample>>, _ taps: UnsafeBufferPointer<Sample>, isOdd: Bool,
    to result: UnsafeMutablePointer<Sample>, count: Int
  ) {
    typealias Lanes = SIMD8<Sample>
    @inline(__always) func lanes(_ p: UnsafePointer<Sample>) -> Lanes {
      UnsafeRawPointer(p).loadUnaligned(as: Lanes.self)
    }
    @inline(__always) func store(_ sum: Lanes, _ x: Int) {
      UnsafeMutableRawPointer(result + x).storeBytes(of: sum, as: Lanes.self)
    }
    let reach = taps.count &- 1, middle = rows[reach], first = isOdd ? 0 : taps[0]
    // 128 bytes of sums: as many registers as there are for them.
    let areShort = MemoryLayout<Sample>.size == 4, step = areShort ? 32 : 16
    var x = 0
    while x &+ step <= count {
      let weight = Lanes(repeating: first), p = middle + x
      var a = weight * lanes(p), b = weight * lanes(p + 8), c = Lanes(), d = Lanes()
      if areShort {
        c = weight * lanes(p + 16)
        d = weight * lanes(p + 24)
      }
      var k = 1
      while k <= reach {
        let weight = Lanes(repeating: taps[k]), above = rows[reach &- k] + x, below = rows[reach &+ k] + x
        @inline(__always) func pair(_ at: Int) -> Lanes {
          isOdd ? lanes(below + at) - lanes(above + at) : lanes(below + at) + lanes(above + at)
        }
        a += weight * pair(0)
        b += weight * pair(8)
        if areShort {
          c += weight * pair(16)
          d += weight * pair(24)
        }
        k &+= 1
      }
      store(a, x)
      store(b, x &+ 8)
      if areShort {
        store(c, x &+ 16)
        store(d, x &+ 24)
      }
      x = x &+ step
    }
    while x < count {
      var sum = first * middle[x], k = 1
      while k <= reach {
        let above = rows[reach &- k][x], below = rows[reach &+ k][x]
        sum += taps[k] * (isOdd ? below - above : below + above)
        k &+= 1
      }
      result[x] = sum
      x = x &+ 1
    }
  }
}
