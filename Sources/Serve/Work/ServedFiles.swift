import CPlatform
import CodecService
import Glibc
import HDRRender
import PlainData

/// The files that requests may name.
package struct ServedFiles: Sendable {
  /// The folder that nothing leaves; `nil`: all that the user of the server may read and write.
  package let root: FilePath?
  private let maxBytes: Int

  /// - Parameters:
  ///   - root: an absolute path without links, the working folder of the server.
  ///   - maxBytes: the most bytes of a file.
  package init(root: FilePath?, maxBytes: Int) { (self.root, self.maxBytes) = (root, maxBytes) }

  /// A file of a request that can be opened.
  struct Input {
    var reference: InputReference
    /// The name in messages and records.
    var name: FilePath
    /// The open file that keeps the reference valid; `nil` for a path.
    var file: OpenFile?
  }

  /// Returns a file that a request names.
  ///
  /// - Throws: `RequestFault`.
  func input(_ file: Request.File, of job: Job) throws(RequestFault) -> Input {
    switch file {
    case .path(let text):
      let path = FilePath(text)
      guard let root else { return Input(reference: InputReference(path), name: path) }
      let relative = try self.relative(path)
      let place = root.appending(relative.bytes)
      return Input(reference: InputReference(path: place, relative: relative, roots: [root]), name: path)
    case .descriptor(let index, let name):
      let file = try readable(job.files[index])
      let path = FilePath("/proc/self/fd/\(file.descriptor)")
      return Input(
        reference: InputReference(path: path, relative: FilePath(name)), name: FilePath(name), file: file)
    }
  }

  /// Returns the place of an output, with the path below the folder that it stays in.
  ///
  /// - Throws: `RequestFault`.
  func output(_ text: String) throws(RequestFault) -> (path: FilePath, relative: FilePath) {
    let path = FilePath(text)
    guard let last = path.name.last, path.bytes.last != UInt8(ascii: "/"),
      path.name != [last] || last != UInt8(ascii: ".")
    else { throw RequestFault("request.key", "output: path names a file") }
    guard let root else { return (path, FilePath(bytes: path.name)) }
    let relative = try self.relative(path)
    return (root.appending(relative.bytes), relative)
  }

  /// Returns the path below the root of one that lies there by its words. Links are looked at where it is opened.
  private func relative(_ path: FilePath) throws(RequestFault) -> FilePath {
    guard let root else { return path }
    var rest = path.bytes[...]
    if path.isAbsolute {
      let above = root.bytes.last == UInt8(ascii: "/") ? root.bytes : root.bytes + [UInt8(ascii: "/")]
      guard rest.starts(with: above) else { throw Self.outside(path) }
      rest = rest.dropFirst(above.count)
    }
    let parts = rest.split(separator: UInt8(ascii: "/")).filter { $0 != [UInt8(ascii: ".")] }
    guard !parts.isEmpty, !parts.contains(Array("..".utf8)[...]) else { throw Self.outside(path) }
    return FilePath(bytes: Array(parts.joined(separator: [UInt8(ascii: "/")])))
  }

  /// Throws `RequestFault` for a file that options or recipes name and that leads out of the root.
  package func check(_ text: String) throws(RequestFault) {
    guard let root, !text.hasPrefix("builtin:") else { return }
    _ = try relative(FilePath(text))
    // A file that is not there is reported where it is read.
    guard let real = realpath(text, nil) else { return }
    defer { free(real) }
    let place = FilePath(String(cString: real))
    guard place.bytes.starts(with: root.bytes + [UInt8(ascii: "/")]) else { throw Self.outside(FilePath(text)) }
  }

  private static func outside(_ path: FilePath) -> RequestFault {
    RequestFault("request.root", "\(path.display) is not below the folder that is served")
  }

  /// Returns a regular file that can be opened again, so that its offset is nobody's: a copy where the system does not
  /// let this user open what another has opened for him.
  private func readable(_ file: OpenFile) throws(RequestFault) -> OpenFile {
    var status = stat()
    guard fstat(file.descriptor, &status) == 0, status.isRegularFile else {
      throw RequestFault("request.fds", "a descriptor is of a regular file or of memory")
    }
    if access("/proc/self/fd/\(file.descriptor)", R_OK) == 0 { return file }
    guard status.st_size <= maxBytes else {
      throw RequestFault(
        "decode.limit", "the file is larger than the limit of \(maxBytes) bytes", kind: "source", exit: .failedItems)
    }
    let copy = hdr_plain_memory("hdrbatch input", 0)
    guard copy >= 0 else { throw RequestFault("io.read", errorText(errno), kind: "input", exit: .failedItems) }
    let memory = OpenFile(copy)
    do throws(CodecError) {
      try CodecJobs.writeAll(
        try CodecJobs.read(file.descriptor, byteCount: Int(status.st_size)), copy, isSidecar: false)
    } catch {
      throw RequestFault(HDRError(error))
    }
    return memory
  }
}
