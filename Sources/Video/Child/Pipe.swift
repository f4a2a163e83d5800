import CPlatform
import Glibc
import HDRRender
import Synchronization

/// Our end of a pipe to or from a child. One thread at a time uses it; no call waits for ever.
package final class Pipe: Sendable {
  /// The reason why bytes did not pass.
  package enum Fault: Error, Sendable, Equatable {
    /// The other end is closed.
    case closed
    /// Nothing moved for `seconds`.
    case stalled(seconds: Double)
    case system(Int32)
  }

  private let file: Mutex<OpenFile?>
  /// The longest time without a byte.
  private let seconds: Double

  /// A child that takes longer than this for a frame, in seconds, counts as hung.
  package static let patience = 60.0

  /// - Parameter file: not used by anyone else.
  init(_ file: OpenFile, seconds: Double = Pipe.patience) {
    _ = hdr_never_block(file.descriptor)
    self.file = Mutex(file)
    self.seconds = seconds
  }

  /// Closes this end: the child then reads the end of its input, or can write no more.
  package func close() { file.withLock { $0 = nil } }

  /// Reads what is there, at least a byte.
  ///
  /// - Returns: the number of bytes; 0 at the end of the stream.
  package func read(into memory: UnsafeMutableRawBufferPointer) throws(Fault) -> Int {
    guard let file = file.withLock({ $0 }) else { throw .closed }
    while true {
      let count = Glibc.read(file.descriptor, memory.baseAddress, memory.count)
      if count >= 0 { return count }
      try wait(file, writes: false)
    }
  }

  /// Reads to the end of the stream.
  ///
  /// - Parameter limit: what comes behind so many bytes is left in the pipe.
  package func readAll(atMost limit: Int) throws(Fault) -> [UInt8] {
    var bytes: [UInt8] = [], part = [UInt8](repeating: 0, count: 1 << 16)
    while bytes.count < limit {
      var found = 0, fault: Fault?
      part.withUnsafeMutableBytes { memory in
        do throws(Fault) { found = try read(into: memory) } catch { fault = error }
      }
      if let fault { throw fault }
      if found == 0 { break }
      bytes += part[..<found]
    }
    return bytes
  }

  /// Writes all bytes.
  package func write(_ bytes: UnsafeRawBufferPointer) throws(Fault) {
    guard let file = file.withLock({ $0 }) else { throw .closed }
    var done = 0
    while done < bytes.count {
      let part = Glibc.write(file.descriptor, bytes.baseAddress! + done, bytes.count - done)
      if part >= 0 { done += part } else { try wait(file, writes: true) }
    }
  }

  package func write(_ bytes: [UInt8]) throws(Fault) {
    var fault: Fault?
    bytes.withUnsafeBytes { memory in
      do throws(Fault) { try write(memory) } catch { fault = error }
    }
    if let fault { throw fault }
  }

  /// Waits after a call that failed with `errno`.
  private func wait(_ file: OpenFile, writes: Bool) throws(Fault) {
    switch errno {
    case EINTR: return
    case EPIPE: throw .closed
    case EAGAIN: break
    case let number: throw .system(number)
    }
    switch hdr_wait_for(file.descriptor, writes ? 1 : 0, seconds) {
    case 0: return
    case ETIMEDOUT: throw .stalled(seconds: seconds)
    case let number: throw .system(number)
    }
  }
}

/// Both ends of a new pipe.
struct PipeEnds {
  let read: OpenFile
  let write: OpenFile

  /// The bytes that it holds: as much as Linux gives every user.
  private static let byteCount: Int32 = 1 << 20

  /// - Throws: the error number.
  init() throws(Pipe.Fault) {
    var ends: [Int32] = [0, 0]
    let result = hdr_pipe(&ends, Self.byteCount)
    guard result == 0 else { throw .system(result) }
    (read, write) = (OpenFile(ends[0]), OpenFile(ends[1]))
  }
}
