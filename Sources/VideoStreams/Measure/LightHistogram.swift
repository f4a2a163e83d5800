import HDRCore

/// Pixels of a frame, or of many, by the PQ signal of their largest component, in 1024 bins of equal width.
package struct LightHistogram: Sendable, Hashable {
  package static let binCount = 1024

  /// The number of pixels in each bin.
  package var counts: [Int]

  package init() { counts = [Int](repeating: 0, count: Self.binCount) }

  /// Returns the bin of a PQ code of 16 bits: floor(1024 · signal), the largest signal in the last bin.
  package static func bin(ofCode code: Int) -> Int { code >> 6 }

  /// Returns the light in the middle of a bin, cd/m².
  package static func light(ofBin bin: Int) -> Double {
    Transfer.pqEOTF((Double(bin) + 0.5) / Double(binCount))
  }

  package var pixels: Int { counts.reduce(0, +) }

  package mutating func merge(_ other: LightHistogram) {
    for bin in counts.indices { counts[bin] += other.counts[bin] }
  }

  /// Pixels in 64 bins, by which scenes are told apart.
  package var coarse: [Int] {
    stride(from: 0, to: Self.binCount, by: 16).map { counts[$0..<$0 + 16].reduce(0, +) }
  }

  /// The bins from the brightest down, until more than one pixel of 10 000 is in them: where p99.99 can lie, however many
  /// dark pixels do not count.
  package var brightest: [LightTail] {
    let rest = pixels / 10_000
    var tail: [LightTail] = [], sum = 0
    for bin in counts.indices.reversed() where counts[bin] > 0 && sum <= rest {
      tail.append(LightTail(bin: bin, pixels: counts[bin]))
      sum += counts[bin]
    }
    return tail
  }
}

/// One of the brightest bins of a frame that has pixels.
package struct LightTail: Sendable, Hashable {
  package var bin: Int
  package var pixels: Int
}

/// The sums over the pixels of a frame. They are integers, so that they depend neither on order nor on the executor.
package struct FrameSums: Sendable, Hashable {
  package var histogram = LightHistogram()
  /// The largest component as a PQ code of 16 bits.
  package var largest = 0
  /// The light of the pixels' largest components, in 2^-18 cd/m².
  package var units = 0
  /// The light of rows and columns; `nil` if borders are not looked for.
  package var edges: EdgeLight?

  package init() {}

  /// Adds a pixel, or pixels of one code.
  ///
  /// - Parameters:
  ///   - code: the PQ code of the largest component, 16 bits.
  ///   - units: the light of one pixel in 2^-18 cd/m².
  package mutating func add(code: Int, units: Int, pixels: Int = 1) {
    histogram.counts[LightHistogram.bin(ofCode: code)] += pixels
    largest = max(largest, code)
    self.units += units * pixels
  }

  /// Adds another part of the same frame. Its rows and columns are those of the whole frame, with 0 for what it does not have.
  package mutating func merge(_ other: FrameSums) {
    histogram.merge(other.histogram)
    largest = max(largest, other.largest)
    units += other.units
    edges = edges.flatMap { $0.merged(other.edges) }
  }
}
