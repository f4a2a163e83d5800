/// The libraries that are opened at run time. Opening takes milliseconds (docs/isolation.md#cost), so a codec process
/// opens only those that its files may need, before it locks itself in.
public struct RunTimeLibraries: OptionSet, Sendable, Hashable {
  public let rawValue: Int

  public init(rawValue: Int) { self.rawValue = rawValue }

  public static let openEXR = RunTimeLibraries(rawValue: 1)
  public static let tiff = RunTimeLibraries(rawValue: 2)
  public static let jxl = RunTimeLibraries(rawValue: 4)
  public static let raw = RunTimeLibraries(rawValue: 8)
  /// Reading and writing HEVC: libavcodec, libde265, libheif.
  public static let hevc = RunTimeLibraries(rawValue: 16)
  public static let all: RunTimeLibraries = [.openEXR, .tiff, .jxl, .raw, .hevc]
}
