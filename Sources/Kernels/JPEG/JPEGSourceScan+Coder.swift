import HDRCore

extension JPEGSourceScan {
  /// Makes the scan of streams that `JPEGScanCoder` has written, one an interval.
  ///
  /// - Parameter mcus: the MCUs of an interval; it is not used of a single one.
  package init(_ layout: JPEGLayout, _ tables: JPEGTables, intervals: [[UInt8]], mcus: Int) {
    var stream: [UInt8] = [], starts: [Int] = []
    for interval in intervals {
      starts.append(stream.count)
      for (place, byte) in interval.enumerated() where byte != 0 || place == 0 || interval[place - 1] != 0xFF {
        stream.append(byte)
      }
    }
    let count = stream.count
    stream += [UInt8](repeating: 0, count: Self.padding + 4 - count % 4)
    func codes(_ table: JPEGCodeTable) -> JPEGCodes { tables.codes[table.rawValue] }
    self.init(
      width: layout.width, height: layout.height, chroma: layout.chroma,
      tables: layout.components.indices.map { index in
        Tables(
          quantisers: tables.quantisers[index == 0 ? 0 : 1].map { UInt16($0) },
          dc: codes(index == 0 ? .lumaDC : .chromaDC), ac: codes(index == 0 ? .lumaAC : .chromaAC))
      }, restartInterval: intervals.count > 1 ? mcus : 0, starts: starts, bytes: count,
      words: stride(from: 0, to: stream.count, by: 4).map { place in
        (0..<4).reduce(0) { $0 << 8 | UInt32(stream[place + $1]) }
      })
  }
}
