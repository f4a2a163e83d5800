import BatchEngine
import GPURender

/// `bench transfer`: memory and bus, the yardsticks of everything else.
package struct TransferBench {
  package var repeats: Int

  package init(repeats: Int = 7) { self.repeats = repeats }

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
        let copy = try renderer.measureCopyBandwidth(repeats: repeats)
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
        figure("device copy", copy, "bytes read and bytes written")
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
