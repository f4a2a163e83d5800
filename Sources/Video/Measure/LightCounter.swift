import HDRCore
import VideoStreams

/// Counts the pixels of a frame by the PQ code of 16 bits of their largest component.
struct LightCounter {
  /// The counters of each code. Neighbours of one colour would wait for each other's store, so there are several.
  private static let lanes = 4
  private let counts = PixelBuffer(byteCount: 65_536 * lanes * 4)
  private let area: ActiveArea
  private var rows: [Int]
  private let columns: PixelBuffer
  /// True to note the light of rows and columns.
  private let findsBorders: Bool

  init(_ counted: CountedArea) {
    (area, findsBorders) = (counted.area, counted.findsBorders)
    rows = [Int](repeating: 0, count: findsBorders ? area.rows.count : 0)
    columns = PixelBuffer(byteCount: 2 * area.columns.count)
  }

  /// Adds a row.
  ///
  /// - Parameter row: codes of the whole row, those beside the area too.
  mutating func add(_ row: UnsafePointer<UInt16>, y: Int) {
    let row = row + area.columns.lowerBound, width = area.columns.count
    let counts = counts.base.assumingMemoryBound(to: UInt32.self)
    @inline(__always) func count(_ x: Int, _ lane: Int) { counts[Self.lanes &* Int(row[x]) &+ lane] &+= 1 }
    for four in 0..<width >> 2 { for lane in 0..<Self.lanes { count(4 &* four &+ lane, lane) } }
    for x in width & ~3..<width { count(x, 0) }
    guard findsBorders else { return }
    let columns = columns.base.assumingMemoryBound(to: UInt16.self)
    var most: UInt16 = 0
    for x in 0..<width {
      let code = row[x]
      most = code > most ? code : most
      columns[x] = code > columns[x] ? code : columns[x]
    }
    rows[y - area.rows.lowerBound] = Int(most)
  }

  /// The counter has found these sums.
  var sums: FrameSums {
    var sums = FrameSums()
    let counts = counts.base.assumingMemoryBound(to: SIMD4<UInt32>.self)
    Self.light.withUnsafeBufferPointer { light in
      for code in 0..<65_536 {
        let pixels = Int(counts[code].wrappedSum())
        if pixels > 0 { sums.add(code: code, units: light[code], pixels: pixels) }
      }
    }
    if findsBorders {
      let columns = columns.base.assumingMemoryBound(to: UInt16.self)
      sums.edges = EdgeLight(rows: rows, columns: area.columns.indices.map { Int(columns[$0]) })
    }
    return sums
  }

  /// The light of each code in 2^-18 cd/m², linear between every 16th one as light levels of stills have it.
  private static let light: [Int] = {
    var nodes = (0..<4096).map { ClipLight.light(ofCode: 16 * $0) }
    // It lies beyond the last code, and makes that one exact.
    nodes.append(nodes[4095] + (ClipLight.light(ofCode: 65_535) - nodes[4095]) * 16 / 15)
    let units = nodes.map { Int(($0 * 0x1p18).rounded()) }
    return (0..<65_536).map { units[$0 >> 4] + ((units[$0 >> 4 + 1] - units[$0 >> 4]) * ($0 & 15)) >> 4 }
  }()
}
