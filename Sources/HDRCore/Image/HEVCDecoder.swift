/// The library that decodes HEVC. The standard defines every sample (H.265 clause 8), so the choice changes time only.
public enum HEVCDecoder: String, Sendable, Hashable, CaseIterable {
  /// libavcodec if it is installed and supports the stream, else libde265.
  case automatic = "auto"
  case libavcodec
  case libde265
}
