import CodecService
import Glibc
import HDRCore
import HDRRender
import PlainData

/// The ffmpeg program that decodes and encodes: where it is, which it is, and what differs between its versions.
package struct FFmpeg: Sendable {
  package let path: FilePath
  /// Its own word for its version, such as "5.1.9-0+deb12u1".
  package let version: String
  /// The major and minor version of its libavcodec: versions of builds from a repository have no number.
  let library: (major: Int, minor: Int)
  package let digest: Digest
  package private(set) var isolation: IsolationOptions
  /// The graphics that decode the frames of clips.
  package var hardware = HardwareDecoder.none

  static let advice: Message =
    "apt-get install ffmpeg, or pip install imageio-ffmpeg and \(setting: "ffmpeg") PATH"

  /// Finds the program.
  ///
  /// - Parameter stated: its path; `nil`: that of HDRBATCH_FFMPEG, else the first `ffmpeg` of PATH.
  /// - Throws: `UnavailableError`, exit code 69.
  package init(_ stated: String?, _ isolation: IsolationOptions) throws(UnavailableError) {
    func missing(_ what: Message) -> UnavailableError { UnavailableError("\(what): \(Self.advice) [video.ffmpeg]") }
    guard let found = Self.find(stated) else {
      let place = stated ?? Environment.value("HDRBATCH_FFMPEG")
      throw missing(place.map { "\(printable($0)) is no program" } ?? "there is no ffmpeg in PATH")
    }
    path = found
    self.isolation = isolation
    let said: String, outcome: LockedProgram.Outcome
    do {
      let program = try LockedProgram(found, ["ffmpeg", "-hide_banner", "-version"], givesResults: true, isolation)
      said = String(decoding: try program.results?.readAll(atMost: 1 << 16) ?? [], as: UTF8.self)
      outcome = program.end(within: 10)
    } catch let error as HDRError {
      throw UnavailableError(error.message)
    } catch {
      throw missing("\(found.display) says nothing")
    }
    guard outcome.isSuccess, let version = Self.word(behind: "ffmpeg version ", in: said),
      let library = Self.library(said)
    else { throw missing("\(found.display) does not start locked in: \(printable(outcome.reason))") }
    (self.version, self.library) = (version, library)
    // Version 5.1, the first with -fps_mode.
    guard library.major > 59 || library.major == 59 && library.minor >= 37 else {
      throw missing("\(found.display) is version \(printable(version)), older than 5.1")
    }
    let file = OpenFile(found.withCString { open($0, O_RDONLY | O_CLOEXEC) })
    guard let digest = Digest(reading: file) else { throw missing("\(found.display) cannot be read") }
    self.digest = digest
  }

  /// Returns this program with another limit of its address space.
  func limited(_ bytes: Int?) -> FFmpeg {
    guard let bytes else { return self }
    var copy = self
    copy.isolation.limits.memoryBytes = bytes
    return copy
  }

  private static func find(_ stated: String?) -> FilePath? {
    func program(_ path: String) -> FilePath? {
      guard fileStatus(FilePath(path))?.isRegularFile == true, access(path, X_OK) == 0,
        let whole = realpath(path, nil)
      else { return nil }
      defer { free(whole) }
      return FilePath(String(cString: whole))
    }
    if let path = stated ?? Environment.value("HDRBATCH_FFMPEG") { return program(path) }
    return (Environment.value("PATH") ?? "").split(separator: ":").lazy.compactMap { program($0 + "/ffmpeg") }.first
  }

  private static func word(behind start: String, in text: String) -> String? {
    guard text.hasPrefix(start) else { return nil }
    return String(text.dropFirst(start.count).prefix { !$0.isWhitespace })
  }

  private static func library(_ text: String) -> (major: Int, minor: Int)? {
    guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix("libavcodec ") }) else { return nil }
    let numbers = line.dropFirst("libavcodec ".count).prefix { $0 != "/" }.split { !$0.isNumber }.compactMap { Int($0) }
    return numbers.count >= 2 ? (numbers[0], numbers[1]) : nil
  }

  // MARK: Words for its command line

  /// Formats that are no lists of other files.
  private static let formats = "mov,matroska,mpegts,mxf,hevc,obu,ivf,nut,avi,h264"

  /// The words before all others.
  static func start(_ level: String) -> [String] { ["ffmpeg", "-nostdin", "-hide_banner", "-v", level] }

  /// The words that name the input: the file of descriptor 3.
  static let input = input(of: ProgramProtocol.input)

  /// The words that take a stream of pictures, counted from 0. Pictures of covers do not count.
  static func pictures(_ number: Int = 0) -> [String] { ["-map", "0:V:\(number)"] }

  /// The words that name the file of a descriptor, opened again so that it can be searched.
  static func input(of descriptor: Int32) -> [String] {
    ["-protocol_whitelist", "file,pipe", "-format_whitelist", formats, "-i", "/dev/fd/\(descriptor)"]
  }

  /// The file of descriptor 4, as an output.
  static let output = "/dev/fd/\(ProgramProtocol.output)"

  /// The words that give frames as they are stored. From 7.1 on FFmpeg cuts what the container says, to even sides.
  var keepsShape: [String] {
    let cuts = library.major > 61 || library.major == 61 && library.minor >= 19
    return ["-noautorotate"] + (cuts ? ["-apply_cropping", "codec"] : [])
  }

  /// The words that keep every frame with its time: in the clock of the file, none left out or shown twice, none scaled to
  /// the size of the first.
  var keepsTimes: [String] {
    ["-noautoscale", "-fps_mode", "passthrough", "-enc_time_base", library.major >= 61 ? "demux" : "-1"]
  }
}
