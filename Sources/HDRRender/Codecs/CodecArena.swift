import CPlatform
import CodecService
import Glibc
import HDRCore
import Synchronization

/// Memory shared with one codec process. It outlives the process: touched pages cost nothing, while fresh ones cost as
/// much time as decoding into them. Its contents are not trusted: it holds samples only. It is as large as admitted: a
/// write past its end kills the process. Only this side can enlarge it, because the process has closed its descriptor.
final class CodecArena: Sendable {
  let memory: OpenFile
  /// The largest possible size, which both sides map.
  let byteCount: Int
  private let grown = Mutex(CodecProtocol.crashReportBytes)
  /// The mapping of all of it. A device that renders from it or into it imports what is in use.
  fileprivate let block: HostBlock
  private struct Uses {
    /// The ranges in use, in order.
    var ranges: [Range<Int>] = []
    /// The end of the largest picture since pages were last forgotten.
    var largest = 0
    /// The end of the largest of the last pictures: it falls by a 32nd with each.
    var usual = 0
  }
  private let uses = Mutex(Uses())

  /// Makes an arena; throws an error number.
  init(byteCount: Int) throws(FileFault) {
    let number = hdr_sealed_memory("hdrbatch pictures", UInt64(CodecProtocol.crashReportBytes))
    guard number >= 0 else { throw FileFault(call: "memfd_create", number: errno, path: FilePath("memory")) }
    memory = OpenFile(number)
    guard let base = mmap(nil, byteCount, PROT_READ | PROT_WRITE, MAP_SHARED, number, 0), base != MAP_FAILED else {
      throw FileFault(call: "mmap", number: errno, path: FilePath("memory"))
    }
    block = HostBlock(base, byteCount: byteCount) { munmap($0, byteCount) }
    self.byteCount = byteCount
  }

  var base: UnsafeMutableRawPointer { block.base }

  /// The size of an allocation that the process was refused, as it reported it.
  var refusedBytes: Int { Int(clamping: base.load(as: UInt64.self)) }
  /// The number of a system call that ended the process.
  var refusedCall: Int? {
    let number = Int(clamping: base.load(fromByteOffset: 8, as: UInt64.self))
    return number > 0 && number < 1 << 16 ? number - 1 : nil
  }
  func clearCrashReport() { base.storeBytes(of: (0, 0), as: (UInt64, UInt64).self) }

  private static func aligned(_ count: Int) -> Int {
    let step = CodecProtocol.alignment
    return (count + 2 * step - 1) & ~(step - 1)
  }

  /// Returns the free ranges, first to last.
  private func gaps(_ usedRanges: [Range<Int>]) -> [Range<Int>] {
    var gaps: [Range<Int>] = [], next = CodecProtocol.crashReportBytes
    for range in usedRanges {
      if next < range.lowerBound { gaps.append(next..<range.lowerBound) }
      next = range.upperBound
    }
    if next < byteCount { gaps.append(next..<byteCount) }
    return gaps
  }

  private func insert(_ range: Range<Int>, _ usedRanges: inout [Range<Int>]) -> ArenaRegion {
    usedRanges.insert(range, at: usedRanges.firstIndex { $0.lowerBound > range.lowerBound } ?? usedRanges.count)
    return ArenaRegion(self, range)
  }

  /// The current size.
  var grownBytes: Int { grown.withLock { $0 } }

  /// Grows the memory to at least this size.
  ///
  /// - Returns: true if it has this size.
  fileprivate func grow(to count: Int) -> Bool {
    grown.withLock { grown in
      if count <= grown { return true }
      let pages = HostBlock.wholePages(count)
      guard pages <= byteCount else { return false }
      while ftruncate(memory.descriptor, pages) != 0 {
        if errno != EINTR { return false }
      }
      grown = pages
      return true
    }
  }

  /// Takes the first free place of this size; `nil` if there is none.
  func take(_ count: Int) -> ArenaRegion? {
    guard count >= 0, count < byteCount else { return nil }
    let region = uses.withLock { uses in
      gaps(uses.ranges).first { $0.count >= Self.aligned(count) }.map {
        insert($0.lowerBound..<$0.lowerBound + Self.aligned(count), &uses.ranges)
      }
    }
    guard let region, grow(to: region.range.upperBound) else { return nil }
    return region
  }

  /// Takes the largest free place; nothing can be read or written there before `open`.
  func takeLargest() -> ArenaRegion? {
    uses.withLock { uses in
      gaps(uses.ranges).max { $0.count < $1.count }.map { insert($0, &uses.ranges) }
    }
  }

