import HDRCore
import Kernels

/// The mean over magnifications about a centre, like zooming in while the shutter is open.
///
/// It uses 8^k magnifications from 1 to M = 1 + amount / 100 in equal ratios, so many that the farthest corner moves by
/// no more than a pixel from one to the next (at most 4096): k passes of the mean of 8, each over larger steps, because
/// ratios multiply. A pixel at magnification m shows what lies at centre + (place - centre) / m, bilinear; beyond the
/// border, which only a centre outside the picture reaches, its pixels go on.
enum ZoomBlur: Filter {
  static let name = "zoom-blur"
  static let summary = "mean over magnifications: a camera that zooms in"
  static let category = FilterCategory.blur
  static let amount = FilterParameter("amount", .number(20, 0...200), "percent by which it zooms in")
  static let parameters = [Pattern.center, amount]
  static let alpha = AlphaRule.premultiplied
  static let samples = 8

  static func apply(_ values: FilterValues, to edit: inout Edit) {
    let zoom = 1 + values.value(amount) / 100, (cx, cy) = edit.place(values, Pattern.center)
    if zoom == 1 { return }
    let (width, height) = (edit.width, edit.height)
    let dx = max(abs(cx), abs(Double(width) - cx)), dy = max(abs(cy), abs(Double(height) - cy))
    let steps = passes(distance: (dx * dx + dy * dy).squareRoot() * (1 - 1 / zoom))
    var count = 1.0
    for _ in 0..<steps { count *= Double(samples) }
    edit.premultiply()
    var ratio = ExactMath.pow(zoom, -1 / (count - 1))
    for _ in 0..<steps {
      // Pixel numbers; pixel centres are at halves.
      let (own, x, y) = (ratio, cx - 0.5, cy - 0.5)
      var list: [(scale: Double, x: Double, y: Double)] = [], scale = 1.0
      for _ in 0..<samples {
        list.append((scale, x * (1 - scale), y * (1 - scale)))
        scale *= own
      }
      let table: [UInt32] = list.flatMap { place in [place.scale.word, place.x.word, place.y.word, 0] }
      edit.load(
        name, .zoomBlur, width: width, height: height, rows: rows(list.map { ($0.scale, $0.y) }, height: height),
        tables: [table]
      ) { channels, tables in
        ZoomBlurStage.Parameters(
          channels: channels.word, samples: samples.word, table: tables[0], share: Float(1 / Double(samples)),
          width: width.word, height: height.word
        ).list
      }
      // The next pass steps over all samples of this one.
      ratio = scale
    }
    edit.unpremultiply()
  }

  /// Returns the number of passes for a corner that moves by so many pixels.
  static func passes(distance: Double) -> Int {
    var count = 1, reach = Double(samples)
    while reach < distance && count < 4 {
      count += 1
      reach *= Double(samples)
    }
    return count
  }

  /// Returns the rows that places `scale` y + `shift` lie between, and a pixel more.
  private static func rows(_ places: [(scale: Double, shift: Double)], height: Int) -> RowScale {
    var first: [Int32] = [], last: [Int32] = []
    let bottom = Double(height - 1)
    for y in 0..<height {
      let list = places.map { min(max($0.scale * Double(y) + $0.shift, 0), bottom) }
      first.append(Int32(max((list.min() ?? 0) - 1, 0)))
      last.append(Int32(min((list.max() ?? 0) + 2, bottom)))
    }
    return RowScale(firstRow: first, lastRow: last)
  }
}
