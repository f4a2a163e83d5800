import HDRCore
import Kernels

/// The picture in the size of a guide, as a line of the guide's luminance around each pixel (He and Sun, Fast Guided
/// Filter, 2015).
///
/// I is the sRGB signal of the guide's luminance, averaged to the picture's size; E means over 2 radius + 1 pixels a side.
/// For each premultiplied component p: a = (E[pI] - E[p] E[I]) / (max(E[I²] - E[I]², 0) + epsilon), b = E[p] - a E[I]. The
/// means of a and b are scaled to the guide's size, and the result is a I + b.
enum GuidedFilter: Filter {
  static let name = "guided-filter"
  static let summary = "the picture in a guide's size, with the guide's edges"
  static let category = FilterCategory.geometry
  static let guide = FilterParameter("guide", .input(nil), "the picture whose size and edges are wanted")
  static let radius = FilterParameter("radius", .count(1, 0...100), "pixels to each side")
  static let epsilon = FilterParameter("epsilon", .number(1e-4, 1e-6...10), "squared contrast that counts as flat")
  static let parameters = [guide, radius, epsilon]
  static let alpha = AlphaRule.premultiplied
  static let headroomEffect = HeadroomEffect.unknown
  /// Differences of large sums would lose all their bits in halves.
  static let workingFormat = WorkingFormat.rgba32f

  static func apply(_ values: FilterValues, to edit: inout Edit) throws(PlanError) {
    edit.premultiply()
    let picture = edit.planes(), (width, height) = (edit.width, edit.height), reach = values.count(radius) ?? 1
    edit.use(try edit.input(values.input(guide) ?? ""))
    edit.luminancePlane()
    let luminance = edit.builder.close(channels: 1)

    edit.use(luminance)
    edit.resize(width: width, height: height)
    edit.builder.add(.encode(.sRGB))
    let signal = edit.builder.close(channels: 1)
    edit.use(signal)
    let mean = edit.mean(reach, channels: 1)
    edit.use(signal)
    edit.multiply(by: signal)
    let square = edit.mean(reach, channels: 1)
    edit.use(mean)
    edit.multiply(by: mean, sign: -1, plus: square)
    edit.clamp(low: 0, high: Double(E32.largest))
    let flat = values.value(epsilon)
    edit.curve(octaves: -30..<21, k: 6) { 1 / ($0 + flat) }
    let inverse = edit.builder.close(channels: 1)

    edit.use(picture)
    edit.multiply(by: signal)
    let product = edit.mean(reach)
    edit.use(picture)
    let middle = edit.mean(reach)
    edit.use(middle)
    edit.multiply(by: mean, sign: -1, plus: product)
    edit.multiply(by: inverse)
    let slope = edit.planes()
    edit.multiply(by: mean, sign: -1, plus: middle)
    edit.blurAndScale(reach, to: luminance)
    let offset = edit.planes()
    edit.use(slope)
    edit.blurAndScale(reach, to: luminance)
    let full = edit.planes()
    edit.use(luminance)
    edit.builder.add(.encode(.sRGB))
    let detail = edit.builder.close(channels: 1)
    edit.use(full)
    edit.multiply(by: detail, plus: offset)
    if picture.hasAlpha { edit.stage(.clampAlpha, []) }
    edit.unpremultiply()
  }
}

extension Edit {
  /// Multiplies each channel by a plane of the picture's size and a sign, and adds a picture of that size.
  fileprivate mutating func multiply(by plane: PlaneRef, sign: Double = 1, plus term: PlaneRef? = nil) {
    let own = planes(), factor = read(plane), added = term.map { read($0) }
    stage(
      .multiplyAdd, MultiplyAdd.Parameters(factor: factor, term: added, channels: own.channels, sign: sign).list)
  }

  /// Ends the picture with its means over squares.
  fileprivate mutating func mean(_ radius: Int, channels: Int? = nil) -> PlaneRef {
    box(radius)
    return builder.close(channels: channels)
  }

  private mutating func box(_ radius: Int) {
    if radius == 0 { return }
    let list = [Double](repeating: 1 / Double(2 * radius + 1), count: radius + 1)
    convolve(
      GuidedFilter.name, x: .symmetric(width, list, edges: .clamp), y: .symmetric(height, list, edges: .clamp))
  }

  fileprivate mutating func blurAndScale(_ radius: Int, to other: PlaneRef) {
    box(radius)
    resize(width: other.width, height: other.height)
  }
}
