import CPlatform

/// What this program was started with, its name first.
package let programArguments: [String] = {
  var words: [String] = []
  while let word = hdr_argument(Int32(words.count)) { words.append(String(cString: word)) }
  return words
}()
