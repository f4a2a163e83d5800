/// A frame of a numbered sequence.
package struct SequenceFrame: Sendable, Hashable {
  package var number: Int
  /// The number of the sequence's first frame, where time starts.
  package var first: Int
  /// The number in its form in file names.
  package var text: String
  /// The earlier frame's file that replaces this one's, because it is missing.
  package var held: FilePath?

  package init(number: Int, first: Int, text: String? = nil, held: FilePath? = nil) {
    self.number = number
    self.first = first
    self.text = text ?? "\(number)"
    self.held = held
  }
}
