import Glibc
import HDRRender

/// The socket file at which clients of this user connect.
package final class ServerSocket: Sendable {
  private let file: OpenFile
  private let path: FilePath
  private let identity: FileIdentity?

  /// Makes the file with the mode 0600, in place of one that a server left that is gone.
  ///
  /// - Throws: `FileFault`: `EADDRINUSE` for a server that answers there, `EEXIST` for a file that is no socket.
  package init(_ path: FilePath) throws(FileFault) {
    func fault(_ call: String, _ number: Int32 = errno) -> FileFault {
      FileFault(call: call, number: number, path: path)
    }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let room = MemoryLayout.size(ofValue: address.sun_path) - 1
    guard (1...room).contains(path.bytes.count) else { throw fault("bind", ENAMETOOLONG) }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.bytes) }
    func withAddress(_ call: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
      withUnsafePointer(to: address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          call($0, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
      }
    }
    func make() throws(FileFault) -> OpenFile {
      let number = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
      guard number >= 0 else { throw fault("socket") }
      return OpenFile(number)
    }
    if somethingExists(at: path) {
      guard fileStatus(path).map({ $0.st_mode & S_IFMT == S_IFSOCK }) == true else { throw fault("bind", EEXIST) }
      let other = try make()
      let connected = withAddress { connect(other.descriptor, $0, $1) }
      guard connected != 0, errno == ECONNREFUSED else { throw fault("bind", connected == 0 ? EADDRINUSE : errno) }
      _ = path.withCString { unlink($0) }
    }
    let made = try make()
    (file, self.path) = (made, path)
    // The file has its mode from its first moment.
    let mask = umask(0o177)
    let bound = withAddress { bind(made.descriptor, $0, $1) }
    let number = errno
    umask(mask)
    guard bound == 0 else { throw fault("bind", number) }
    identity = FileIdentity(path)
    guard listen(made.descriptor, 64) == 0 else { throw fault("listen") }
  }

  /// Waits for a client; `nil` once the socket is closed.
  func accept() -> OpenFile? {
    while true {
      let number = Glibc.accept(file.descriptor, nil, nil)
      if number >= 0 {
        _ = fcntl(number, F_SETFD, FD_CLOEXEC)
        return OpenFile(number)
      }
      switch errno {
      case EINTR, ECONNABORTED: continue
      case EMFILE, ENFILE, ENOBUFS, ENOMEM: usleep(100_000)
      default: return nil
      }
    }
  }

  /// Takes no more clients, and removes the file unless another server has made its own there.
  func close() {
    shutdown(file.descriptor, Int32(SHUT_RDWR))
    if let identity, FileIdentity(path) == identity { _ = path.withCString { unlink($0) } }
  }
}
