import CPlatform
import Glibc

/// The running program: its place, and the way to start another one beside it.
package struct OwnProgram: Sendable {
  package let file: FilePath
  /// The dynamic linker that started it, if it is the bundle's: `lib/glibc/`, for systems with an older C library.
  package let linker: FilePath?

  package static let current = OwnProgram(started: linkTarget("/proc/self/exe") ?? executedFile() ?? FilePath(""))

  /// Finds the program by the file that the kernel started: the program, or a bundle's dynamic linker
  /// `ROOT/lib/glibc/ld-linux*`, which loaded `ROOT/libexec/hdrbatch`.
  package init(started: FilePath) {
    let folder = started.parent
    let isLinker = started.name.starts(with: "ld-linux".utf8) && folder.name == Array("glibc".utf8)
    linker = isLinker ? started : nil
    file = isLinker ? folder.parent.parent.appending("libexec").appending("hdrbatch") : started
  }

  package var folder: FilePath { file.parent }

  /// Returns the command that starts a program of the bundle in the way this one was started.
  ///
  /// - Parameters:
  ///   - arguments: the first one is the program's name for itself.
  ///   - libraryPath: `LD_LIBRARY_PATH`; a linker that is given a path does not read it.
  /// - Returns: the file to start, and its arguments.
  package func command(
    _ program: FilePath, _ arguments: [String], libraryPath: String? = Environment.value("LD_LIBRARY_PATH")
  ) -> (file: FilePath, arguments: [String]) {
    guard let linker else { return (program, arguments) }
    func text(_ path: FilePath) -> String { path.text ?? path.display }
    let libraries = [text(linker.parent), libraryPath ?? ""].filter { !$0.isEmpty }.joined(separator: ":")
    let name = arguments.first ?? text(program)
    let leading = [text(linker), "--library-path", libraries, "--argv0", name, text(program)]
    return (linker, leading + arguments.dropFirst())
  }
}

private func linkTarget(_ link: String) -> FilePath? {
  let bytes = [UInt8](unsafeUninitializedCapacity: 4096) { buffer, count in
    count = max(
      0, readlink(link, UnsafeMutableRawPointer(buffer.baseAddress!).assumingMemoryBound(to: CChar.self), 4096))
  }
  return bytes.isEmpty ? nil : FilePath(bytes: bytes)
}

/// Returns the file that execve(2) got, for systems without /proc.
private func executedFile() -> FilePath? {
  guard let told = hdr_executed_file(), let path = realpath(told, nil) else { return nil }
  defer { free(path) }
  return FilePath(bytes: (0..<strlen(path)).map { UInt8(bitPattern: path[$0]) })
}
