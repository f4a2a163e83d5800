import GPURender
import HDRCore
import HDRPlan
import HDRRender
import PlainData

/// The counts of a picture's way through a device. They do not depend on its speed, so that a software device that
/// stages like a card shows them, too.
extension GPUTimings {
  var counts: [JSON.Field] {
    [
      .init("bands", .int(bands)), .init("dispatches", .int(dispatches)), .init("submissions", .int(submissions)),
      .init("uploadedBytes", .int(bytesUploaded)), .init("readBackBytes", .int(bytesReadBack)),
      .init("hostCopiedBytes", .int(bytesCopied)), .init("imports", .int(imports)),
      .init("failedImports", .int(failedImports)),
    ]
  }

  /// The counts in words.
  package var summary: String {
    let bus =
      bytesUploaded + bytesReadBack == 0
      ? "host and device share memory"
      : "\(significant(Double(bytesUploaded) / 1e6)) MB up, \(significant(Double(bytesReadBack) / 1e6)) MB down"
    return "bands \(bands), dispatches \(dispatches), submissions \(submissions), \(bus), "
      + "\(significant(Double(bytesCopied) / 1e6)) MB copied by the host"
  }
}

/// Measures the counts of a plain picture and an edited one, staged as for a card whatever the device is.
struct PictureCounts {
  var width: Int
  var height: Int

  /// - Throws: `GPUError` of the first picture that fails.
  func figures(of device: GPUDeviceInfo) throws(GPUError) -> [BenchFigure] {
    var options = GPUOptions()
    options.alwaysStages = true
    let renderer = try GPURenderer(selection: .named(device.uuid), options: options)
    let frame = TestPictures.photoP010(width: width, height: height, seed: 1), bench = FilterBench()
    var figures: [BenchFigure] = []
    for (name, steps) in [("plain", []), ("edited", Self.edits)] {
      guard let plan = bench.plan(frame, steps) else { throw .badPlan("no recipe for the \(name) picture") }
      _ = try renderer.render(plan)
      let timings = renderer.lastTimings
      func figure(_ what: String, _ value: Double, _ unit: BenchFigure.Unit) {
        figures.append(
          BenchFigure(
            .transfer, "\(what), \(name) picture, \(device.name)", Spread([value]), unit,
            details: [.init("device", .string(device.name)), .init("pixels", .int(width * height))] + timings.counts))
      }
      figure("upload", Double(timings.bytesUploaded) / 1e6, .megabytes)
      figure("readback", Double(timings.bytesReadBack) / 1e6, .megabytes)
      figure("host copies", Double(timings.bytesCopied) / 1e6, .megabytes)
      figure("dispatches", Double(timings.dispatches), .calls)
      figure("submissions", Double(timings.submissions), .calls)
    }
    return figures
  }

  /// Neighbours twice, so that bands overlap.
  private static let edits = [
    FilterStep("gaussian-blur", ["radius": .number(12)]), FilterStep("vibrance", ["amount": .number(0.4)]),
    FilterStep("unsharp-mask"),
  ]
}
