import FileParts

/// The list of libraries, in the order in which `doctor` prints them.
private let libraryRows: [LibraryRow] = [
  .avcodec, .de265, .dav1d, .aom, .turboJPEG, .png, .isal, .deflate, .openEXR, .heif, .raw, .tiff, .jxl, .littleCMS,
  .jxr, .webP, .zstd, .openJPEG,
]

/// Returns the codec libraries in use, for `doctor` and records. Versions are read at run time: a machine may load
/// another version than the one at build time.
package func codecLibraries() -> [CodecLibrary] { libraryRows.map(\.library) }

extension RunTimeLibraries {
  /// Selects the libraries that reading files with this extension, in lower case, may need.
  package init(fileExtension: String) {
    self = imageDecoders.first { $0.extensions.contains(fileExtension) }?.libraries ?? []
  }

  /// Opens the libraries. That reads files and queries the machine, which a process cannot do once it is locked in.
  package func open() {
    for row in libraryRows where !isDisjoint(with: row.opened) { _ = row.state() }
  }
}
