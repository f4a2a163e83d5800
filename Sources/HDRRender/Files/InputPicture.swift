/// One of the pictures of a file that holds several.
package struct InputPicture: Sendable, Hashable {
  /// From 1, as `SourceImage.pictures` counts them.
  package var number: Int
  /// What stands for it in names of outputs.
  package var text: String

  package init(number: Int, text: String? = nil) {
    self.number = number
    self.text = text ?? "\(number)"
  }
}
