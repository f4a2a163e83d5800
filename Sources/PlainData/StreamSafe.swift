/// Returns true if a text from a file may be hashed and split: no more than 30 combining marks in a row, as in the
/// Stream-Safe Text Format (UAX #15 clause 13).
///
/// Swift sorts the marks of a run before it hashes a string, in a time that grows with the square of their number: 64
/// KiB took 0.6 s, 256 KiB 10 s (measured).
package func isStreamSafe(_ text: some Sequence<Unicode.Scalar>) -> Bool {
  var run = 0
  for scalar in text {
    // No combining marks exist below U+0300.
    let isMark = scalar.value >= 0x300 && scalar.properties.canonicalCombiningClass != .notReordered
    run = isMark ? run + 1 : 0
    if run > 30 { return false }
  }
  return true
}

/// Checks UTF-8 bytes as `isStreamSafe(_:)` checks text.
package func isStreamSafe(utf8 bytes: some Collection<UInt8>) -> Bool {
  // U+0300 is CC 80. Contiguous bytes are searched directly: other modules call this unspecialised, and a generic
  // collection costs a tenth of the time of a small file.
  let mayHaveMarks =
    bytes.withContiguousStorageIfAvailable { $0.contains { $0 >= 0xCC } } ?? bytes.contains { $0 >= 0xCC }
  guard mayHaveMarks else { return true }
  return isStreamSafe(String(decoding: bytes, as: UTF8.self).unicodeScalars)
}

/// Returns the text with a mark that ends the run (U+034F, which is invisible) after every 30 combining marks, as in
/// the Stream-Safe Text Process (UAX #15 clause 13).
package func streamSafe(_ text: String) -> String {
  var result = "", run = 0
  for scalar in text.unicodeScalars {
    let isMark = scalar.value >= 0x300 && scalar.properties.canonicalCombiningClass != .notReordered
    if isMark && run == 30 {
      result.unicodeScalars.append("\u{34F}")
      run = 0
    }
    run = isMark ? run + 1 : 0
    result.unicodeScalars.append(scalar)
  }
  return result
}
