import HDRRender

/// Versions of the packages that codec libraries come from: a fixed library often reports the same version as before.
package struct PackageVersions: Sendable {
  /// Versions by the names of packages.
  private let versions: [String: String]

  /// The versions of a bundle, or of Debian's list.
  static let current: PackageVersions = {
    let components = OwnProgram.current.folder.parent.appending("COMPONENTS")
    if let text = text(components) { return PackageVersions(components: text) }
    return PackageVersions(dpkgStatus: text(FilePath("/var/lib/dpkg/status")) ?? "")
  }()

  private static func text(_ path: FilePath) -> String? {
    (try? readFile(path, maxBytes: 64 << 20)).map { String(decoding: $0, as: UTF8.self) }
  }

  /// - Parameter text: lines of file, package, version, source package and licence.
  package init(components text: String) {
    versions = text.split(separator: "\n").reduce(into: [:]) { versions, line in
      let words = line.split(separator: " ")
      if words.count == 5, words[0] != "#" { versions[String(words[1])] = String(words[2]) }
    }
  }

  /// - Parameter text: /var/lib/dpkg/status (deb-control(5)).
  package init(dpkgStatus text: String) {
    var versions: [String: String] = [:], package = "", isInstalled = false
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("Package: ") { (package, isInstalled) = (String(line.dropFirst(9)), false) }
      if line.hasPrefix("Status: ") { isInstalled = line.hasSuffix(" installed") }
      if line.hasPrefix("Version: "), isInstalled { versions[package] = String(line.dropFirst(9)) }
    }
    self.versions = versions
  }

  /// The beginnings of packages' names, by the names of libraries; the rest is a version of the interface.
  private static let stems = [
    "libavcodec": "libavcodec", "libde265": "libde265-", "dav1d": "libdav1d", "libaom": "libaom",
    "libjpeg-turbo": "libturbojpeg", "libpng": "libpng16-", "ISA-L": "libisal", "libdeflate": "libdeflate",
    "OpenEXR": "libopenexr-", "libheif": "libheif", "LibRaw": "libraw", "libtiff": "libtiff", "libjxl": "libjxl",
    "Little CMS": "liblcms2-", "libjxr": "libjxr", "libwebp": "libwebp", "libzstd": "libzstd",
    "OpenJPEG": "libopenjp2-",
  ]

  /// The libraries that may be of our own building beside the package's, under the version numbers of the package.
  private static let built: Set = ["LibRaw", "libjxl"]

  /// The version of the package that a loaded library comes from; `nil` where none is known, or the library is a build of
  /// another version.
  ///
  /// - Parameters:
  ///   - library: as `codecLibraries` names it.
  ///   - version: what the library says of itself, such as "0.20.2-Release".
  package subscript(library: String, version: String?) -> String? {
    let number = (version ?? "").prefix { $0.isNumber || $0 == "." }
    return self[library].flatMap { Self.built.contains(library) && !$0.hasPrefix(number) ? nil : $0 }
  }

  /// The version of the package that a library comes from; `nil` where none is known.
  ///
  /// - Parameter library: as `codecLibraries` names it.
  package subscript(library: String) -> String? {
    guard let stem = Self.stems[library] else { return nil }
    let found = versions.filter { name, _ in
      name.hasPrefix(stem)
        && name.dropFirst(stem.count).replacing("t64", with: "").allSatisfy { $0.isNumber || ".-".contains($0) }
    }
    return found.max { $0.key < $1.key }?.value
  }
}
