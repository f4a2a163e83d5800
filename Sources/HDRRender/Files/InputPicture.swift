/// A picture of a file that holds several.
package struct InputPicture: Sendable, Hashable {
  /// The number from 1, as in `SourceImage.pictures`.
  package var number: Int
  /// The text for the picture in names of outputs.
  package var text: String

  package init(number: Int, text: String? = nil) {
    self.number = number
    self.text = text ?? "\(number)"
  }
}
