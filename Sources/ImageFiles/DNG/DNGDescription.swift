import FileParts
import HDRCore

/// The description of a DNG's picture, without samples: sensor, colours, look, preview. Source: DNG 1.7.1.
///
/// Directories are those of `TIFFStructure`. Everything is checked here, so that later steps need no checks.
package struct DNGDescription: Sendable, Hashable {
  /// A JPEG that the camera or a program rendered.
  package struct Preview: Sendable, Hashable {
    package var width: Int
    package var height: Int
    /// The place of the JPEG in the file.
    package var place: Range<Int>
    package var hasGainMap: Bool
  }

  /// The value of DNGVersion, for example "1.7.1.0".
  package var version: String
  package var make: String?
  package var model: String?
  package var orientation: Orientation
  package var image: DNGImage
  /// The offset of the raw picture's directory in the file.
  package var position: Int
  /// The camera values of the scene's white, or the chromaticity of that white.
  package var neutral: [Double]?
  package var white: Chromaticity?
  /// The value of BaselineExposure in stops, without the profile's offset.
  package var baselineExposure: Double
  package var shadowScale: Double
  package var profile: CameraProfile
  /// The profiles for high dynamic range among ExtraCameraProfiles.
  package var hdrProfiles: [CameraProfile]
  package var preview: Preview?
  package var warnings: [Warning]

  static let maxChain = 10, maxChildren = 128, maxProfiles = 64
  private static let place = "DNG"

  package init(_ bytes: [UInt8], limits: DecodeLimits = DecodeLimits()) throws(DecodeError) {
    try self.init(try TIFFStructure(bytes), limits: limits)
  }

  init(_ structure: TIFFStructure, limits: DecodeLimits) throws(DecodeError) {
    var found: [Warning] = []
    let directories = try Self.directories(structure).map { Self.complete($0, structure, warnings: &found) }
    let main = directories[0], values = DNGValues(structure, main)
    guard let version = values.integers(TIFFTag.dngVersion), version.count == 4 else {
      throw .malformed(where: "DNGVersion", what: "it is missing")
    }
    self.version = version.map { "\($0)" }.joined(separator: ".")
    guard version[0] == 1 else { throw .unsupported(feature: "this version of DNG", found: self.version) }
    make = values.text(DNGTag.make)
    model = values.text(DNGTag.uniqueModel) ?? values.text(DNGTag.model)
    let turn = values.integer(TIFFTag.orientation) ?? 1
    if Orientation(rawValue: turn) == nil {
      found.append(Warning("dng.orientation", "the orientation is none of 1 to 8; taken as 1"))
    }
    orientation = Orientation(rawValue: turn) ?? .up
    let raw = try Self.raw(structure, directories)
    position = raw.position
    let image = try DNGImage(structure, raw, limits: limits, warnings: &found)
    self.image = image
    let colors = image.filters == nil ? image.planes : 3
    (neutral, white) = try Self.white(values, colors)
    baselineExposure = try values.number(DNGTag.baselineExposure, "BaselineExposure") ?? 0
    guard abs(baselineExposure) <= 32 else { throw .malformed(where: "BaselineExposure", what: "\(baselineExposure)") }
    shadowScale = try values.number(DNGTag.shadowScale, "ShadowScale") ?? 1
    guard (0...1000).contains(shadowScale) else { throw .malformed(where: "ShadowScale", what: "\(shadowScale)") }
    profile = try CameraProfile(values, camera: values, planes: colors, warnings: &found)
    if profile.gainTableMap == nil {
      // The text of DNG 1.6 puts this tag into the first directory, its SDK into the raw picture's.
      profile.gainTableMap = image.gainTableMap
    }
    if profile.gainTableMap == nil, let bytes = values.data(DNGTag.gainTableMap) {
      profile.gainTableMap = try GainTableMap(
        dng: bytes, isSecond: false, isLittleEndian: structure.isLittleEndian)
    }
    hdrProfiles = Self.hdrProfiles(values, colors, warnings: &found)
    preview = Self.preview(
      structure, directories, most: 2 * image.width * image.height, limits: limits, warnings: &found)
    warnings = found
  }

  // MARK: Directories

  /// Returns the directories of the chain, then their subdirectories.
  private static func directories(_ structure: TIFFStructure) throws(DecodeError) -> [TIFFStructure.Directory] {
    var warnings: [Warning] = []
    var result = try structure.directories(warnings: &warnings)
    if let warning = warnings.first { throw .malformed(where: place, what: "\(warning.message)") }
    guard result.count <= maxChain else {
      throw .limit(what: "directories in the chain of a DNG", found: result.count, allowed: maxChain)
    }
    var visited = Set(result.map(\.position))
    let places = result.flatMap { structure.integers(TIFFTag.subDirectories, in: $0) ?? [] }
    guard places.count <= maxChildren else {
      throw .limit(what: "directories below those of a DNG", found: places.count, allowed: maxChildren)
    }
    for position in places {
      guard visited.insert(position).inserted else {
        throw .malformed(where: place, what: "a directory stands twice")
      }
      result.append(try structure.directory(at: position))
    }
    return result
  }

  /// Returns a directory without optional numbers that are none, such as 0/0, which some programs write for "unknown".
  private static func complete(
    _ directory: TIFFStructure.Directory, _ structure: TIFFStructure, warnings: inout [Warning]
  ) -> TIFFStructure.Directory {
    var result = directory
    for tag in DNGTag.optionalNumbers {
      guard let numbers = structure.reals(tag, in: directory, limit: 1 << 17), !numbers.allSatisfy(\.isFinite) else {
        continue
      }
      result.entries[tag] = nil
      warnings.append(Warning("dng.number", "tag \(tag) is ignored: a number in it is not finite"))
    }
    return result
  }

  private static func raw(
    _ structure: TIFFStructure, _ directories: [TIFFStructure.Directory]
  ) throws(DecodeError) -> TIFFStructure.Directory {
    let found = directories.first { directory in
      let photometric = structure.integer(TIFFTag.photometric, in: directory)
      return structure.integer(TIFFTag.newSubfileType, in: directory) ?? 0 == 0
        && (photometric == TIFFPhotometric.filterArray || photometric == TIFFPhotometric.linearRaw)
    }
    guard let found else { throw .malformed(where: place, what: "no raw picture") }
    return found
  }

  // MARK: White

  private static func white(
    _ values: DNGValues, _ planes: Int
  ) throws(DecodeError) -> (neutral: [Double]?, white: Chromaticity?) {
    if planes == 1 { return (nil, nil) }
    if let neutral = try values.numbers(DNGTag.asShotNeutral, count: planes, "AsShotNeutral") {
      guard neutral.allSatisfy({ (0.001...1000).contains($0) }) else {
        throw .malformed(where: "AsShotNeutral", what: "\(neutral)")
      }
      return (neutral, nil)
    }
    guard let xy = try values.numbers(DNGTag.asShotWhite, count: 2, "AsShotWhiteXY") else { return (nil, nil) }
    guard xy[0] > 0, xy[1] > 0, xy[0] + xy[1] < 1 else { throw .malformed(where: "AsShotWhiteXY", what: "\(xy)") }
    return (nil, Chromaticity(xy[0], xy[1]))
  }

  // MARK: Profiles

  /// Reads the HDR profiles; one that cannot be read is a warning, as there is still the main profile.
  private static func hdrProfiles(
    _ values: DNGValues, _ planes: Int, warnings: inout [Warning]
  ) -> [CameraProfile] {
    guard values.has(DNGTag.extraProfiles) else { return [] }
    let places = values.integers(DNGTag.extraProfiles) ?? []
    if places.count > maxProfiles {
      warnings.append(Warning("dng.profile", "profiles beyond \(maxProfiles) are not read"))
    }
    var result: [CameraProfile] = []
    for (index, position) in places.prefix(maxProfiles).enumerated() {
      do throws(DecodeError) {
        guard let structure = TIFFStructure(profileAt: position, of: values.structure) else {
          throw .malformed(where: "ExtraCameraProfiles", what: "no profile at \(position)")
        }
        let directory = try structure.directory(at: structure.first)
        let profile = try CameraProfile(
          DNGValues(structure, directory), camera: values, planes: planes, warnings: &warnings)
        if profile.isHDR { result.append(profile) }
      } catch {
        warnings.append(Warning("dng.profile", "profile \(index + 1) beside the main one is ignored: \(error)"))
      }
    }
    return result
  }

  /// The HDR profile of the main profile's group, or the main profile if it is for HDR.
  package var hdrProfile: CameraProfile? {
    if profile.isHDR { return profile }
    return profile.group.flatMap { group in hdrProfiles.first { $0.group == group } }
  }

  // MARK: Preview

  /// Returns the largest JPEG among the reduced pictures.
  private static func preview(
    _ structure: TIFFStructure, _ directories: [TIFFStructure.Directory], most: Int, limits: DecodeLimits,
    warnings: inout [Warning]
  ) -> Preview? {
    let found = directories.compactMap { directory -> Preview? in
      func number(_ tag: Int) -> Int { structure.integer(tag, in: directory) ?? 0 }
      guard number(TIFFTag.newSubfileType) & 1 == 1, number(TIFFTag.compression) == TIFFCompression.jpeg,
        [TIFFPhotometric.ycc, TIFFPhotometric.rgb].contains(number(TIFFTag.photometric)),
        structure.integers(TIFFTag.stripOffsets, in: directory)?.count == 1
      else { return nil }
      let start = number(TIFFTag.stripOffsets), count = number(TIFFTag.stripByteCounts)
      let (width, height) = (number(TIFFTag.width), number(TIFFTag.height))
      guard count > 0, count <= structure.bytes.count, start <= structure.bytes.count - count, width > 0, height > 0,
        width <= limits.maxSide, height <= limits.maxSide, width * height <= most
      else {
        warnings.append(Warning("dng.preview", "a preview of \(width)x\(height) is ignored: too large or cut off"))
        return nil
      }
      return Preview(width: width, height: height, place: start..<start + count, hasGainMap: false)
    }
    guard var best = found.max(by: { $0.width * $0.height < $1.width * $1.height }) else { return nil }
    do throws(DecodeError) {
      let jpeg = try JPEGDecoder.decode(Array(structure.bytes[best.place]), request: .metadata, limits: limits)
      best.hasGainMap = jpeg.gainMap != nil
      return best
    } catch {
      warnings.append(Warning("dng.preview", "the preview is ignored: \(error)"))
      return nil
    }
  }
}
