import HDRCore
import HDRPlan
import Kernels
import Testing

/// Gains along a strip, four pixels at a time where the map's scale allows it, against the entries of the axis table
/// pixel by pixel: the same bits, wherever the strip begins.
@Suite struct GainMapStripTests {
  @Test(arguments: [1, 2, 3, 4, 5, 8, 16, 32])
  func stripsInterpolateTheMapAsSinglePixelsDo(stretch: Int) {
    let mapSize = 23, size = mapSize * stretch
    var state: UInt32 = 7
    let rows = (0..<2).map { _ in
      (0..<mapSize).map { _ -> Float in
        state = state &* 1_664_525 &+ 1_013_904_223
        return Float(state >> 8) / 1_000_000 - 8
      }
    }
    let t: Float = 0.3, axis = GainMapStage.axisTable(SampleAxis(size), map: SampleAxis(mapSize))
    let column = zip(rows[0], rows[1]).map { $0 + t * ($1 - $0) }
    let expected = (0..<size).map { x in
      let left = column[Int(axis[3 * x])], right = column[Int(axis[3 * x + 1])]
      return left + Float(bitPattern: axis[3 * x + 2]) * (right - left)
    }
    let room = 64
    for start in 0..<min(size, 3 * stretch + 5) {
      for count in [1, 2, 3, 7, 8, 16, 61, size - start] where count <= min(size - start, 736) {
        let marked = count + 8
        var gain = [Float](repeating: -1000, count: marked), between = [Float](repeating: 0, count: room)
        axis.withUnsafeBufferPointer {
          GainMapStage.interpolate(
            rows[0], rows[1], t, $0.baseAddress! + 3 * start, step: 3, stretch: stretch, x: start, count, to: &gain,
            between: &between, room: room)
        }
        // `#expect` would describe every element of what it compares.
        let isSame = gain[..<count].elementsEqual(expected[start..<start + count])
        let isUntouched = gain[count...].allSatisfy { $0 == -1000 }
        #expect(isSame && isUntouched, "\(start) \(count)")
        // The same strip from its end to its beginning.
        var turned = [Float](repeating: -1000, count: marked)
        axis.withUnsafeBufferPointer {
          GainMapStage.interpolate(
            rows[0], rows[1], t, $0.baseAddress! + 3 * (start + count - 1), step: -3, stretch: stretch,
            x: start + count - 1, count, to: &turned, between: &between, room: room)
        }
        let isTurned = turned[..<count].elementsEqual(expected[start..<start + count].reversed())
        #expect(isTurned, "turned \(start) \(count)")
      }
    }
  }
}
