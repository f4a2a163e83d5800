import BatchEngine
import Foundation
import HDRCore
import Synchronization
import Testing

/// Waiting for memory from the first byte of a file on.
@Suite struct MemoryBudgetTests {
  /// The bytes that are held now, and the most that were held.
  private final class Ledger: Sendable {
    private let sums = Mutex((now: 0, most: 0, done: 0))
    func add(_ bytes: Int) { sums.withLock { $0 = ($0.now + bytes, max($0.most, $0.now + bytes), $0.done) } }
    func finish() { sums.withLock { $0.done += 1 } }
    var most: Int { sums.withLock { $0.most } }
    var done: Int { sums.withLock { $0.done } }
  }

  /// Many threads, each with items that read, then take all they need: all get it, and never more than there is is
  /// taken.
  @Test(arguments: [300 << 20, 8 << 30])
  func promise06_readingIsPaidForAndNobodyStarves(bytes: Int) async {
    let budget = MemoryBudget(bytes: bytes), ledger = Ledger()
    await withTaskGroup(of: Void.self) { group in
      for worker in 0..<12 {
        group.addTask {
          await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
            Thread.detachNewThread {
              var random = UInt64(worker) &* 0x9E37_79B9_7F4A_7C15 | 1
              for _ in 0..<200 {
                random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                let file = Int(random >> 40) % (budget.limit / 8), reading = MemoryNeed.reading(fileBytes: file)
                let item = 1 + Int(random >> 30) % budget.limit
                let share = MemoryShare(budget)
                guard share.takeForReading(reading) else { continue }
                ledger.add(reading)
                // A second read of the same item costs nothing more.
                _ = share.takeForReading(reading)
                if random & 7 == 0 {
                  // The file was refused.
                  ledger.add(-reading)
                  continue
                }
                ledger.add(-reading)
                guard share.take(item) else { continue }
                ledger.add(item)
                ledger.add(-item)
                ledger.finish()
              }
              done.resume()
            }
          }
        }
      }
    }
    #expect(ledger.done > 1500)
    #expect(ledger.most <= bytes)
  }

  @Test func whatCannotBeIsRefusedAtOnce() {
    let small = MemoryBudget(bytes: 300 << 20), large = MemoryBudget(bytes: 16 << 30)
    // With little memory one file is read at a time, and an item may have all of it.
    #expect(small.limit == 300 << 20 && large.limit == 14 << 30)
    for budget in [small, large] {
      let share = MemoryShare(budget)
      #expect(!share.takeForReading(budget.limit + 1) && !share.take(budget.limit + 1))
      #expect(share.takeForReading(100 << 20) && share.take(budget.limit))
    }
    #expect(MemoryShare(large).take(14 << 30))
  }

  @Test(arguments: [1, 1 << 20, 300 << 20, 602_777_216, 660 << 20, 700 << 20, 1_226_777_216, 5 << 30])
  func whatIsRefusedIsToldWhatIsEnough(_ bytes: Int) throws {
    let text = MemoryBudget.setting(holding: bytes).description
    let batch = try #require(Int(text.dropFirst("memory to ".count).dropLast()), "\(text)") << 20
    #expect(text == "memory to \(batch >> 20)M")
    #expect(MemoryBudget(ofBatch: batch).limit >= bytes)
    for less in stride(from: batch - (1 << 20), to: max(0, batch - (200 << 20)), by: -(1 << 20)) {
      #expect(MemoryBudget(ofBatch: less).limit < bytes)
    }
  }

  @Test func whatNothingHoldsNamesTheSettingAlone() {
    #expect(MemoryBudget.setting(holding: .max) == .setting("memory"))
  }
}