  fileprivate func replace(_ old: Range<Int>, _ new: Range<Int>?) {
    uses.withLock { uses in
      guard let index = uses.ranges.firstIndex(of: old) else { return }
      if let new { return uses.ranges[index] = new }
      uses.ranges.remove(at: index)
      // A place that was never opened has no pages.
      guard old.upperBound <= grownBytes else { return }
      uses.largest = max(uses.largest, old.upperBound)
      uses.usual = max(old.upperBound, uses.usual - uses.usual / 32)
      let end = max(uses.ranges.last?.upperBound ?? 0, min(uses.usual, MemoryNeed.keptArena))
      guard uses.largest > max(end, MemoryNeed.keptArena(usual: uses.usual)) else { return }
      forget(end..<byteCount)
      uses.largest = end
    }
  }

  /// Clears free memory, which must hold nothing of earlier pictures.
  func forgetFree() {
    uses.withLock { uses in
      for gap in gaps(uses.ranges) { forget(gap) }
      uses.largest = uses.ranges.last?.upperBound ?? 0
    }
  }

  /// Puts empty pages in the place of those in the range. No picture is there: the ranges in use are locked.
  private func forget(_ range: Range<Int>) {
    let start = HostBlock.wholePages(range.lowerBound), end = range.upperBound & ~(HostBlock.pageBytes - 1)
    if start < end { _ = hdr_forget_memory(memory.descriptor, UInt64(start), UInt64(end - start)) }
    // A device that has imported the old ones would see them still. It imports the new ones for the next picture.
    block.pagesChange()
  }

  /// Returns the offset of a block in this memory; `nil` if it is elsewhere.
  func offset(of buffer: PixelBuffer) -> Int? {
    let place = UInt(bitPattern: buffer.base), address = UInt(bitPattern: base)
    return place >= address && place - address < UInt(byteCount) ? Int(place - address) : nil
  }

  /// The bytes that pictures take.
  var usedBytes: Int { uses.withLock { $0.ranges.reduce(0) { $0 + $1.count } } }
}

extension OpenFile {
  /// The bytes that the touched pages of memory without a name take.
  var touchedBytes: Int {
    var status = stat()
    return fstat(descriptor, &status) == 0 ? Int(status.st_blocks) * 512 : 0
  }
}

/// A part of the memory, in use until the last picture in it is freed.
final class ArenaRegion: Sendable {
  private let arena: CodecArena
  private let current: Mutex<Range<Int>>

  fileprivate init(_ arena: CodecArena, _ range: Range<Int>) {
    self.arena = arena
    current = Mutex(range)
  }

  var range: Range<Int> { current.withLock { $0 } }

  deinit { arena.replace(range, nil) }

  /// Gives back the memory after the first bytes, and makes the rest usable.
  ///
  /// - Returns: the number of usable bytes; `nil` and `errno` if the memory is not available.
  func open(_ byteCount: Int) -> Int? {
    let range = range
    shrink(to: range.lowerBound + min(byteCount, range.count))
    let end = self.range.upperBound
    return arena.grow(to: end) ? end - range.lowerBound : nil
  }

  /// Gives back the memory after `end`.
  func shrink(to end: Int) {
    current.withLock { range in
      let end = min(max((end + 63) & ~63, range.lowerBound + 64), range.upperBound)
      arena.replace(range, range.lowerBound..<end)
      range = range.lowerBound..<end
    }
  }

  /// Returns the memory of a block that a process reports as filled.
  func buffer(_ offset: Int, _ byteCount: Int) throws(WireError) -> PixelBuffer {
    let range = range, step = CodecProtocol.alignment
    guard offset >= range.lowerBound, offset % step == 0, byteCount >= 0, byteCount <= range.count - step,
      offset <= min(range.upperBound, arena.grownBytes) - step - byteCount
    else { throw WireError("\(byteCount) bytes at \(offset), outside the memory that was given") }
    return PixelBuffer(adopting: arena.base + offset, byteCount: byteCount, in: arena.block) { [self] _ in _ = self }
  }

  /// Copies bytes to the region's start, and returns that.
  func fill(_ bytes: UnsafeRawBufferPointer) -> Int {
    let start = range.lowerBound
    if let from = bytes.baseAddress { (base + start).copyMemory(from: from, byteCount: bytes.count) }
    return start
  }

  /// Returns a copy of bytes that a process reports as written; it cannot change them any more.
  func bytes(_ offset: Int, _ byteCount: Int) throws(WireError) -> [UInt8] {
    let range = range
    guard offset >= range.lowerBound, byteCount <= min(range.upperBound, arena.grownBytes) - offset else {
      throw WireError("\(byteCount) bytes at \(offset), outside the memory that was given")
    }
    return Array(UnsafeRawBufferPointer(start: base + offset, count: byteCount))
  }

  var base: UnsafeMutableRawPointer { arena.base }
}
