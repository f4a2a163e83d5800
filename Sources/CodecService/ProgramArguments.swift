import CPlatform

/// The arguments of this program, its name first.
package let programArguments: [String] = {
  var words: [String] = []
  while let word = hdr_argument(Int32(words.count)) { words.append(String(cString: word)) }
  return words
}()
