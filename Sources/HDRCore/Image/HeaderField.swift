/// A field of a file's header that the picture itself does not show, in words, for reports.
package struct HeaderField: Sendable, Hashable {
  package var name: String
  package var text: String

  /// The most fields of a file that are reported.
  package static let most = 64

  package init(_ name: String, _ text: String) {
    self.name = name
    self.text = text
  }
}
