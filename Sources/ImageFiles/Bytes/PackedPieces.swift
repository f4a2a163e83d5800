import HDRCore
import Synchronization
import Threads

/// A file of pieces that threads make in any order, and that lie one behind the other.
///
/// Each is made in a place that holds it whatever becomes of it. Once all before it lie where they belong it is moved
/// there, by the thread that was the last to make one of them: no thread is left with all the moving in the end. Pages
/// that no piece reaches cost nothing.
struct PackedPieces {
  let count: Int
  /// Of one piece.
  let mostBytes: Int
  /// Pieces begin at multiples of this; zeros fill up.
  var alignment = 1

  private struct Place: @unchecked Sendable {
    let base: UnsafeMutableRawPointer
  }

  private struct Progress {
    /// Of pieces that are made and not moved yet.
    var sizes: [Int?]
    /// Of those that lie where they belong.
    var places: [Range<Int>] = []
    var end: Int
  }

  /// - Parameters:
  ///   - head: what lies before the first piece.
  ///   - room: bytes that callers append afterwards.
  ///   - makeTool: called on each thread; where it gives nothing, other threads do the work.
  ///   - make: writes a piece to memory of `mostBytes`, and returns its size.
  /// - Returns: the file, and where its pieces lie; fewer than all where no thread had a tool.
  func file<Tool>(
    _ head: [UInt8], room: Int = 0, threads: Int, makeTool: @Sendable () -> Tool?,
    make: @Sendable (Int, Tool, UnsafeMutableRawPointer) -> Int
  ) -> (bytes: [UInt8], places: [Range<Int>]) {
    var places: [Range<Int>] = []
    let bytes = [UInt8](unsafeUninitializedCapacity: head.count + count * mostBytes + room) { memory, size in
      let file = Place(base: UnsafeMutableRawPointer(memory.baseAddress!))
      PictureMemory.advise(file.base, byteCount: memory.count)
      head.withUnsafeBytes { memory in
        if let base = memory.baseAddress { file.base.copyMemory(from: base, byteCount: memory.count) }
      }
      let start = head.count
      let progress = Mutex(Progress(sizes: [Int?](repeating: nil, count: count), end: start))
      shareOut(count, among: threads) { next in
        guard let tool = makeTool() else { return }
        while let index = next() {
          let size = make(index, tool, file.base + start + index * mostBytes)
          progress.withLock { progress in
            progress.sizes[index] = size
            move(file, start, &progress)
          }
        }
      }
      (places, size) = progress.withLock { ($0.places, $0.end) }
    }
    return (bytes, places)
  }

  /// Moves what can be moved: to where pieces before it were made, or it itself.
  private func move(_ file: Place, _ start: Int, _ progress: inout Progress) {
    while progress.places.count < count, let size = progress.sizes[progress.places.count] {
      let made = start + progress.places.count * mostBytes
      (file.base + progress.end).copyMemory(from: file.base + made, byteCount: size)
      progress.places.append(progress.end..<progress.end + size)
      progress.end += size
      while progress.end % alignment != 0 {
        (file.base + progress.end).storeBytes(of: 0, as: UInt8.self)
        progress.end += 1
      }
    }
  }
}
