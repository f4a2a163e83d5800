import VideoStreams

/// The clock of an output. Frames that are equally far apart are counted; others keep the source's clock.
struct FrameClock: Sendable, Hashable {
  let base: TimeBase
  /// The number of the first frame where frames are counted; `nil`: times are the source's.
  private let first: Int?

  /// - Parameters:
  ///   - rate: frames a second; `nil`: it varies.
  ///   - start: the time of the first frame in the clock of the source.
  init(_ source: TimeBase, rate: FrameRate?, start: Int) {
    guard let rate else {
      (base, first) = (source, nil)
      return
    }
    // The first frame must stand where one of that rate would, or times would move against sound.
    let place = source.seconds(start) * rate.perSecond, number = place.rounded()
    let isOnGrid = abs(place - number) / rate.perSecond <= source.seconds(1) * 0.5001
    (base, first) = isOnGrid ? (TimeBase(rate.denominator, rate.numerator), Int(number)) : (source, nil)
  }

  /// Returns the time of a frame.
  ///
  /// - Parameter time: that of the source.
  func time(_ time: Int, number: Int) -> Int { first.map { $0 + number } ?? time }
}
