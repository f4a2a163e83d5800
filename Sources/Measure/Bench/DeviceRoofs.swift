import GPURender
import HDRRender
import PlainData

/// The best that a device can do: bytes through its memory and arithmetic, as `HostRoofs` of the cores.
package struct DeviceRoofs: Sendable {
  /// Bytes a second that copies within the device's memory read plus write, each run.
  package var copy: [Double]
  /// Products and sums a second, single precision, each run; empty where the device has no clock.
  package var arithmetic: [Double]

  package init(_ renderer: GPURenderer, repeats: Int) throws(GPUError) {
    copy = try renderer.measureCopyBandwidth(repeats: repeats)
    arithmetic = []
    let width = 1024, height = 512, frame = TestPictures.photoP010(width: width, height: height, seed: 1)
    guard let kernel = Self.kernel, let plan = UserKernelBench.plan(frame, kernel) else { return }
    for i in 0...repeats {
      _ = try renderer.render(plan)
      // The first one pays for making the kernel. Reading and storing the pixels are a thousandth of the time.
      guard i > 0, let time = renderer.lastTimings.kernelNanoseconds, time > 0 else { continue }
      arithmetic.append(Double(width * height) * Self.operations / time * 1e9)
    }
  }

  /// Operations of the kernel for a pixel: turns, lines, chains, channels, a product and a sum.
  private static let operations = Double(64 * 8 * 4 * 4 * 2)

  /// The twin of `ArithmeticPeak`: four chains of four channels that do not wait for each other.
  private static let kernel = (try? HDRKernel(source: text, name: "peak.glsl"))?.kernel
  private static let text = """
    //! name peak
    //! hdr safe
    //! headroom unknown
    vec4 kernel(vec4 p, Parameters q) {
        vec4 a = p, b = p + 1.0, c = p + 2.0, d = p + 3.0;
        for (int i = 0; i < 64; i++) {
    \(String(repeating: line, count: 8))
        }
        return a + b + c + d;
    }
    """
  private static let line =
    ["a", "b", "c", "d"].map { "\($0) = \($0) * 0.9999 + 0.0001;" }.joined(separator: " ") + "\n"

  func figures(of device: String) -> [BenchFigure] {
    func figure(_ name: String, _ values: [Double], _ unit: BenchFigure.Unit, _ detail: JSON.Field) -> BenchFigure {
      BenchFigure(
        .transfer, "\(name), \(device)", Spread(values.map { $0 / 1e9 }), unit,
        details: [.init("device", .string(device)), detail])
    }
    var result = [
      figure("device copy", copy, .gigabytesPerSecond, .init("counts", .string("bytes read and bytes written")))
    ]
    if !arithmetic.isEmpty {
      result.append(
        figure("products and sums", arithmetic, .gigaoperationsPerSecond, .init("precision", .string("single"))))
    }
    return result
  }
}
