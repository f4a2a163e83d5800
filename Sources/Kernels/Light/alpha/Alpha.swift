import HDRCore

/// Stage `unpremultiply`: R, G, B divided by alpha; 0 where alpha is 0.
public enum Unpremultiply: KernelStage {
  package static func samples(table: ([UInt32]) -> UInt32) -> [[UInt32]] { [[]] }

  @inlinable @inline(always) public static func run(_ s: Strip, _ c: StageContext) {
    let p = s.base, a = s.alpha
    for i in 0..<s.padded {
      let solid: Float = a[i] > 0x1p-17 ? a[i] : 1
      let inverse = E32.reciprocal(solid)
      let factor: Float = a[i] > 0x1p-17 ? (a[i] < 1 ? inverse : 1) : 0
      p[i] = p[i] * factor
      p[i &+ Strip.stride] = p[i &+ Strip.stride] * factor
      p[i &+ 2 &* Strip.stride] = p[i &+ 2 &* Strip.stride] * factor
    }
  }
}

/// Stage `premultiply`: R, G, B times alpha.
public enum Premultiply: KernelStage {
  package static func samples(table: ([UInt32]) -> UInt32) -> [[UInt32]] { [[]] }

  @inlinable @inline(always) public static func run(_ s: Strip, _ c: StageContext) {
    let p = s.base, a = s.alpha
    for i in 0..<s.padded {
      p[i] = p[i] * a[i]
      p[i &+ Strip.stride] = p[i &+ Strip.stride] * a[i]
      p[i &+ 2 &* Strip.stride] = p[i &+ 2 &* Strip.stride] * a[i]
    }
  }
}

/// Stage `clamp_alpha`: alpha into 0...1; R, G, B stay.
public enum ClampAlpha: KernelStage {
  @inlinable @inline(always) public static func run(_ s: Strip, _ c: StageContext) {
    let a = s.alpha
    for i in 0..<s.padded {
      let low: Float = a[i] > 0 ? a[i] : 0
      a[i] = low < 1 ? low : 1
    }
  }
}
