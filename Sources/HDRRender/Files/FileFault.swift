import CodecService
import Glibc
import HDRCore
import HDRRecipe

/// The identity of a file: two paths to the same file have the same one.
package struct FileIdentity: Sendable, Hashable {
  package var device: UInt
  var inode: UInt

  package init(_ status: stat) {
    device = UInt(status.st_dev)
    inode = UInt(status.st_ino)
  }

  /// Follows links; `nil` if nothing exists there.
  package init?(_ path: FilePath) {
    guard let status = fileStatus(path) else { return nil }
    self.init(status)
  }
}

/// Calls `stat(2)`, which follows links.
package func fileStatus(_ path: FilePath) -> stat? {
  var status = stat()
  let result: Int32 = path.withCString { stat($0, &status) }
  return result == 0 ? status : nil
}

/// Returns true if anything exists at the path, even a dangling link.
package func somethingExists(at path: FilePath) -> Bool {
  var status = stat()
  return path.withCString { lstat($0, &status) } == 0
}

extension stat {
  package var isFolder: Bool { st_mode & S_IFMT == S_IFDIR }
  package var isRegularFile: Bool { st_mode & S_IFMT == S_IFREG }
}

/// Returns the text of an error number, e.g. "No space left on device".
package func errorText(_ number: Int32) -> String {
  var buffer = [CChar](repeating: 0, count: 256)
  guard strerror_r(number, &buffer, buffer.count) == 0 else { return "error \(number)" }
  return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
}

/// A failed file call: the number decides if the next item would fail too.
package struct FileFault: Error, Sendable, Equatable, HasMessage {
  package var call: String
  package var number: Int32
  package var path: FilePath

  package init(call: String, number: Int32, path: FilePath) {
    self.call = call
    self.number = number
    self.path = path
  }

  package var message: Message { text(placedBy: " (\(setting: "out"))") }

  /// The message for a file that another option than `out` places, as a report.
  package var messageOfReport: Message { text(placedBy: "") }

  private func text(placedBy option: Message) -> Message {
    let advice: Message =
      switch number {
      case ENOSPC, EDQUOT: "; free space there or choose another place\(option)"
      case EACCES, EPERM, EROFS: "; choose a place that this user may write\(option)"
      default: ""
      }
    return "\(call) of \(path.display) failed: \(errorText(number))\(advice)"
  }

  /// True for a full disk, quota, a read-only or dead file system, a stale mount.
  var concernsAllFiles: Bool { [ENOSPC, EDQUOT, EROFS, EIO, ESTALE, ENOTCONN, ENODEV].contains(number) }
}

/// Reads a complete regular file.
///
/// It is opened without blocking, so that a FIFO in place of the file cannot block the batch.
/// - Throws: `.limit` for files larger than `maxBytes` (no setting raises it), `.io` for everything else.
package func readFile(_ path: FilePath, maxBytes: Int) throws(DecodeError) -> [UInt8] {
  do throws(FileFault) {
    return try readWholeFile(path, maxBytes: maxBytes)
  } catch {
    if error.number == EFBIG {
      throw .limit(
        what: "file size", found: fileStatus(path).map { Int($0.st_size) } ?? 0, allowed: maxBytes)
    }
    throw .io("cannot be read: \(errorText(error.number))")
  }
}

package func readWholeFile(_ path: FilePath, maxBytes: Int) throws(FileFault) -> [UInt8] {
  try readWholeFile(InputReference(path), maxBytes: maxBytes)
}

/// Reads an input completely; its links may not lead out of its folders.
func readWholeFile(_ item: InputReference, maxBytes: Int) throws(FileFault) -> [UInt8] {
  try readWholeFile(try InputFile(item, maxBytes: maxBytes))
}

package func readWholeFile(_ file: InputFile) throws(FileFault) -> [UInt8] {
  do throws(CodecError) {
    return try CodecJobs.read(file.descriptor, byteCount: file.byteCount)
  } catch {
    var number = EIO
    if case .read(let found) = error { number = found }
    throw FileFault(call: "read", number: number, path: file.path)
  }
}

/// Returns the names in a folder that the user named, without `.` and `..`, sorted by their bytes.
package func namesInFolder(_ path: FilePath) throws(FileFault) -> [[UInt8]] {
  let files = LinuxFileSystem()
  return try files.names(in: try files.folder(path))
}

/// Returns this machine's name.
///
/// - Parameter forFiles: true for only characters safe in a file name; a container's host name may be anything.
package func hostName(forFiles: Bool) -> String {
  var name = utsname()
  uname(&name)
  let text = withUnsafeBytes(of: &name.nodename) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  return forFiles ? String(text.filter { $0.isASCII && ($0.isLetter || $0.isNumber) }.prefix(24)) : text
}

/// Changes the working folder, the base of relative paths. Must be called before any thread starts.
///
/// - Returns: true if it succeeded.
package func changeFolder(to path: FilePath) -> Bool { path.withCString { chdir($0) } == 0 }

extension FilePath {
  /// Returns the working folder, the base of relative paths.
  ///
  /// - Throws: `UsageError` if it does not exist any more.
  package static func workingFolder() throws(UsageError) -> FilePath {
    guard let path = getcwd(nil, 0) else { throw UsageError("the working folder is gone: \(errorText(errno))") }
    defer { free(path) }
    return FilePath(bytes: (0..<strlen(path)).map { UInt8(bitPattern: path[$0]) })
  }

  /// The path, made absolute.
  package var absolute: FilePath {
    isAbsolute ? self : ((try? FilePath.workingFolder()) ?? FilePath(".")).appending(bytes)
  }
}
