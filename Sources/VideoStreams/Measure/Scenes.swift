/// The scenes of a clip: ranges of frames, one behind the other.
package enum Scenes {
  /// The least number of frames of a scene.
  package static let least = 6

  /// Finds scenes by the changes of the histogram of light.
  ///
  /// A scene starts at frame n if D_n, half the sum of differences of the shares of pixels in 64 bins, is at least 0.12 and three
  /// times that of the frames before and behind. So a flash is no cut, nor is a fade.
  ///
  /// - Parameters:
  ///   - changes: for each frame, the sum of differences in pixels to the frame before.
  ///   - pixels: the pixels of a frame.
  package static func find(changes: [Int], pixels: Int) -> [Range<Int>] {
    var starts = [0]
    for n in changes.indices.dropFirst() {
      let before = changes[n - 1], behind = n + 1 < changes.count ? changes[n + 1] : 0
      guard 100 * changes[n] >= 24 * pixels, changes[n] >= 3 * max(before, behind),
        n - starts[starts.count - 1] >= least, changes.count - n >= least
      else { continue }
      starts.append(n)
    }
    return zip(starts, starts.dropFirst() + [changes.count]).map { $0..<$1 }.filter { !$0.isEmpty }
  }
}

extension ClipLight {
  package var scenes: [Range<Int>] { Scenes.find(changes: frames.map(\.change), pixels: pixels) }

  /// The frame that shows the clip best: that of median light in the longest scene, the first of each if there are several;
  /// `nil` without frames.
  package var posterFrame: Int? {
    let all = scenes
    guard let length = all.map(\.count).max(), let scene = all.first(where: { $0.count == length }) else { return nil }
    let byLight = scene.sorted { (frames[$0].units, $0) < (frames[$1].units, $1) }
    return byLight[(byLight.count - 1) / 2]
  }
}
