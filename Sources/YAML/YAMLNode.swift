/// A node is a value of a YAML file with its place. YAML includes JSON.
package struct YAMLNode: Sendable {
  package indirect enum Content: Sendable {
    /// A text; plain if it has no quotes in the file.
    case scalar(String, isPlain: Bool)
    case list([YAMLNode])
    /// Pairs with text as keys, in the order of the file; each key is unique.
    case map([(key: YAMLNode, value: YAMLNode)])
  }
  package var content: Content
  /// The tag, as `View` of `!<View>`; `nil` where there is none.
  package var tag: String?
  package var place: YAMLPlace

  package init(content: Content, tag: String? = nil, place: YAMLPlace) {
    (self.content, self.tag, self.place) = (content, tag, place)
  }
}

/// A place says where a node stands in its file, for messages. Lines and columns count from 1.
package struct YAMLPlace: Sendable, Hashable {
  package var file: String
  package var line: Int
  package var column: Int

  package init(file: String, line: Int, column: Int) { (self.file, self.line, self.column) = (file, line, column) }
}

/// An error that says why a text is not taken as YAML, and where; without a place for the whole file.
package struct YAMLError: Error, Sendable {
  package var file: String
  package var place: YAMLPlace?
  package var reason: String
}

extension YAMLNode {
  package var text: String? { if case .scalar(let text, _) = content { text } else { nil } }

  /// True if a plain scalar is empty, `~` or `null`.
  package var isNull: Bool {
    if case .scalar(let text, true) = content { ["", "~", "null"].contains(text) } else { false }
  }
}
