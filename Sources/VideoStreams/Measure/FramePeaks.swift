import HDRCore

/// The peak that each frame of a clip is tone mapped from, cd/m².
package enum FramePeaks {
  /// Returns one peak a scene: the largest of its frames.
  package static func ofScenes(_ peaks: [Double], _ scenes: [Range<Int>]) -> [Double] {
    scenes.flatMap { scene in
      [Double](repeating: peaks[scene].max() ?? 0, count: scene.count)
    }
  }

  /// The units in a stop that peaks are counted in.
  static let unit = 0x1p20

  /// Returns peaks that follow the light within a scene.
  ///
  /// In stops, E_n is the largest peak of 2w + 1 frames around n, and the result is the mean of E over as many frames; frames beyond
  /// the scene are its first and last. So no frame's own peak is above its result, and a step from one frame to the next is at
  /// most the range of peaks, in stops, over 2w + 1, but for the last unit. Peaks below 1 cd/m² count as 1.
  ///
  /// - Parameter radius: w, at least 0.
  package static func adaptive(_ peaks: [Double], _ scenes: [Range<Int>], radius: Int) -> [Double] {
    scenes.flatMap { scene in
      let width = min(max(radius, 0), scene.count)
      let stops = peaks[scene].map { Int((ExactMath.log2(max($0, 1)) * unit).rounded(.up)) }
      let around = largest(stops, radius: width)
      var sums = [0]
      for index in -width..<stops.count + width {
        sums.append(sums[sums.count - 1] + around[min(max(index, 0), stops.count - 1)])
      }
      let count = 2 * width + 1
      return zip(stops.indices, peaks[scene]).map { index, own in
        // Rounded up, as stops were.
        let mean = (sums[index + count] - sums[index] + count - 1) / count
        return max(ExactMath.exp2(Double(mean) / unit), own)
      }
    }
  }

  /// Returns the radius for a time in seconds.
  package static func radius(seconds: Double, framesPerSecond: Double) -> Int {
    let frames = (seconds * framesPerSecond / 2).rounded()
    return frames.isFinite ? Int(min(max(frames, 0), 1e6)) : 0
  }

  /// Returns the largest of the values at most `radius` places away, in a time that does not depend on the radius.
  private static func largest(_ values: [Int], radius: Int) -> [Int] {
    // Places of values that fall, of which the first is the largest.
    var queue: [Int] = [], head = 0, result: [Int] = [], next = 0
    for index in values.indices {
      while next < min(values.count, index + radius + 1) {
        while queue.count > head, values[queue[queue.count - 1]] <= values[next] { queue.removeLast() }
        queue.append(next)
        next += 1
      }
      while queue[head] < index - radius { head += 1 }
      result.append(values[queue[head]])
    }
    return result
  }
}
