import CDeflate
import CISAL
import HDRCore

/// A writer of zlib streams (RFC 1950) by ISA-L, one after another: one pass, constant memory. For one thread.
///
/// Equal input gives equal output, wherever the library's state lies in memory. ISA-L by itself does not
/// promise that: on x86-64, the step that writes the first byte of a stream (`write_first_byte` in
/// `igzip_icf_body_h1_gr_bt.asm`, 2.30) computes the hash of the third byte from a register that holds the address of the
/// state, so that about one stream in some thousands misses its first matches. That value is not used where the first call
/// offers exactly the 288 bytes of look-ahead and one more: the step ends there, and the next call computes it anew.
package final class ISALStream {
  /// The size of the first call: `ISAL_LOOK_AHEAD` and one byte. Shorter streams are made by libdeflate.
  private static let firstBytes = 289

  /// The size and alignment of the library's state, in bytes.
  package static var stateLayout: (size: Int, alignment: Int) {
    (MemoryLayout<isal_zstream>.size, MemoryLayout<isal_zstream>.alignment)
  }

  private let state: UnsafeMutablePointer<isal_zstream>
  private let ownsState: Bool
  private let tables: PixelBuffer
  private var isFresh = true

  /// Makes a writer.
  ///
  /// - Parameter place: the caller's memory for the library's state (`stateLayout`); `nil`: the writer allocates it.
  package init(stateAt place: UnsafeMutableRawPointer? = nil) {
    state = place?.bindMemory(to: isal_zstream.self, capacity: 1) ?? .allocate(capacity: 1)
    ownsState = place == nil
    // The library's "large" table size for level 3; a level 1 stream with it is no slower than with its own 276 KiB.
    tables = PixelBuffer(uninitializedByteCount: 340 << 10)
  }

  deinit { if ownsState { state.deallocate() } }

  /// Begins a stream; `level` is 1 to 3.
  package func start(level: Int) {
    isal_deflate_init(state)
    state.pointee.level = UInt32(level)
    state.pointee.level_buf = tables.base.assumingMemoryBound(to: UInt8.self)
    state.pointee.level_buf_size = UInt32(tables.byteCount)
    state.pointee.gzip_flag = UInt16(IGZIP_ZLIB)
    state.pointee.flush = UInt16(NO_FLUSH)
    isFresh = true
  }

  /// Sets the memory that the stream is written to from now on.
  package func output(to out: UnsafeMutableRawPointer, capacity: Int) {
    state.pointee.next_out = out.assumingMemoryBound(to: UInt8.self)
    state.pointee.avail_out = UInt32(capacity)
  }

  /// The bytes left in that memory.
  package var room: Int { Int(state.pointee.avail_out) }

  /// Compresses a piece of at most 2^32 - 1 bytes; `isLast` ends the stream. The first piece is the whole stream or has at
  /// least 289 bytes.
  ///
  /// - Parameter full: called when no room is left; it gives new room by `output(to:capacity:)`, or the work ends.
  /// - Returns: true if all of it was compressed.
  package func write(_ bytes: UnsafeRawBufferPointer, isLast: Bool, full: () -> Void = {}) -> Bool {
    var rest = bytes
    if isFresh {
      isFresh = false
      if rest.count < Self.firstBytes { return isLast && writeShort(rest) }
      guard call(UnsafeRawBufferPointer(rebasing: rest[..<Self.firstBytes]), isLast: false, full) else { return false }
      rest = UnsafeRawBufferPointer(rebasing: rest[Self.firstBytes...])
    }
    return call(rest, isLast: isLast, full)
  }

  private func call(_ bytes: UnsafeRawBufferPointer, isLast: Bool, _ full: () -> Void) -> Bool {
    state.pointee.next_in = UnsafeMutablePointer(mutating: bytes.baseAddress?.assumingMemoryBound(to: UInt8.self))
    state.pointee.avail_in = UInt32(bytes.count)
    state.pointee.end_of_stream = isLast ? 1 : 0
    while true {
      guard isal_deflate(state) == COMP_OK else { return false }
      // If no room is left, more output may follow.
      if room == 0 {
        if isLast, state.pointee.internal_state.state == ZSTATE_END { return true }
        full()
        if room == 0 { return false }
      } else if state.pointee.avail_in == 0 {
        return true
      }
    }
  }

  private func writeShort(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard let compressor = libdeflate_alloc_compressor(1) else { return false }
    defer { libdeflate_free_compressor(compressor) }
    let count = libdeflate_zlib_compress(compressor, bytes.baseAddress, bytes.count, state.pointee.next_out, room)
    state.pointee.next_out += count
    state.pointee.avail_out -= UInt32(count)
    return count > 0
  }
}

extension LibraryRow {
  package static let isal = LibraryRow("ISA-L") { (nil, "writing PNG, fast levels") }
}
