/// A folder that is open: names in it mean the same whatever happens to its path.
package final class OpenFolder: Sendable {
  /// As it was opened, for messages.
  package let path: FilePath
  package let file: OpenFile

  package init(_ descriptor: Int32, _ path: FilePath) {
    self.path = path
    file = OpenFile(descriptor)
  }

  package var descriptor: Int32 { file.descriptor }
}
