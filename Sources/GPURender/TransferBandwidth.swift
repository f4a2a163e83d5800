import CVulkan
import Glibc

/// The speed of copies between host and device, in bytes a second.
package struct TransferBandwidth: Sendable, Hashable {
  /// The speeds from host to device alone, and from device to host alone.
  package var upload: [Double]
  package var readback: [Double]
  /// The speeds of both at once, on the queues that the ring uses: bytes of one direction.
  package var duplex: [Double]
  /// True if copies have queues of their own.
  package var hasCopyQueues: Bool
}

extension GPURenderer {
  /// Measures copies between staging memory and device memory, as the ring's, on the host's clock from submission to
  /// the end, several copies in one submission.
  ///
  /// - Parameters:
  ///   - bytes: size of one copy; halved until four buffers of it fit.
  ///   - copies: in one submission.
  ///   - repeats: measured submissions, after one that pays for first touches.
  /// - Throws: `.outOfMemory` when not even 1 MiB fits, `.deviceLost`.
  package func measureTransfers(
    bytes: Int = 64 << 20, copies: Int = 4, repeats: Int = 7
  ) throws(GPUError) -> TransferBandwidth {
    var size = max(1 << 20, bytes)
    var buffers: [GPUBuffer] = []
    while buffers.isEmpty {
      do throws(GPUError) {
        let staging = try GPUBuffer(context, .staging, bytes: size, what: "upload of a bench")
        let readback = try GPUBuffer(context, .readback, bytes: size, what: "readback of a bench")
        let target = try GPUBuffer(context, .device, bytes: size, what: "target of a bench")
        buffers = [staging, target, try GPUBuffer(context, .device, bytes: size, what: "source of a bench"), readback]
      } catch {
        guard case .outOfMemory = error, size > 1 << 20 else { throw error }
        size /= 2
      }
    }
    // Pages that were never written are all the same page.
    for buffer in buffers { if let mapped = buffer.mapped { memset(mapped, 0x5a, size) } }
    let up = Direction(
      pool: try CommandPool(context, context.upload.family), timeline: try Timeline(context), queue: context.upload,
      from: buffers[0], to: buffers[1])
    let down = Direction(
      pool: try CommandPool(context, context.readback.family), timeline: try Timeline(context),
      queue: context.readback, from: buffers[2], to: buffers[3])
    func seconds(_ directions: [Direction]) throws(GPUError) -> Double {
      for direction in directions {
        let commands = try direction.pool.begin()
        for _ in 0..<copies {
          context.functions.copy(commands, direction.from.handle, to: direction.to.handle, bytes: size)
        }
        try direction.pool.end()
      }
      let start = ContinuousClock.now
      for direction in directions { try direction.timeline.submit(direction.queue, direction.pool, after: 0) }
      for direction in directions { try direction.timeline.wait() }
      return (ContinuousClock.now - start).seconds
    }
    var result = TransferBandwidth(upload: [], readback: [], duplex: [], hasCopyQueues: context.families.count > 1)
    for i in 0...max(1, repeats) {
      let alone = (try seconds([up]), try seconds([down])), both = try seconds([up, down])
      if i == 0 { continue }
      let moved = Double(size * copies)
      result.upload.append(moved / alone.0)
      result.readback.append(moved / alone.1)
      result.duplex.append(moved / both)
    }
    return result
  }

  /// A direction of copies, with the objects that they need.
  private struct Direction {
    var pool: CommandPool
    var timeline: Timeline
    var queue: DeviceQueue
    var from: GPUBuffer
    var to: GPUBuffer
  }
}
