import CPlatform
import CodecService
import Glibc
import HDRCore
import HDRRender

/// Passes frames from one descriptor on to another, unread: pages move from pipe to pipe. A frame goes on when it is
/// whole. Where the system has no pipes for that, frames go through memory. One thread at a time.
final class FrameRelay {
  /// The bytes of a pipe: as much as Linux gives every user.
  static let pipeBytes: Int32 = 1 << 20
  /// So many pipes hold a frame; frames that need more go through memory.
  private static let mostPipes = 48

  /// A pipe that holds a part of a frame.
  private struct Part {
    let read: OpenFile
    let write: OpenFile
    var byteCount = 0
  }

  let byteCount: Int
  private var parts: [Part] = []
  /// The memory that frames go through; `nil`: pages move.
  private var memory: PixelBuffer?

  /// - Parameter byteCount: of a frame.
  init(byteCount: Int) { self.byteCount = byteCount }

  /// Takes a frame.
  ///
  /// - Returns: its bytes; fewer than `byteCount` at the end of the stream.
  func take(from descriptor: Int32) throws(FileFault) -> Int {
    var found = 0
    if memory == nil {
      for index in parts.indices { parts[index].byteCount = 0 }
      if try move(from: descriptor, &found) { return found }
      spill()
    }
    guard let memory else { return found }
    let rest = UnsafeMutableRawBufferPointer(start: memory.base + found, count: byteCount - found)
    return found + (try FrameReader.readAll(descriptor, rest))
  }

  /// Writes the frame that was taken.
  func give(to descriptor: Int32) throws(CodecError) {
    var number: Int32 = 0
    if memory == nil {
      number = moveOn(to: descriptor)
      // A file that is appended to takes no pages, before the first.
      if number == EINVAL { spill() } else if number != 0 { throw .write(number, isSidecar: false) }
    }
    guard let memory else { return }
    number = CodecJobs.write(UnsafeRawBufferPointer(start: memory.base, count: byteCount), descriptor)
    if number != 0 { throw .write(number, isSidecar: false) }
  }

  /// Moves a frame into pipes.
  ///
  /// - Returns: false if there is no room for the rest, or the descriptor gives no pages.
  private func move(from descriptor: Int32, _ found: inout Int) throws(FileFault) -> Bool {
    var index = 0
    while found < byteCount {
      if index == parts.count {
        guard let part = makePart() else { return false }
        parts.append(part)
      }
      let moved = hdr_move_pages(descriptor, parts[index].write.descriptor, UInt(byteCount - found), 0)
      switch moved {
      case 0: return true
      case 1...:
        parts[index].byteCount += moved
        found += moved
      case Int(-EINTR): break
      case Int(-EAGAIN):
        // The pipe is full, or nothing has come yet.
        if hdr_wait_for(parts[index].write.descriptor, 1, 0) != 0 {
          index += 1
        } else {
          _ = hdr_wait_for(descriptor, 0, 1)
        }
      case Int(-EINVAL): return false
      default: throw FrameReader.fault(Int32(-moved))
      }
    }
    return true
  }

  private func makePart() -> Part? {
    var ends: [Int32] = [0, 0]
    guard parts.count < Self.mostPipes, hdr_pipe(&ends, Self.pipeBytes) == 0 else { return nil }
    return Part(read: OpenFile(ends[0]), write: OpenFile(ends[1]))
  }

  /// Moves the frame on; returns the error number.
  private func moveOn(to descriptor: Int32) -> Int32 {
    for index in parts.indices {
      while parts[index].byteCount > 0 {
        let moved = hdr_move_pages(parts[index].read.descriptor, descriptor, UInt(parts[index].byteCount), 1)
        if moved == Int(-EINTR) { continue }
        guard moved > 0 else { return moved < 0 ? Int32(-moved) : EIO }
        parts[index].byteCount -= moved
      }
    }
    return 0
  }

  /// Reads what pipes hold into memory, through which frames go from now on.
  private func spill() {
    let memory = PixelBuffer(uninitializedByteCount: byteCount)
    var filled = 0
    for part in parts where part.byteCount > 0 {
      let place = UnsafeMutableRawBufferPointer(start: memory.base + filled, count: part.byteCount)
      filled += (try? FrameReader.readAll(part.read.descriptor, place)) ?? 0
    }
    parts = []
    self.memory = memory
  }
}
