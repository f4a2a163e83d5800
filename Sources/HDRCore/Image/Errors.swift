/// Why a file could not be read. Each case has a stable short code for records.
public enum DecodeError: Error, Sendable, Equatable {
  /// The bytes contradict their format. `where` is the box, chunk, marker or field.
  case malformed(where: String, what: String)
  /// The file ends too early.
  case truncated(where: String)
  /// A well-formed file that needs something this build does not support.
  case unsupported(feature: String, found: String)
  /// A number from the file passes a limit; the setting that raises it is named, empty for a fixed limit.
  case limit(what: String, found: Int, allowed: Int, setting: String)
  /// A codec library refused; `code` is the library's own.
  case library(name: String, code: Int, message: String)
  /// The file could not be read at all.
  case io(String)

  public var code: String {
    switch self {
    case .malformed: "decode.malformed"
    case .truncated: "decode.truncated"
    case .unsupported: "decode.unsupported"
    case .limit: "decode.limit"
    case .library: "decode.library"
    case .io: "io.read"
    }
  }
}

extension DecodeError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .malformed(let place, let what): "\(place): \(what)"
    case .truncated(let place): "\(place): the file ends too early; copy it again from its source"
    case .unsupported(let feature, let found): "\(feature) is not supported (found \(found))"
    case .limit(let what, let found, let allowed, let setting):
      "\(what) is \(found), more than the limit of \(allowed)" + (setting.isEmpty ? "" : "; raise \(setting)")
    case .library(let name, let code, let message): "\(name) refused the data: \(message) (code \(code))"
    case .io(let message): message
    }
  }
}

/// Why an output could not be made.
public enum EncodeError: Error, Sendable, Equatable {
  case unsupported(feature: String, found: String)
  case library(name: String, code: Int, message: String)
  /// The written bytes, read again, differ from what was to be written.
  case verification(String)
  case io(String)

  public var code: String {
    switch self {
    case .unsupported: "encode.unsupported"
    case .library: "encode.library"
    case .verification: "encode.verification"
    case .io: "io.write"
    }
  }
}

extension EncodeError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .unsupported(let feature, let found): "\(feature) is not supported (asked for \(found))"
    case .library(let name, let code, let message): "\(name) failed: \(message) (code \(code))"
    case .verification(let what): "the written file does not read back as it should: \(what)"
    case .io(let message): message
    }
  }
}

/// Which library decodes HEVC. The standard defines every sample (H.265 clause 8), so the choice changes time only.
public enum HEVCDecoder: String, Sendable, Hashable, CaseIterable {
  /// libavcodec if it is installed and supports the stream, else libde265.
  case automatic = "auto"
  case libavcodec
  case libde265
}

/// Bounds on what a file may ask for (docs/isolation.md#limits), and which library decodes it.
public struct DecodeLimits: Sendable, Hashable {
  /// Pixels of one picture; also the bound for the sum of grid tiles.
  public var maxPixels: Int
  public var maxSide: Int
  public var maxFileBytes: Int
  public var maxICCBytes: Int
  public var maxMetadataBytes: Int
  public var hevcDecoder: HEVCDecoder

  public init(
    maxPixels: Int = 1 << 28, maxSide: Int = 65_535, maxFileBytes: Int = 1 << 32, maxICCBytes: Int = 4 << 20,
    maxMetadataBytes: Int = 64 << 20, hevcDecoder: HEVCDecoder = .automatic
  ) {
    self.maxPixels = maxPixels
    self.maxSide = maxSide
    self.maxFileBytes = maxFileBytes
    self.maxICCBytes = maxICCBytes
    self.maxMetadataBytes = maxMetadataBytes
    self.hevcDecoder = hevcDecoder
  }
}
