/// A library that this build reads or writes pictures with.
package struct CodecLibrary: Sendable, Hashable {
  package var name: String
  /// The version string of the loaded library; `nil` if it has none.
  package var version: String?
  package var role: String
}

/// A library as the folder that calls it states it; `libraryRows` lists all.
package struct LibraryRow: Sendable {
  package let name: String
  /// The set that opens it at run time; empty for a library that is linked.
  package let opened: RunTimeLibraries
  /// Returns its version and what it is used for, or why it is not there. A library that is opened at run time is
  /// opened by the first call.
  package let state: @Sendable () -> (version: String?, role: String)

  package init(
    _ name: String, opened: RunTimeLibraries = [], state: @escaping @Sendable () -> (version: String?, role: String)
  ) {
    (self.name, self.opened, self.state) = (name, opened, state)
  }

  package var library: CodecLibrary {
    let (version, role) = state()
    return CodecLibrary(name: name, version: version, role: role)
  }
}
