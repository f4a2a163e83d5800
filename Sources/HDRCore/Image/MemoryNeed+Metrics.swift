extension MemoryNeed {
  /// The metrics of a comparison whose numbers take memory beside the light of both pictures, and what bounds it.
  package struct Metrics: Sendable, Hashable {
    /// The size of a picture.
    package var width: Int
    package var height: Int
    package var threads: Int
    /// True for metrics that threads compute in bands of their own.
    package var hasBands: Bool
    /// True for metrics of pictures of half the size, and of halves of these.
    package var hasHalves: Bool
    /// True for metrics of gain maps.
    package var hasGains: Bool

    package init(width: Int, height: Int, threads: Int, hasBands: Bool, hasHalves: Bool, hasGains: Bool) {
      (self.width, self.height, self.threads) = (width, height, threads)
      (self.hasBands, self.hasHalves, self.hasGains) = (hasBands, hasHalves, hasGains)
    }

    /// Returns the bytes of their numbers.
    func bytes(pixels: Int, mapPixels: Int) -> Int {
      // A dozen planes of numbers, of 84 rows of 4 bytes or 42 of 8.
      let band = hasBands ? sum((min(height, 84), sum((width, 64)))) : 0
      return sum(
        // The window in which a shift is found, and its transforms.
        (1, hasBands || hasGains ? 48 << 20 : 0),
        (threads, band),
        // Three planes of binary32 of both pictures: of a quarter of the pixels, and of a quarter of these.
        (pixels, hasHalves ? 8 : 0),
        // The gains of both maps.
        (mapPixels, hasGains ? 2 * 12 : 0))
    }
  }
}
