import HDRCore
import Synchronization
import Threads

/// A file of pieces that threads make in any order and that are stored one after another.
///
/// Each piece is made in a place with room for the largest one. Once all pieces before it are in their final places, it
/// is moved to its own by the thread that finished the last of them. So no thread has to move all pieces at the end.
/// Memory pages that no piece reaches cost nothing.
package struct PackedPieces {
  package let count: Int
  /// The largest size of one piece.
  package let maxBytes: Int
  /// The alignment of each piece after the first; zeros fill the gaps.
  package var alignment = 1

  package init(count: Int, maxBytes: Int, alignment: Int = 1) {
    (self.count, self.maxBytes, self.alignment) = (count, maxBytes, alignment)
  }

  private struct Place: @unchecked Sendable {
    let base: UnsafeMutableRawPointer
  }

  private struct Progress {
    /// The sizes of the pieces that are made; `nil` for the others.
    var sizes: [Int?]
    /// The final places of the pieces that are moved.
    var places: [Range<Int>] = []
    var end: Int
  }

  /// Makes all pieces on `threads` threads and returns the file.
  ///
  /// - Parameters:
  ///   - head: the bytes before the first piece.
  ///   - room: the number of bytes that callers append afterwards.
  ///   - makeTool: called on each thread; if it returns `nil`, other threads do the work.
  ///   - make: writes a piece to memory of `maxBytes`, and returns its size.
  /// - Returns: the file and the places of its pieces; fewer than all if no thread had a tool.
  package func file<Tool>(
    _ head: [UInt8], room: Int = 0, threads: Int, makeTool: @Sendable () -> Tool?,
    make: @Sendable (Int, Tool, UnsafeMutableRawPointer) -> Int
  ) -> (bytes: [UInt8], places: [Range<Int>]) {
    var places: [Range<Int>] = []
    let bytes = [UInt8](unsafeUninitializedCapacity: head.count + count * maxBytes + room) { memory, size in
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
          let size = make(index, tool, file.base + start + index * maxBytes)
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

  /// Moves all pieces that can go to their final places, over memory of pieces already moved or their own.
  private func move(_ file: Place, _ start: Int, _ progress: inout Progress) {
    while progress.places.count < count, let size = progress.sizes[progress.places.count] {
      let made = start + progress.places.count * maxBytes
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
