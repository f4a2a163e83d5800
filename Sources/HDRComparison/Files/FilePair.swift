import CodecService
import HDRCore
import HDRRecipe
import HDRRender

/// Two files that are compared, or one without a partner.
package struct FilePair: Sendable {
  package var a: InputReference?
  package var b: InputReference?
  /// The digests of both files, if they are known before the files are read.
  package var digests: (a: Digest, b: Digest)?
  /// The reason why a file has no partner; `nil`: the other side has none of its name.
  package var missing: Message?
  /// The number in front of the names of what is drawn; `nil` where names of files differ.
  package var number: Int?

  package init(_ a: InputReference?, _ b: InputReference?) { (self.a, self.b) = (a, b) }

  /// The digest of two files that are known to have the same bytes.
  package var sharedDigest: Digest? { digests.flatMap { $0.a == $0.b ? $0.a : nil } }

  /// The path of what is drawn of the pair, below the folder for it: never one above.
  package var drawingName: [UInt8] {
    guard let file = b ?? a else { return [] }
    let slash = UInt8(ascii: "/"), up = Array("..".utf8)
    if let number { return Array("\(number)-".utf8) + file.path.name }
    let parts = file.relative.bytes.split(separator: slash).map { $0.elementsEqual(up) ? Array("up".utf8)[...] : $0 }
    return Array(parts.joined(separator: [slash]))
  }
}

extension AcceptExpression {
  /// Returns true if files of the same bytes are accepted whatever they hold: nothing differs, and no condition is
  /// about a rendition or a number that pictures may lack.
  package var acceptsSameBytes: Bool {
    let lacking: Set<Metric> = [.hue, .banding, .alpha]
    guard conditions.allSatisfy({ $0.selector == nil && !lacking.contains($0.metric) }) else { return false }
    return verdict { $0.metric.worse == .smaller ? .infinity : 0 } == .accepted
  }
}
