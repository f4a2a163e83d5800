/// The libraries that are opened at run time. Opening takes milliseconds (docs/isolation.md#cost), so a codec process
/// opens only those that its files may need, before it locks itself in.
package struct RunTimeLibraries: OptionSet, Sendable, Hashable {
  package let rawValue: Int

  package init(rawValue: Int) { self.rawValue = rawValue }

  package static let openEXR = RunTimeLibraries(rawValue: 1)
  package static let tiff = RunTimeLibraries(rawValue: 2)
  package static let jxl = RunTimeLibraries(rawValue: 4)
  package static let raw = RunTimeLibraries(rawValue: 8)
  /// Reading and writing HEVC: libavcodec, libde265, libheif.
  package static let hevc = RunTimeLibraries(rawValue: 16)
  package static let jxr = RunTimeLibraries(rawValue: 32)
  package static let webP = RunTimeLibraries(rawValue: 64)
  package static let openJPEG = RunTimeLibraries(rawValue: 128)
  package static let all: RunTimeLibraries = [.openEXR, .tiff, .jxl, .raw, .hevc, .jxr, .webP, .openJPEG]
  /// Those that damaged files make write outside their memory: their process reads no other input after such a file.
  package static let fragile: RunTimeLibraries = [.jxr]
}
