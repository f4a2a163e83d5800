import FileParts
import HDRCore

extension HEIFMuxer {
  /// Adds auxiliary pictures that another file had, with their XMP.
  ///
  /// - Parameters:
  ///   - settings: the container of this file; samples are coded without loss.
  ///   - warnings: gets `aux.dropped` for those of another codec, and those that cannot be turned.
  mutating func add(
    _ auxiliaries: [AuxiliaryItem], of main: Int, _ settings: HEIFPictureCoding.Settings, warnings: inout [Warning]
  ) throws(EncodeError) {
    for auxiliary in auxiliaries {
      guard var picture = try Self.picture(auxiliary, settings) else {
        warnings.append(
          Warning("aux.dropped", "auxiliary picture \(auxiliary.item) cannot be put into this file and was left out"))
        continue
      }
      picture.properties.append(HEIFCodedPicture.Property(box: auxiliary.type, isEssential: true))
      let item = addPicture(picture, isHidden: true)
      addReference("auxl", from: item, to: [main])
      if let xmp = auxiliary.xmp { addXMP(xmp, describing: item) }
    }
  }

  /// Returns the coded picture; `nil` if this file cannot hold it.
  private static func picture(
    _ auxiliary: AuxiliaryItem, _ settings: HEIFPictureCoding.Settings
  ) throws(EncodeError) -> HEIFCodedPicture? {
    switch auxiliary.picture {
    case .heif(let kept):
      let type = settings.container == .avif ? "av01" : "hvc1"
      return kept.items.isEmpty || kept.items.contains { $0.type != type } ? nil : kept.turned(auxiliary.turn)
    case .samples(let image):
      let cicp = CICP.gainMap()
      var settings = settings
      settings.isLossless = true
      var picture = try HEIFPictureCoding.code(image, cicp: cicp, settings)
      picture.add(HEIFBox.nclx(cicp))
      picture.add(HEIFBox.pixi(bitDepth: image.bitDepth, channels: image.channels.count))
      return picture
    case .jpegStream, .jxl: return nil
    }
  }
}

extension HEIFCodedPicture {
  /// Returns the picture with one more turn behind its own, as one rotation and one mirror.
  ///
  /// - Returns: `nil` if a crop stands behind its own turns.
  package func turned(_ orientation: Orientation) -> HEIFCodedPicture? {
    if orientation == .up { return self }
    var transforms: [ItemTransform] = [], result = self, isTurned = false
    for property in properties {
      guard let last = property.box.last else { return nil }
      switch property.type {
      case "irot": transforms.append(.rotation(quarterTurns: Int(last & 3)))
      case "imir": transforms.append(.mirror(exchangesLeftAndRight: last & 1 == 1))
      case "clap" where !transforms.isEmpty: return nil
      default: continue
      }
      isTurned = true
    }
    if isTurned { result.properties.removeAll { ["irot", "imir"].contains($0.type) } }
    let wanted = Self.orientation(of: transforms).then(orientation)
    for transform in Self.transforms(to: wanted) {
      switch transform {
      case .rotation(let quarterTurns):
        let box = HEIFBox.plain("irot") { $0.u8(quarterTurns) }
        result.properties.append(Property(box: box, isEssential: true))
      case .mirror(let exchangesLeftAndRight):
        let box = HEIFBox.plain("imir") { $0.u8(exchangesLeftAndRight ? 1 : 0) }
        result.properties.append(Property(box: box, isEssential: true))
      case .crop: break
      }
    }
    return result
  }

  private static func orientation(of transforms: [ItemTransform]) -> Orientation {
    // Without a crop nothing can fail.
    (try? Geometry(width: 2, height: 1, transforms: transforms))?.orientation ?? .up
  }

  /// Returns at most one rotation and then one mirror that turn a picture so.
  private static func transforms(to orientation: Orientation) -> [ItemTransform] {
    for mirror in [[], [ItemTransform.mirror(exchangesLeftAndRight: true)]] {
      for turns in 0..<4 {
        let all = (turns == 0 ? [] : [ItemTransform.rotation(quarterTurns: turns)]) + mirror
        if self.orientation(of: all) == orientation { return all }
      }
    }
    return []
  }
}
