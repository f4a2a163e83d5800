import HDRCore

/// Stage `constant_color`: one colour, R, G, B not multiplied by alpha, and A.
public enum ConstantColor: KernelStage {
  public struct Parameters: StageParameters {
    public let color: RGBAWords<Float>
  }

  package static func words(_ color: [Double]) -> [UInt32] { Parameters(color: RGBAWords(color)).list }

  package static func samples(table: ([UInt32]) -> UInt32) -> [[UInt32]] { [words([0.2, -0.1, 3, 0.5])] }

  @inlinable @inline(always) public static func run(_ s: Strip, _ c: StageContext) {
    let color = c.words(Parameters.self).color
    for channel in 0..<4 {
      let p = s.plane(channel), value = color[channel]
      for i in 0..<s.padded { p[i] = value }
    }
  }
}
