import CodecService
import FileParts
import HDRCore
import HDRPlan

/// A statement of two files about themselves.
package struct MetadataRow: Sendable, Hashable {
  /// The groups of rows; those that a caller names count as differences.
  package enum Group: String, Sendable, Hashable, CaseIterable {
    /// Size, orientation, depth and chroma, which never count.
    case picture
    case cicp, icc, light, gainmap, exif, xmp, iptc
    /// Statements of Exif, XMP and IPTC that tell where a photo was taken.
    case location

    /// Those that may count.
    package static let counting = allCases.filter { $0 != .picture }
    package static let standard: Set<Group> = [.cicp, .light, .gainmap]
  }

  package var group: Group
  package var name: String
  /// The texts; `nil` where a file states nothing.
  package var a: String?
  package var b: String?

  package var isSame: Bool { a == b }

  /// "same", "differs", "only A", "only B".
  package var verdict: String { isSame ? "same" : a == nil ? "only B" : b == nil ? "only A" : "differs" }

  /// Returns the rows of what at least one of two files states.
  package static func rows(_ a: SourceImage, _ b: SourceImage) -> [MetadataRow] {
    let left = a.statements, right = b.statements
    let rows = zip(left, right).compactMap { p, q in
      p.text == nil && q.text == nil ? nil : MetadataRow(group: p.group, name: p.name, a: p.text, b: q.text)
    }
    return rows + blockRows(.exif, a.exif, b.exif, MetadataStatement.exif)
      + blockRows(.xmp, a.xmp, b.xmp, MetadataStatement.xmp)
      + blockRows(.iptc, a.photoshop, b.photoshop, MetadataStatement.iptc)
  }

  /// Returns the rows of a block of statements: one if the bytes are the same, cannot be read or state nothing, else one
  /// for each statement that is not in both. If all are, and only their coding differs, one says so.
  private static func blockRows(
    _ group: Group, _ a: [UInt8]?, _ b: [UInt8]?, _ read: ([UInt8]) -> [MetadataStatement]?
  ) -> [MetadataRow] {
    func whole(_ bytes: [UInt8]?) -> String? { bytes.map { "\($0.count) bytes, \(fingerprint($0))" } }
    if a == nil && b == nil { return [] }
    let one = MetadataRow(group: group, name: group.rawValue, a: whole(a), b: whole(b))
    func stated(_ bytes: [UInt8]?) -> [MetadataStatement]? {
      guard let bytes else { return [] }
      return read(bytes).flatMap { $0.isEmpty ? nil : $0 }
    }
    guard a != b, let inA = stated(a), let inB = stated(b) else { return [one] }
    let left = Dictionary(grouping: inA, by: \.name), right = Dictionary(grouping: inB, by: \.name)
    var names: Set<String> = [], rows: [MetadataRow] = []
    for statement in inA + inB where names.insert(statement.name).inserted {
      func text(_ found: [MetadataStatement]?) -> String? { found?.map(\.text).joined(separator: "; ") }
      let row = MetadataRow(
        group: statement.isPlace ? .location : group, name: statement.name, a: text(left[statement.name]),
        b: text(right[statement.name]))
      if !row.isSame { rows.append(row) }
    }
    let count = "\(names.count) statements"
    return rows.isEmpty ? [MetadataRow(group: group, name: group.rawValue, a: count, b: count)] : rows
  }

  fileprivate static func fingerprint(_ bytes: [UInt8]) -> String { String(Digest(of: bytes).hex.prefix(12)) }
}

extension SourceImage {
  fileprivate typealias Statement = (group: MetadataRow.Group, name: String, text: String?)

  /// All statements with a place in an order, whether the file makes them or not.
  fileprivate var statements: [Statement] {
    var result: [Statement] = [
      (.picture, "size", "\(geometry.outputWidth)x\(geometry.outputHeight)"),
      (.picture, "orientation", "\(geometry.orientation.rawValue)"),
      (.picture, "depth", "\(bitDepth)"),
      (.picture, "chroma", image.model == .ycc ? image.chroma.rawValue : image.model.rawValue),
      (
        .cicp, "cicp",
        color.cicp.map { "\($0.primaries)/\($0.transfer)/\($0.matrix) \($0.fullRange ? "full" : "limited")" }
      ),
      (.icc, "icc", color.icc.map { (color.iccDescription ?? "") + ", " + MetadataRow.fingerprint($0) }),
    ]
    for field in LightMetadata.Field.allCases {
      let text = light.text(field)
      result.append((.light, field.rawValue, text.isEmpty ? nil : text))
    }
    let stated = ContentHeadroom.ofFile(self)
    result.append((.light, "headroom", stated.headroom.map { short($0.factor) }))
    return result + mapStatements
  }

  private var mapStatements: [Statement] {
    let map = gainMap, metadata = map?.metadata
    func numbers(_ values: [Double]?) -> String? { values.map { $0.map { short($0) }.joined(separator: " ") } }
    let rows: [(String, String?)] = [
      ("kind", metadata?.kind.rawValue), ("size", map.map { "\($0.image.width)x\($0.image.height)" }),
      ("channels", map.map { $0.image.model == .grey ? "1" : "3" }), ("min", numbers(metadata?.min)),
      ("max", numbers(metadata?.max)), ("gamma", numbers(metadata?.gamma)),
      ("base offset", numbers(metadata?.baseOffset)), ("alternate offset", numbers(metadata?.alternateOffset)),
      ("base headroom", metadata.map { short($0.baseHeadroom) }),
      ("alternate headroom", metadata.map { short($0.alternateHeadroom) }),
      ("primaries", metadata.map { $0.usesBaseColorSpace ? "base" : "alternate" }),
      ("signalled by", map.map { $0.bindings.joined(separator: " ") }),
    ]
    return rows.map { (.gainmap, "gain map " + $0.0, $0.1) }
  }
}
