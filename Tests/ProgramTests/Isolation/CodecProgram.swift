import BatchEngine
import CodecService
import Foundation
import HDRCore
import HDRRender
import ImageFiles
import TestSupport
import Testing

/// The codec program, as built beside the tests.
enum CodecProgram {
  static let url = Program.beside("hdrbatch-codec")

  static func codecs(
    _ isolation: Isolation = .sandbox, limits: DecodeLimits = DecodeLimits(),
    _ change: (inout IsolationOptions) -> Void = { _ in }
  ) throws -> IsolatedCodecs {
    var options = IsolationOptions(isolation)
    change(&options)
    return try IsolatedCodecs(options, limits: limits)
  }
}

/// The codec program that does what inputs order (Tests/HostileCodec).
enum HostileCodec {
  static let url = Program.beside("HostileCodec")
  static var path: FilePath? { url.map { FilePath($0.path) } }
  /// The variable of hdrbatch's environment that names the codec program.
  static var environment: [String: String] { ["HDRBATCH_CODEC": url?.path ?? ""] }

  static func codecs(
    _ isolation: Isolation = .sandbox, _ change: (inout IsolationOptions) -> Void = { _ in }
  ) throws -> IsolatedCodecs {
    try CodecProgram.codecs(isolation) {
      $0.program = path
      change(&$0)
    }
  }

  /// An input that orders a misdeed, and begins like a HEIC file.
  static func order(_ words: String) -> String { "\0\0\0\u{10}ftypheic\0\0\0\0HostileCodec does: " + words + "\n" }

  /// A program with a misdeed of the whole process; the first processes that are started have none, nor those after
  /// some with it.
  static func program(
    _ misdeed: String, after sound: Int = 0, times: Int = 1 << 20, in folder: TemporaryFolder
  ) throws -> FilePath {
    let program = url?.path ?? ""
    return try script(
      """
      process=0
      while ! mkdir "$0.$process" 2>/dev/null; do process=$((process + 1)); done
      [ $process -lt \(sound) ] || [ $process -ge \(sound + times) ] && exec "\(program)" "$@"
      exec "\(program)" --misdeed=\(misdeed) "$@"
      """, in: folder)
  }

  /// A program of shell commands.
  static func script(_ text: String, in folder: TemporaryFolder) throws -> FilePath {
    let name = folder.path("hostile-\(UUID().uuidString)")
    try Data("#!/bin/sh\n\(text)\n".utf8).write(to: URL(fileURLWithPath: name))
    try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: name)
    return FilePath(name)
  }
}

extension IsolatedCodecs {
  /// Returns the result of decoding an input with these bytes.
  func outcome(
    _ bytes: [UInt8], in folder: TemporaryFolder, request: DecodeRequest = .pixels,
    limits: DecodeLimits = DecodeLimits()
  ) throws -> Result<SourceImage, CodecError> {
    let path = folder.path("input-\(UUID().uuidString)")
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    let file = try InputFile(FilePath(path), maxBytes: Int.max)
    do throws(CodecError) {
      return .success(try decode(file, request: request, limits: limits).value)
    } catch {
      return .failure(error)
    }
  }

  /// The error that an order ends in.
  func misbehaving(
    _ words: String, in folder: TemporaryFolder, limits: DecodeLimits = DecodeLimits()
  ) throws -> CodecError? {
    let order = Array(HostileCodec.order(words).utf8)
    guard case .failure(let error) = try outcome(order, in: folder, limits: limits) else { return nil }
    return error
  }
}

extension CodecError {
  var code: String {
    switch self {
    case .decode(let error): error.code
    case .encode(let error): error.code
    case .read: "io.read"
    case .write: "io.write"
    case .lost(let code, _, _): code
    }
  }
  var message: String {
    switch self {
    case .decode(let error): error.message.text(dashes: true)
    case .encode(let error): "\(error)"
    case .read(let number), .write(let number, _): "\(number)"
    case .lost(_, let message, _): message.text(dashes: true)
    }
  }
}
