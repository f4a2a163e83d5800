import HDRCore
import PlainData

extension EXRPart {
  /// Describes a file and the part of it that holds a picture.
  ///
  /// - Parameter warnings: gets one for attributes beyond the limit of metadata.
  init(
    _ file: EXRFile, _ picture: EXRPictures.Picture, _ color: EXRColor, _ limits: DecodeLimits,
    _ warnings: inout [Warning]
  ) {
    let header = file.parts[picture.part]
    let all = file.parts.enumerated().map { index, part in
      Outline(part, index, shown: index == picture.part ? picture.channels : [])
    }
    self.init(space: color.name, otherID: color.otherID, primaries: color.statedPrimaries, outline: all[picture.part])
    layer = picture.layer
    let aspect = header.pixelAspectRatio
    pixelAspectRatio = aspect.isFinite && aspect > 0 ? aspect : 1
    others = all.filter { $0.number != picture.part + 1 }
    var room = limits.maxMetadataBytes, dropped: [String] = []
    for attribute in header.attributes where !EXRHeader.isOwn(attribute.name) {
      let bytes = attribute.name.utf8.count + attribute.type.utf8.count + attribute.value.count + 32
      if bytes <= room {
        room -= bytes
        attributes.append(attribute)
      } else {
        dropped.append(streamSafe(attribute.name))
      }
    }
    if !dropped.isEmpty {
      warnings.append(
        Warning(
          "exr.attributes-limit",
          "attributes beyond the limit of metadata are not read: \(dropped.prefix(12).joined(separator: ", "))"))
    }
  }
}

extension EXRPart.Outline {
  fileprivate init(_ header: EXRHeader, _ index: Int, shown: [Int]) {
    self.init(
      number: index + 1, name: header.name.map(streamSafe), storage: header.kind.words,
      hasLevels: header.tiles.map { $0.levels > 0 } ?? false, dataWindow: EXRPart.Window(header.dataWindow),
      displayWindow: EXRPart.Window(header.displayWindow), compression: header.coding.name,
      channels: header.channels.enumerated().map { index, channel in
        EXRPart.Channel(name: streamSafe(channel.name), type: "\(channel.type)", isShown: shown.contains(index))
      })
  }
}

extension EXRPart.Window {
  init(_ window: EXRHeader.Window) {
    self.init(left: window.minX, top: window.minY, width: window.width, height: window.height)
  }
}

extension EXRHeader.Kind {
  fileprivate var words: String {
    switch self {
    case .scanLines: "scan lines"
    case .tiles: "tiles"
    case .deepScanLines: "deep scan lines"
    case .deepTiles: "deep tiles"
    }
  }
}
