import CPlatform
import Glibc
import HDRRender

/// The bytes that a client sends and gets, with descriptors where both ways are Unix sockets.
package struct ClientStream: Sendable {
  package let input: OpenFile
  package let output: OpenFile
  /// True if descriptors can be passed.
  package let passesDescriptors: Bool
  /// True if bytes are read from a socket.
  private let isSocket: Bool

  /// - Parameters:
  ///   - input, output: may be one file.
  package init(input: OpenFile, output: OpenFile) {
    (self.input, self.output) = (input, output)
    isSocket = Self.isUnixSocket(input)
    passesDescriptors = isSocket && Self.isUnixSocket(output)
  }

  /// Returns the stream of standard input and output. What this process prints later does not get into it.
  ///
  /// - Throws: `UnavailableError` without descriptors.
  package static func standard() throws(UnavailableError) -> ClientStream {
    let input = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3), output = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)
    guard input >= 0, output >= 0 else {
      throw UnavailableError("standard input and output are not there: \(errorText(errno))")
    }
    return ClientStream(input: OpenFile(input), output: OpenFile(output))
  }

  private static func isUnixSocket(_ file: OpenFile) -> Bool {
    var domain: Int32 = 0, size = socklen_t(MemoryLayout<Int32>.size)
    return getsockopt(file.descriptor, SOL_SOCKET, SO_DOMAIN, &domain, &size) == 0 && domain == AF_UNIX
  }

  /// The most descriptors that the kernel passes at once (SCM_MAX_FD).
  private static let mostPassed = 253
  private static let headBytes = MemoryLayout<cmsghdr>.size

  /// Reads what is there, and waits for some.
  ///
  /// - Returns: the number of bytes, 0 at the end, `nil` if the client is gone; and the descriptors that came along.
  package func receive(into buffer: UnsafeMutableRawBufferPointer) -> (count: Int?, files: [OpenFile]) {
    while true {
      let found =
        passesDescriptors ? message(into: buffer) : (read(input.descriptor, buffer.baseAddress, buffer.count), [])
      if found.0 < 0 && errno == EINTR { continue }
      return (found.0 < 0 ? nil : found.0, found.1)
    }
  }

  private func message(into buffer: UnsafeMutableRawBufferPointer) -> (Int, [OpenFile]) {
    withUnsafeTemporaryAllocation(byteCount: 1 << 11, alignment: 8) { control in
      var piece = iovec(iov_base: buffer.baseAddress, iov_len: buffer.count)
      return withUnsafeMutablePointer(to: &piece) { piece in
        var message = msghdr()
        (message.msg_iov, message.msg_iovlen) = (piece, 1)
        (message.msg_control, message.msg_controllen) = (control.baseAddress, control.count)
        let count = recvmsg(input.descriptor, &message, Int32(MSG_CMSG_CLOEXEC))
        guard count >= 0 else { return (count, []) }
        return (count, Self.files(UnsafeRawBufferPointer(rebasing: control[..<Int(message.msg_controllen)])))
      }
    }
  }

  /// Takes the descriptors out of control messages.
  private static func files(_ control: UnsafeRawBufferPointer) -> [OpenFile] {
    var files: [OpenFile] = [], at = 0
    while control.count - at >= headBytes {
      let head = control.loadUnaligned(fromByteOffset: at, as: cmsghdr.self), length = Int(head.cmsg_len)
      guard length >= headBytes, length <= control.count - at else { break }
      if head.cmsg_level == SOL_SOCKET, head.cmsg_type == Int32(SCM_RIGHTS) {
        for place in stride(from: at + headBytes, to: at + length - 3, by: 4) {
          files.append(OpenFile(control.loadUnaligned(fromByteOffset: place, as: Int32.self)))
        }
      }
      at += (length + 7) & ~7
    }
    return files
  }

  /// Sends bytes, and descriptors with the first of them.
  ///
  /// - Parameter seconds: the longest time in which the client may read nothing.
  /// - Returns: 0, or an error number.
  package func send(_ bytes: [UInt8], _ files: [OpenFile], seconds: Double) -> Int32 {
    bytes.withUnsafeBytes { bytes in
      var bytes = bytes, numbers = files.map(\.descriptor)
      // In parts, so that the time is of each.
      while !bytes.isEmpty {
        let part = UnsafeRawBufferPointer(rebasing: bytes.prefix(1 << 16))
        let result = passesDescriptors ? send(part, numbers, seconds) : write(part, seconds)
        if result != 0 { return result }
        bytes = UnsafeRawBufferPointer(rebasing: bytes.dropFirst(part.count))
        numbers = []
      }
      return 0
    }
  }

  private func send(_ part: UnsafeRawBufferPointer, _ numbers: [Int32], _ seconds: Double) -> Int32 {
    var piece = iovec(iov_base: UnsafeMutableRawPointer(mutating: part.baseAddress), iov_len: part.count)
    return hdr_send(output.descriptor, &piece, 1, numbers, Int32(numbers.count), seconds)
  }

  private func write(_ part: UnsafeRawBufferPointer, _ seconds: Double) -> Int32 {
    var rest = part
    while !rest.isEmpty {
      let waited = hdr_wait_for(output.descriptor, 1, seconds)
      if waited != 0 { return waited }
      // A pipe that can be written to takes PIPE_BUF bytes without waiting.
      let count = Glibc.write(output.descriptor, rest.baseAddress, min(rest.count, Int(PIPE_BUF)))
      if count < 0 && errno == EINTR { continue }
      if count < 0 { return errno }
      rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
    }
    return 0
  }

  /// Returns true if the client has closed both ways.
  func isGone(afterSeconds seconds: Double) -> Bool {
    // Without events that are asked for, those of the end alone are reported. A pipe that is read reports its own end.
    guard isSocket else {
      usleep(UInt32(seconds * 1e6))
      return false
    }
    var state = pollfd(fd: input.descriptor, events: 0, revents: 0)
    return poll(&state, 1, Int32(seconds * 1000)) > 0
  }

  /// Ends waiting for bytes of a socket.
  func stopReading() { if isSocket { shutdown(input.descriptor, Int32(SHUT_RD)) } }
}
