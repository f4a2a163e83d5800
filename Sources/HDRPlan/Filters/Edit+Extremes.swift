import HDRCore
import Kernels

extension Edit {
  /// Reduces the picture to one pixel, colours not multiplied by alpha.
  mutating func reduce(_ kind: Extreme.Kind) {
    while width > 1 || height > 1 {
      let from = (width, height), bh = Extreme.block.height
      let w = (width + Extreme.block.width - 1) / Extreme.block.width, h = (height + bh - 1) / bh
      load(
        "extreme", .extreme, width: w, height: h,
        rows: RowScale(
          firstRow: (0..<h).map { Int32($0 * bh) }, lastRow: (0..<h).map { Int32(min($0 * bh + bh, from.1) - 1) })
      ) { channels, _ in Extreme.words(channels: channels, kind, width: from.0, height: from.1) }
    }
  }
}
