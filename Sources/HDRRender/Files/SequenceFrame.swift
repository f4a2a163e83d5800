/// A frame of a numbered sequence.
package struct SequenceFrame: Sendable, Hashable {
  package var number: Int
  /// Number of the sequence's first frame: time counts from there.
  package var first: Int
  /// The number as names have it.
  package var text: String
  /// The file of an earlier frame, which stands for this one because its own is missing.
  package var held: FilePath?

  package init(number: Int, first: Int, text: String? = nil, held: FilePath? = nil) {
    self.number = number
    self.first = first
    self.text = text ?? "\(number)"
    self.held = held
  }
}
