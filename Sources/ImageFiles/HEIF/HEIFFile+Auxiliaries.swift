import FileParts
import HDRCore

/// The auxiliary pictures: alpha, depth, vendors' gain maps (ISO/IEC 23008-12 clause 6.4.5).
extension HEIFFile {
  package struct Auxiliary: Sendable, Hashable {
    package var id: Int
    /// The type of the picture, from `auxC`.
    package var urn: String
  }

  /// The type of alpha that is written.
  static let alphaURN = "urn:mpeg:mpegB:cicp:systems:auxiliary:alpha"

  static let alphaURNs: Set<String> = [alphaURN, "urn:mpeg:hevc:2015:auxid:1"]

  /// The types of gain maps whose metadata is known: Apple's own formula, and `hdrgm` XMP in Samsung's and in early
  /// Adobe files (whose base is the HDR rendition). The whole string is compared: depth and mattes have similar names.
  static let gainMapURNs: Set<String> = [
    AppleGainMap.urn, "urn:com:samsung:photo:2024:aux:hdrgainmap", "urn:com:photo:aux:hdrgainmap",
  ]

  /// Returns the first tone maps with `picture` as their base, usable or not.
  func toneMaps(of picture: Int) -> [Int] {
    let all = items.values.filter { $0.type == "tmap" && targets("dimg", from: $0.id).first == picture }.map(\.id)
    return Array(all.sorted().prefix(BoxLimits.toneMaps))
  }

  /// Returns the auxiliary pictures of `picture` in file order, and those of its tone maps too, because newer Apple
  /// files name one, the other or both. Those with broken properties are left out with a warning.
  package func auxiliaries(of picture: Int, warnings: inout [Warning]) -> [Auxiliary] {
    var result: [Auxiliary] = []
    let owners = [picture] + toneMaps(of: picture)
    for reference in references where reference.type == "auxl" && reference.to.contains(where: owners.contains) {
      guard result.count < BoxLimits.auxiliaries else {
        warnings.append(
          Warning("heif.auxiliary", "more than \(BoxLimits.auxiliaries) auxiliary pictures; the rest is ignored"))
        break
      }
      let id = reference.from
      do throws(DecodeError) {
        guard id != picture else { throw .malformed(where: "auxl reference", what: "item \(id) belongs to itself") }
        guard let urn = try properties(of: id).auxiliaryURN else {
          throw .malformed(where: "auxC box", what: "auxiliary item \(id) has none")
        }
        result.append(Auxiliary(id: id, urn: urn))
      } catch {
        warnings.append(Warning("heif.auxiliary", "an auxiliary picture is ignored: \(error)"))
      }
    }
    return result
  }
}

extension SampleImage {
  /// Adds the luma of an alpha picture. HEIF alpha is full range, whatever its bitstream signals (ISO/IEC 23000-22).
  ///
  /// - Returns: `false` when the sizes differ; nothing is changed then.
  mutating func attachAlpha(_ mask: SampleImage, isPremultiplied: Bool) -> Bool {
    guard mask.width == width, mask.height == height, let plane = mask.channels.first else { return false }
    alpha = plane
    alphaFormat = mask.format
    alphaBitDepth = mask.bitDepth
    alphaIsPremultiplied = isPremultiplied
    return true
  }
}
