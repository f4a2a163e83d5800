import BatchEngine
import CodecService
import Foundation
import HDRCore
import HDRRender
import ImageFiles
import Testing

/// The codec program, as built beside the tests.
enum CodecProgram {
  static let url: URL? = {
    guard let url = Program.url?.deletingLastPathComponent().appendingPathComponent("hdrbatch-codec") else {
      return nil
    }
    return FileManager.default.isExecutableFile(atPath: url.path) ? url : nil
  }()

  static func codecs(
    _ isolation: Isolation = .sandbox, limits: DecodeLimits = DecodeLimits(),
    _ change: (inout IsolationOptions) -> Void = { _ in }
  ) throws -> IsolatedCodecs {
    var options = IsolationOptions(isolation)
    options.isTesting = true
    change(&options)
    return try IsolatedCodecs(options, limits: limits)
  }

  /// An input that tells a testing process what to do.
  static func order(_ words: String) -> String { "hdrbatch-codec test: " + words + "\n" }
}

extension IsolatedCodecs {
  /// What comes of an input with these bytes.
  func outcome(_ bytes: [UInt8], in folder: TemporaryFolder, request: DecodeRequest = .pixels) throws -> Result<
    SourceImage, CodecError
  > {
    let path = folder.path("input-\(UUID().uuidString)")
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    let file = try InputFile(FilePath(path), maxBytes: Int.max)
    do throws(CodecError) {
      return .success(try decode(file, request: request, limits: DecodeLimits()).value)
    } catch {
      return .failure(error)
    }
  }

  /// The error that an order to misbehave ends in.
  func misbehaving(_ words: String, in folder: TemporaryFolder) throws -> CodecError? {
    guard case .failure(let error) = try outcome(Array(CodecProgram.order(words).utf8), in: folder) else { return nil }
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
    case .decode(let error): "\(error)"
    case .encode(let error): "\(error)"
    case .read(let number), .write(let number, _): "\(number)"
    case .lost(_, let message, _): message
    }
  }
}
