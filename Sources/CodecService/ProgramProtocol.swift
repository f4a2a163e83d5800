/// The conventions of a supervisor and a codec process that becomes a program of others, such as ffmpeg.
package enum ProgramProtocol {
  /// The first argument of such a process.
  package static let role = "exec"
  /// The descriptor numbers of the files that the program may open again, as `/dev/fd/N`: for reading, and for reading and
  /// writing. 0 to 2 are its standard ones.
  package static let input: Int32 = 3
  package static let output: Int32 = 4
  /// The exit codes of a process that has not become the program: it could not be locked in, or the program not started.
  package static let isNotLocked: Int32 = 71
  package static let isNotStarted: Int32 = 72
}
