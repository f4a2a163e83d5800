import HDRCore

/// Stage `vector_length`: the length of the vector (R, G, B) times a scale, in all three.
public enum VectorLength: KernelStage {
  public struct Parameters: StageParameters {
    public let scale: Float
  }

  package static func words(scale: Double) -> [UInt32] { Parameters(scale: Float(scale)).list }

  package static func samples(table: ([UInt32]) -> UInt32) -> [[UInt32]] { [words(scale: 1), words(scale: 720)] }

  @inlinable @inline(always) public static func run(_ s: Strip, _ c: StageContext) {
    let scale = c.words(Parameters.self).scale, r = s.red, g = s.green, b = s.blue
    for i in 0..<s.padded {
      let length = PlanarLength.of(square: (r[i] * r[i] + g[i] * g[i]) + b[i] * b[i]) * scale
      r[i] = length
      g[i] = length
      b[i] = length
    }
  }
}
