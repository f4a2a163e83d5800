/// An open folder: names in it keep their meaning if its path changes.
package final class OpenFolder: Sendable {
  /// The path by which it was opened, for messages.
  package let path: FilePath
  package let file: OpenFile

  package init(_ descriptor: Int32, _ path: FilePath) {
    self.path = path
    file = OpenFile(descriptor)
  }

  package var descriptor: Int32 { file.descriptor }
}
