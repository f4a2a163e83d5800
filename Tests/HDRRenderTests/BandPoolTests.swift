import CPURender
import Synchronization
import Testing

@Suite struct BandPoolTests {
  private final class Counter: Sendable {
    let bands = Mutex([Int]())
  }

  @Test(arguments: [1, 2, 5])
  func everyBandRunsOnce(threads: Int) {
    let pool = BandPool(threads: threads)
    defer { pool.close() }
    let counter = Counter()
    pool.run(count: 100) { { band in counter.bands.withLock { $0.append(band) } } }
    #expect(counter.bands.withLock { $0.sorted() } == Array(0..<100))
  }

  /// A pool without threads of its own must clear finished jobs at once, because each holds its picture.
  @Test func finishedJobsHoldNothing() {
    let pool = BandPool(threads: 1)
    defer { pool.close() }
    weak var held: Counter?
    do {
      let counter = Counter()
      held = counter
      pool.run(count: 3) { { band in counter.bands.withLock { $0.append(band) } } }
      #expect(counter.bands.withLock { $0.count } == 3)
    }
    #expect(held == nil)
  }
}
