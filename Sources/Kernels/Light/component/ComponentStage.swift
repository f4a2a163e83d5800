import HDRCore

/// Stage `component`: R, G and B become the largest or the smallest of the three; alpha stays.
public enum ComponentStage: KernelStage {
  public enum Kind: Int, Sendable, Hashable, CaseIterable {
    case maximum, minimum
  }

  public struct Parameters: StageParameters {
    public let kind: Choice<Kind>
  }

  package static func words(_ kind: Kind) -> [UInt32] { Parameters(kind: Choice(kind)).list }

  @inlinable @inline(always) public static func run(_ s: Strip, _ c: StageContext) {
    let p = s.base, isLargest = c.words(Parameters.self).kind.value == .maximum
    for i in 0..<s.padded {
      let r = p[i], g = p[i &+ Strip.stride], b = p[i &+ 2 &* Strip.stride]
      let rg: Float = isLargest ? (g > r ? g : r) : (g < r ? g : r)
      let one: Float = isLargest ? (b > rg ? b : rg) : (b < rg ? b : rg)
      p[i] = one
      p[i &+ Strip.stride] = one
      p[i &+ 2 &* Strip.stride] = one
    }
  }
}
