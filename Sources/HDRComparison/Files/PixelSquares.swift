/// The squares of pixels of which a picture with one pixel each is not longer than allowed.
struct PixelSquares: Sendable {
  /// Pixels along a side of a square.
  let side: Int
  /// The size in squares.
  let width: Int
  let height: Int

  init(width: Int, height: Int, longest: Int) {
    side = max(1, (max(width, height) + longest - 1) / longest)
    (self.width, self.height) = ((width + side - 1) / side, (height + side - 1) / side)
  }

  var count: Int { width * height }

  /// Returns the number of the first square of a row of pixels.
  func first(row y: Int) -> Int { y / side * width }
}
