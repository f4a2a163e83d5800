import BatchEngine
import Foundation
import HDRRender
import TestSupport
import Testing

@Suite("Pictures in flight where nobody says how many")
struct UsualJobsTests {
  private func jobs(_ sizes: [Int], isolates: Bool = true, threads: Int = 2) throws -> Int {
    let folder = try TemporaryFolder()
    let paths = try sizes.enumerated().map { index, size in
      let path = folder.path("\(index).jpg")
      try Data(count: size).write(to: URL(fileURLWithPath: path))
      return FilePath(path)
    }
    return withExtendedLifetime(folder) { BatchRunner.usualJobs(paths, isolates: isolates, threads: threads) }
  }

  @Test("small files get one job more for each four threads, at least two but on one thread")
  func small() throws {
    let small = [Int](repeating: 1000, count: 200)
    #expect(try jobs(small) == 4)
    #expect(try jobs(small, threads: 1) == 2)
    #expect(try jobs(small, threads: 16) == 20)
    #expect(try jobs([1 << 20, 1 << 20, 5 << 20]) == 4)
  }

  @Test("large files, none, absent ones and codecs in the same process get as many jobs as threads")
  func others() throws {
    #expect(try jobs([1000, (1 << 20) + 1, 2 << 20]) == 2)
    #expect(try jobs([]) == 2)
    #expect(try jobs([1000], isolates: false) == 2)
    #expect(BatchRunner.usualJobs([FilePath("/no/such/file")], isolates: true, threads: 2) == 2)
  }
}
