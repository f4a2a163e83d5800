import CPUReference
import HDRCore
import HDRPlan
import TestPlans
import TestSupport

/// Pictures and plans of camera raw for tests of its stages.
enum Camera {
  static let bayer = [[0, 1, 1, 2], [1, 0, 2, 1], [1, 2, 0, 1], [2, 1, 1, 0]].map {
    ColorFilterArray(rows: 2, columns: 2, colors: $0)!
  }
  static let xTrans = ColorFilterArray(
    rows: 6, columns: 6,
    colors: Array("GBGGRGRGRBGBGBGGRGGRGGBGBGBRGRGRGGBG").map { UInt8(["R": 0, "G": 1, "B": 2][$0]!) })!

  /// Codes in the middle of a larger block of memory; row by row of one channel, or of three side by side.
  static func image(
    _ codes: [UInt16], width: Int, height: Int, channels: Int = 1, left: Int = 3, top: Int = 2
  ) -> SampleImage {
    let row = (left + width + 2) * channels * 2, buffer = PixelBuffer(byteCount: row * (top + height + 1))
    for at in 0..<buffer.byteCount / 2 { buffer.base.storeBytes(of: 0xabcd, toByteOffset: 2 * at, as: UInt16.self) }
    let offset = top * row + left * channels * 2
    for (at, code) in codes.enumerated() {
      let y = at / (width * channels), x = at % (width * channels)
      buffer.base.storeBytes(of: code, toByteOffset: offset + y * row + 2 * x, as: UInt16.self)
    }
    return SampleImage(
      width: width, height: height, model: channels == 1 ? .grey : .rgb, format: .uint16, bitDepth: 16,
      chroma: channels == 1 ? .none : .s444,
      channels: (0..<channels).map {
        SamplePlane(
          buffer: buffer, offset: offset + 2 * $0, rowBytes: row, stepBytes: 2 * channels, width: width, height: height)
      })
  }

  static func codes(_ count: Int, seed: UInt64, most: Int = 65_535) -> [UInt16] {
    var random = SplitMix(state: seed)
    return (0..<count).map { _ in UInt16(Int(random.next() % UInt64(most + 1))) }
  }

  static func pixel(_ image: SampleImage, _ x: Int, _ y: Int) -> [Double] {
    image.channels.prefix(3).map { Double(sample($0, x, y)) }
  }

  static func sample(_ plane: SamplePlane, _ x: Int, _ y: Int) -> Float {
    plane.buffer.base.load(fromByteOffset: plane.offset + y * plane.rowBytes + 4 * x, as: Float.self)
  }

  /// The largest difference of a rendered picture from a function of places in the active area.
  static func worst(
    _ plan: Plan, _ geometry: Geometry, _ wanted: (_ x: Int, _ y: Int) -> [Double]
  ) -> Double {
    let image = renderOnCPU(plan), m = geometry.mapping
    guard image.width == geometry.outputWidth, image.height == geometry.outputHeight else { return .infinity }
    var worst = 0.0
    for y in 0..<image.height {
      for x in 0..<image.width {
        let want = wanted(m.x0 + x * m.columnX + y * m.rowX, m.y0 + x * m.columnY + y * m.rowY)
        for (a, b) in zip(pixel(image, x, y), want) {
          let difference = abs(a - b)
          worst = difference <= worst ? worst : difference
        }
      }
    }
    return worst
  }

  /// Stages on R, G, B in memory.
  static func run(_ pixels: [[Double]], _ make: (inout PlanDataBuilder) -> Stage) -> [[Double]] {
    var words = PlanDataBuilder()
    let stages = [make(&words)]
    var lanes = pixels.map { SIMD4<Float>(Float($0[0]), Float($0[1]), Float($0[2]), 1) }
    CPURenderer.apply(stages, constants: words.constants, tables: words.tables, to: &lanes)
    return lanes.map { [Double($0.x), Double($0.y), Double($0.z)] }
  }
}
