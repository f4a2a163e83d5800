import FileParts
import HDRCore

/// The metadata messages in a coded picture: SEI messages of HEVC (H.265 annex D), metadata OBUs of AV1 (AV1
/// specification 5.8). Only those about light are kept.
struct PictureMessages {
  /// The messages that have the payload of a box.
  private(set) var boxes: [LightProperty] = []
  /// An AV1 mastering display message, which has other units than the box.
  private(set) var av1Mastering: ArraySlice<UInt8>?
  /// The first payload of SMPTE ST 2094-50 in an ITU-T T.35 message (docs/tone-formulas.md#st-2094-50).
  private(set) var toneMetadata: [UInt8]?
  /// The alternative transfer characteristics (SEI 147); readers that know the code use it in place of the stream's.
  private(set) var preferredTransfer: Int?

  init() {}

  /// Reads the messages in an HEVC picture's NAL units.
  init(units: [ArraySlice<UInt8>]) {
    for unit in units {
      guard let header = HEVCUnitHeader(unit), header.type == HEVCUnitHeader.prefixSEI, header.layer == 0 else {
        continue
      }
      // A picture's messages come before it and are small: only the first bytes of each unit are read.
      read(sei: EmulationPrevention.removed(unit.dropFirst(2).prefix(4 * HeadroomAdaptiveMetadata.maxBytes)))
    }
  }

  /// Reads the messages among the OBUs of an AV1 picture (AV1 specification 5.3).
  init(obus data: ArraySlice<UInt8>) { read(obus: data) }

  /// Adds the messages of further OBUs.
  mutating func read(obus data: ArraySlice<UInt8>) {
    var rest = data
    while let head = rest.popFirst() {
      if head & 0x04 != 0, rest.popFirst() == nil { return }
      guard head & 0x02 != 0 else { return read(obu: head, rest) }
      guard let size = LEB128.take(&rest), size <= rest.count else { return }
      read(obu: head, rest.prefix(size))
      rest = rest.dropFirst(size)
    }
  }

  private mutating func read(sei bytes: [UInt8]) {
    for message in SEIMessage.all(in: bytes[...]) {
      switch message.type {
      case 4: toneMetadata = toneMetadata ?? HeadroomAdaptiveMetadata.payload(ofT35: message.payload)
      case 147: preferredTransfer = preferredTransfer ?? message.payload.first.map { Int($0) }
      default: add(LightBoxes.message(message.type), message.payload)
      }
    }
  }

  private mutating func read(obu head: UInt8, _ body: ArraySlice<UInt8>) {
    let metadata = 5
    guard Int(head >> 3 & 15) == metadata else { return }
    var body = body
    switch LEB128.take(&body) {
    case 1: add(ContentLightLevelBox.self, body)
    case 2: av1Mastering = av1Mastering ?? body
    case 4: toneMetadata = toneMetadata ?? toneMetadata(obu: body)
    default: break
    }
  }

  /// Reads ST 2094-50 metadata. Trailing bits, a 1 and zeros, follow the payload (AV1 specification 5.3.4); some
  /// writers leave them out.
  private func toneMetadata(obu body: ArraySlice<UInt8>) -> [UInt8]? {
    if let last = body.lastIndex(where: { $0 != 0 }), body[last] == 0x80,
      let payload = HeadroomAdaptiveMetadata.payload(ofT35: body[..<last]),
      (try? HeadroomAdaptiveMetadata(parsing: payload)) != nil
    {
      return payload
    }
    return HeadroomAdaptiveMetadata.payload(ofT35: body)
  }

  /// Adds a message; only the first of each kind is kept.
  private mutating func add(_ box: (any LightBox.Type)?, _ payload: ArraySlice<UInt8>) {
    guard let box, !boxes.contains(where: { $0.type == box.type }) else { return }
    boxes.append(LightProperty(type: box.type, payload: payload))
  }
}

extension LightMetadata {
  /// Reads the messages of a coded picture, as boxes are read.
  init(_ messages: PictureMessages, transfer: Int, warnings: inout [Warning]) {
    self.init(messages.boxes, .message, transfer: transfer, warnings: &warnings)
    do throws(DecodeError) {
      if let bytes = messages.av1Mastering {
        mdcv = try MasteringDisplay(av1: bytes)
        places[.mdcv] = .message
      }
    } catch {
      warnings.append(Warning("light.mdcv", "the mdcv message is ignored: \(error)"))
    }
    setTone(messages.toneMetadata, .message, warnings: &warnings)
  }
}

extension MasteringDisplay {
  /// Reads metadata of type 2 (AV1 specification 5.8.4 and 6.7.4): R, G, B and white in units of 2^-16, maximum
  /// luminance in 2^-8 and minimum in 2^-14 cd/m².
  fileprivate init(av1 bytes: ArraySlice<UInt8>) throws(DecodeError) {
    var reader = ByteReader(bytes, place: "mdcv message")
    var points: [Chromaticity] = []
    for _ in 0..<4 { points.append(try reader.chromaticity(units: 65_536)) }
    let highest = Double(try reader.u32()) / 256, lowest = Double(try reader.u32()) / 16_384
    self = try MasteringDisplayBox.display(points, highest, lowest)
  }
}

extension ItemPictures {
  /// Returns the messages of a picture; for a grid and an overlay, those of the first picture in it.
  func messages(of id: Int) -> PictureMessages { messages(of: id, steps: BoxLimits.derivationDepth) }

  private func messages(of id: Int, steps: Int) -> PictureMessages {
    guard steps >= 0, let item = try? file.item(id, for: "picture") else { return PictureMessages() }
    switch item.type {
    case "hvc1":
      guard let hevc = try? file.properties(of: id).hevc, let data = try? file.data(of: id),
        let units = try? hevc.split(data, place: "data of item \(id)")
      else { return PictureMessages() }
      return PictureMessages(units: hevc.nalUnits + units)
    case "av01":
      guard let av1 = try? file.properties(of: id).av1, let data = try? file.data(of: id) else {
        return PictureMessages()
      }
      var messages = PictureMessages(obus: data)
      messages.read(obus: av1.configOBUs)
      return messages
    case "grid", "iden", "iovl":
      return file.targets("dimg", from: id).first.map { messages(of: $0, steps: steps - 1) } ?? PictureMessages()
    default: return PictureMessages()
    }
  }
}
