import HDRCore

extension CodecProtocol {
  /// The settings that messages of a codec process may name. Any other name is plain text, so that a hostile process
  /// can make no option of it.
  package static let settings: Set<String> = [
    "cicp", "exr-emission", "from", "from-space", "hdr-exposure", "image", "input-range", "jxr-alpha",
    "max-file-bytes", "max-pixels", "max-side", "max-worker-memory", "range", "to-space",
  ]
  /// Stands before and behind the name of a setting in a message; no text of a message has it.
  fileprivate static let settingMark: Character = "\u{1F}"
}

extension Message: WireValue {
  package func write(to wire: inout WireWriter) {
    let mark = CodecProtocol.settingMark
    wire.put(
      parts.map {
        switch $0 {
        case .text(let text): text.split(separator: mark, omittingEmptySubsequences: false).joined(separator: "\\x1f")
        case .setting(let name): "\(mark)\(name)\(mark)"
        }
      }.joined())
  }

  package init(from wire: inout WireReader) throws(WireError) {
    let pieces = try wire.take(String.self)
      .split(separator: CodecProtocol.settingMark, omittingEmptySubsequences: false).map(String.init)
    self.init(
      pieces.enumerated().map { index, piece in
        // The last piece is text even where a cut has left a mark without its second.
        let isName = index % 2 == 1 && index < pieces.count - 1
        return isName && CodecProtocol.settings.contains(piece) ? .setting(piece) : .text(piece)
      })
  }
}
