import HDRCore
import Kernels

/// Replaces the picture by an input with a ring wave that grows from a centre.
///
/// With d the distance from the centre, D that of the farthest corner and w the width: R = time (D + w) - w / 2,
/// u = (d - R) / w + 0.5. The input where u <= 0, the picture where u >= 1. Between both are displaced along the radius
/// by scale sin(pi u) sin(2 pi u) and mixed by u² (3 - 2u), and the shading picture S, taken at the radial direction
/// times cos(pi u) in its square, adds 2 (S - 0.5 aS), times alpha. Nothing is cut: light above 1 in S makes a glint.
/// With the w / 2, time 0 is the picture and time 1 the input.
enum RippleTransition: Filter {
  static let name = "ripple-transition"
  static let summary = "from the picture to the input by a ring wave with glints"
  static let category = FilterCategory.transition
  static let target = FilterParameter("input", .input(nil), "the picture that the wave leaves behind")
  static let shading = FilterParameter(
    "shading", .input(""), "a shaded sphere in a square, 0.5 adds nothing; without it one of glass")
  static let width = FilterParameter("width", .number(100, 1...65536), "width of the wave in pixels")
  static let scale = FilterParameter("scale", .number(50, -500...500), "largest displacement in pixels, about")
  static let parameters = [target, shading, Pattern.center, Dissolve.time, width, scale]
  static let alpha = AlphaRule.premultiplied
  static let headroomEffect = HeadroomEffect.recomputed

  /// Returns the larger of both pictures' headrooms, plus the shading's light.
  static func headroom(_ values: FilterValues, after content: Headroom, inputs: (String) -> Headroom?) -> Headroom? {
    let shade = values.input(shading) ?? ""
    guard let other = values.input(target).flatMap(inputs),
      let glint = shade.isEmpty ? GlassSphere.headroom : inputs(shade)
    else { return nil }
    return Headroom(factor: max(content, other).factor + 2 * glint.factor - 1)
  }

  static func apply(_ values: FilterValues, to edit: inout Edit) throws(PlanError) {
    let size = (width: edit.width, height: edit.height), own = edit.planes()
    edit.use(try edit.input(values.input(target) ?? ""))
    edit.premultiply()
    edit.resize(width: size.width, height: size.height)
    let target = edit.builder.close(channels: 4)
    let shade = try edit.sphere(values.input(shading) ?? "")

    edit.use(own)
    edit.premultiply()
    if target.hasAlpha { edit.makeTransparent() }
    let (cx, cy) = edit.place(values, Pattern.center)
    let dx = max(abs(cx), abs(Double(size.width) - cx)), dy = max(abs(cy), abs(Double(size.height) - cy))
    let farthest = (dx * dx + dy * dy).squareRoot()
    let ring = values.value(width), lift = values.value(scale)
    let radius = values.value(Dissolve.time) * (farthest + ring) - ring / 2
    // sin(pi u) sin(2 pi u) is below 0.77.
    let rows = RowScale.around(height: size.height, reach: Int((0.77 * abs(lift)).rounded(.up)) + 1)
    edit.load(
      "ripple", .ripple, width: size.width, height: size.height, rows: rows,
      tables: [Ripple.inverseRoot, Ripple.wave, Ripple.turn].map(\.words)
    ) { channels, tables in
      Ripple.words(
        channels: channels, target: 1, shade: 2, width: size.width, height: size.height,
        shading: (shade.width, shade.height), center: (cx, cy), radius: radius, ring: ring, scale: lift, tables: tables)
    }
    _ = edit.read(target, rows: rows)
    _ = edit.read(shade, rows: .all(height: size.height, of: shade.height))
    edit.unpremultiply()
  }
}

/// The shading of a glass ball lit from the upper left, used if a ripple has none.
enum GlassSphere {
  static let size = 128
  /// The headroom of the brightest place.
  static let headroom = Headroom(factor: 2)

  /// Returns linear light at a place of the square [-1, 1] x [-1, 1]: grey 0.5 at and outside the rim.
  static func light(_ x: Double, _ y: Double) -> Double {
    let square = x * x + y * y
    if square >= 1 { return 0.5 }
    let z = (1 - square).squareRoot()
    // Towards (-0.5, -0.6): half a stop up and down, and a glint where the ball reflects the lamp.
    let slope = -(0.5 * x + 0.6 * y), toLamp = max(0, -0.35 * x - 0.42 * y + 0.837 * z)
    var glint = toLamp * toLamp
    for _ in 0..<4 { glint *= glint }
    return 0.5 + 0.4 * z * slope + 1.2 * z * glint
  }

  static let picture: SourceImage = {
    let image = SampleImage.interleaved(
      width: size, height: size, channelCount: 3, format: .float16, bitDepth: 16)
    for y in 0..<size {
      for x in 0..<size {
        let half = 2 / Double(size)
        let value = light((Double(x) + 0.5) * half - 1, (Double(y) + 0.5) * half - 1)
        let bits = UInt16(truncatingIfNeeded: E32.half(Float(value)))
        for plane in image.channels {
          (plane.buffer.base + plane.offset + y * plane.rowBytes + x * plane.stepBytes)
            .storeBytes(of: bits, as: UInt16.self)
        }
      }
    }
    return SourceImage(
      format: .memory, image: image,
      color: SourceColor(
        matrix: CICP.Matrix.identity, fullRange: true,
        encoding: .cicp(primaries: CICP.Primaries.bt2020, transfer: CICP.Transfer.linear)),
      geometry: Geometry(width: size, height: size))
  }()
}
