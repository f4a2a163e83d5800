import BatchEngine
import GPURender

/// `bench transfer`: memory and bus, the yardsticks of everything else.
package struct TransferBench {
  /// The size of the pictures whose bytes and calls are counted.
  package var width: Int
  package var height: Int
  package var repeats: Int

  package init(width: Int = 4032, height: Int = 3024, repeats: Int = 7) {
    self.width = width
    self.height = height
    self.repeats = repeats
  }

  /// Measures one core and all cores, then every GPU, or `device` alone; software devices only when named.
  ///
  /// - Parameter roofs: `HostRoofs.all`.
  /// - Returns: why devices have no figures.
  package func run(
    device: String?, roofs: [HostRoofs], each: (BenchFigure) -> Void
  ) -> [(device: String, reason: String)] {
    roofs.flatMap(\.figures).forEach(each)
    var failures: [(device: String, reason: String)] = []
    for info in benchDevices(device) {
      do throws(GPUError) {
        let renderer = try GPURenderer(selection: .named(info.uuid))
        let transfers = try renderer.measureTransfers(repeats: repeats)
        let roofs = try DeviceRoofs(renderer, repeats: repeats)
        func figure(_ name: String, _ values: [Double], _ counts: String) {
          each(
            BenchFigure(
              .transfer, "\(name), \(info.name)", Spread(values.map { $0 / 1e9 }), .gigabytesPerSecond,
              details: [
                .init("device", .string(info.name)), .init("counts", .string(counts)),
                .init("copyQueues", .bool(transfers.hasCopyQueues)),
              ]))
        }
        figure("host to device", transfers.upload, "bytes moved")
        figure("device to host", transfers.readback, "bytes moved")
        figure("both ways at once", transfers.duplex, "bytes of one direction")
        roofs.figures(of: info.name).forEach(each)
        try PictureCounts(width: width, height: height).figures(of: info).forEach(each)
      } catch {
        failures.append((info.name, "\(error)"))
      }
    }
    return failures
  }
}

/// Returns the devices that a bench measures: every GPU, software devices only by name.
func benchDevices(_ name: String?) -> [GPUDeviceInfo] {
  GPUDevice.available().filter { info in
    info.refusal == nil && (name.map { info.answers(to: $0) } ?? (info.type != .cpu))
  }
}
