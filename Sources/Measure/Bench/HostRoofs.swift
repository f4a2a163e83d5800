import BatchEngine
import CPURender
import Glibc
import HDRCore
import HDRRender
import Threads

/// The best that this machine's cores can do: bytes through memory and arithmetic, the two roofs of a roofline.
///
/// Williams, Waterman, Patterson, "Roofline: an insightful visual performance model", CACM 52(4), 2009.
package struct HostRoofs: Sendable {
  package var threads: Int
  /// Bytes a second that copies of large buffers read plus write, all threads together, each run.
  package var copy: [Double]
  /// Products and sums a second, single precision, all threads together, each run.
  package var arithmetic: [Double]

  /// - Parameter bytes: of each thread's buffers; larger than caches.
  package init(threads: Int, cpu: CPUBackend = .best, bytes: Int = 64 << 20, repeats: Int = 7) {
    self.threads = threads
    let pool = BandPool(threads: threads)
    defer { pool.close() }
    let pairs = (0..<threads).map { _ in
      (PixelBuffer(uninitializedByteCount: bytes), PixelBuffer(uninitializedByteCount: bytes))
    }
    for (from, to) in pairs {
      memset(from.base, 0x5a, bytes)
      memset(to.base, 0, bytes)
    }
    func runs(_ work: @escaping @Sendable (Int) -> Double) -> [Double] {
      var result: [Double] = []
      for i in 0...repeats {
        let done = Monitor(0.0), start = ContinuousClock.now
        pool.run(count: threads) {
          return { band in
            let amount = work(band)
            done.change { $0 += amount }
          }
        }
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        if i > 0 { result.append(done.change { $0 } / seconds) }
      }
      return result
    }
    copy = runs { band in
      memcpy(pairs[band].1.base, pairs[band].0.base, bytes)
      return 2 * Double(bytes)
    }
    arithmetic = runs { _ in
      let (operations, sum) = cpu.arithmetic(1 << 20)
      return sum.isFinite ? operations : 0
    }
  }

  /// Measures the roofs of one thread, and of all threads that this process may use.
  package static func all(repeats: Int) -> [HostRoofs] {
    Set([1, Allotment.threads]).sorted().map { HostRoofs(threads: $0, repeats: repeats) }
  }

  package var figures: [BenchFigure] {
    let of = "\(threads) thread\(threads == 1 ? "" : "s")"
    return [
      BenchFigure(
        .transfer, "memory copy, \(of)", Spread(copy.map { $0 / 1e9 }), .gigabytesPerSecond,
        details: [.init("threads", .int(threads)), .init("counts", .string("bytes read and bytes written"))]),
      BenchFigure(
        .transfer, "products and sums, \(of)", Spread(arithmetic.map { $0 / 1e9 }), .gigaoperationsPerSecond,
        details: [.init("threads", .int(threads)), .init("precision", .string("single"))]),
    ]
  }
}
