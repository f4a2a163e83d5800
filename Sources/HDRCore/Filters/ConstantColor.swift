/// Stage `constant_color`: one colour, R, G, B not multiplied by alpha, and A.
public enum ConstantColor {
  public static func words(_ color: [Double]) -> [UInt32] { color.map(\.word) }

  @inlinable @inline(always) public static func run(_ s: Strip, _ c: StageContext) {
    for channel in 0..<4 {
      let p = s.plane(channel), value = c.float(channel)
      for i in 0..<s.padded { p[i] = value }
    }
  }
}
