import HDRCore

/// Stage `warp_place`: each pixel takes source 0 at a place that a formula gives (`Shape`): the nearest pixel, bilinear
/// between four, or by cubic convolution over sixteen. Premultiplied; beyond the border the border's pixels, transparent
/// black, or those of the other side. A factor of the formula multiplies colour and alpha.
///
/// Places are the pixel's own plus a displacement, so that a displacement of 0 copies the pixel.
public enum WarpPlace: KernelStage {
  package static let readsScattered = true
  package static let operations = 512

  /// The formula of a place. Numbers a to k are those of `Numbers`.
  public enum Shape: Int, Sendable, Hashable, CaseIterable {
    // WarpPlace+Radial.swift: by the distance from a centre, a line or a segment.
    case bump, line, pinch, hole, splash, torus, lozenge
    // WarpPlace+Turned.swift: by the distance and the direction.
    case twirl, vortex, tunnel, wrap, spiral, mirrors
    // WarpPlace+Cells.swift: by cells of a lattice.
    case parallelogram, reflected, translated, glide, quarters, eighths, triangle, thirds, twelfths, sixths, dimmed
    case cells, plane
    // WarpPlace+Pictures.swift: by a second picture.
    case signals, heights

    /// True if the formula reads source 1.
    package var readsPicture: Bool { self == .signals || self == .heights }
  }

  public enum Sampling: Int, Sendable, Hashable, CaseIterable {
    case nearest, bilinear, bicubic
  }

  /// The numbers of a formula.
  public struct Numbers: StageParameters {
    public let a: Float, b: Float, c: Float, d: Float, e: Float, f: Float, g: Float, h: Float, i: Float, j: Float
    public let k: Float

    /// - Parameter list: up to eleven numbers; others are 0.
    package init(_ list: [Double]) {
      func number(_ index: Int) -> Float { index < list.count ? list[index].lane : 0 }
      (a, b, c, d, e, f) = (number(0), number(1), number(2), number(3), number(4), number(5))
      (g, h, i, j, k) = (number(6), number(7), number(8), number(9), number(10))
    }
  }

  public struct Parameters: StageParameters {
    public let channels: UInt32, width: UInt32, height: UInt32, shape: Choice<Shape>, sampling: Choice<Sampling>
    public let isTransparent: UInt32, wrapsColumns: UInt32, wrapsRows: UInt32, count: UInt32
    /// The distance of samples in pixels, the sample before the centre, and the offset from there to the centre.
    public let step: Float, centerX: Int32, centerY: Int32, toX: Float, toY: Float, numbers: Numbers
    /// The size of source 1, and a multiple of it above 2^21.
    public let otherWidth: UInt32, otherHeight: UInt32, biasX: Int32, biasY: Int32
  }

  /// - Parameters:
  ///   - channels: the number of planes of source 0, which has the given size: 3 or 4.
  ///   - samples: the number of samples along each side of a pixel: as many times larger is the result.
  ///   - center: a place in pixels, within 2^21 of 0.
  ///   - numbers: the formula's numbers, as it says; `count` of a whole one.
  ///   - other: the size of source 1.
  package static func words(
    channels: Int, width: Int, height: Int, shape: Shape, sampling: Sampling, isTransparent: Bool,
    wraps: (columns: Bool, rows: Bool), samples: Int, center: (x: Double, y: Double), numbers: [Double], count: Int,
    other: (width: Int, height: Int)
  ) -> [UInt32] {
    let n = Double(samples), x = (center.x * n).rounded(.down), y = (center.y * n).rounded(.down)
    func bias(_ size: Int) -> Int32 { Int32(size * ((1 << 21) / size + 1)) }
    return Parameters(
      channels: channels.word, width: width.word, height: height.word, shape: Choice(shape), sampling: Choice(sampling),
      isTransparent: isTransparent.word, wrapsColumns: wraps.columns.word, wrapsRows: wraps.rows.word,
      count: count.word, step: Float(1 / n), centerX: Int32(x), centerY: Int32(y),
      toX: Float((0.5 - (center.x * n - x)) / n), toY: Float((0.5 - (center.y * n - y)) / n),
      numbers: Numbers(numbers), otherWidth: other.width.word, otherHeight: other.height.word,
      biasX: bias(other.width), biasY: bias(other.height)
    ).list
  }

  /// A sample: its place in pixel numbers, and the vector from the centre to it.
  @usableFromInline struct Sample {
    @usableFromInline let x: Float
    @usableFromInline let y: Float
    @usableFromInline let dx: Float
    @usableFromInline let dy: Float

    @inlinable @inline(always) init(x: Float, y: Float, dx: Float, dy: Float) {
      (self.x, self.y, self.dx, self.dy) = (x, y, dx, dy)
    }

    /// The sample's place, moved.
    @inlinable @inline(always) func moved(_ byX: Float, _ byY: Float, _ cover: Float = 1) -> Place {
      Place(x: x + byX, y: y + byY, cover: cover)
    }

    /// The place at a vector from the centre.
    @inlinable @inline(always) func at(_ vx: Float, _ vy: Float) -> Place {
      Place(x: x + (vx - dx), y: y + (vy - dy), cover: 1)
    }
  }

  /// A place in pixel numbers of the source, and the factor of what is there.
  @usableFromInline struct Place {
    @usableFromInline let x: Float
    @usableFromInline let y: Float
    @usableFromInline let cover: Float

    @inlinable @inline(always) init(x: Float, y: Float, cover: Float) {
      (self.x, self.y, self.cover) = (x, y, cover)
    }
  }

  /// Writes the places of all samples of a strip.
  @inlinable @inline(always) static func each(
    _ s: Strip, _ w: Parameters, _ u: UnsafeMutablePointer<Float>, _ v: UnsafeMutablePointer<Float>,
    _ cover: UnsafeMutablePointer<Float>, _ place: (Sample) -> Place
  ) {
    let row = Int32(truncatingIfNeeded: s.y), start = Int32(truncatingIfNeeded: s.x), step = w.step
    let y = (Float(row) + 0.5) * step - 0.5, dy = Float(row &- w.centerY) * step + w.toY
    for i in 0..<s.padded {
      let column = start &+ Int32(truncatingIfNeeded: i)
      let p = place(
        Sample(
          x: (Float(column) + 0.5) * step - 0.5, y: y, dx: Float(column &- w.centerX) * step + w.toX, dy: dy))
      u[i] = p.x
      v[i] = p.y
      cover[i] = p.cover
    }
  }

  /// - Parameter pixel: reads R G B A of four halves.
  @inlinable @inline(always) public static func run(
    _ s: Strip, _ c: StageContext, pixel: (UnsafeRawPointer) -> SIMD4<Float>
  ) {
    let w = c.words(Parameters.self), u = s.scratch(0), v = s.scratch(1), cover = s.scratch(2)
    switch w.shape.value {
    case .bump, .line, .pinch, .hole, .splash, .torus, .lozenge: radial(s, w, u, v, cover)
    case .twirl, .vortex, .tunnel, .wrap, .spiral, .mirrors: turned(s, w, u, v, cover)
    case .cells, .plane: placed(s, w, u, v, cover)
    case .signals, .heights: pictured(s, w, c, u, v, cover, pixel)
    default: folded(s, w, u, v, cover)
    }
    if w.sampling.value == .bicubic {
      gatherCubic(s, w, c, u, v, cover, pixel)
    } else {
      gather(s, w, c, u, v, cover, pixel)
    }
  }
}
