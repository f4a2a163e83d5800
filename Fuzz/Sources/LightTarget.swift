@testable import FileParts
import HDRCore
@testable import ImageFiles

extension Target {
  /// Boxes about light, and messages in coded pictures. The first byte says which, the second the transfer function.
  static let light = Target("light", maxLength: 512) { bytes in
    guard bytes.count >= 2 else { return }
    let kind = Int(bytes[0]), transfer = [16, 18, 13, 8][Int(bytes[1] & 3)], body = bytes[2...]
    var warnings: [Warning] = []
    let light: LightMetadata
    switch kind % 9 {
    case 6:
      let unit = [UInt8(HEVCUnitHeader.prefixSEI << 1), 1] + body
      light = LightMetadata(PictureMessages(units: [unit[...]]), transfer: transfer, warnings: &warnings)
    case 7: light = LightMetadata(PictureMessages(obus: body), transfer: transfer, warnings: &warnings)
    case 8:
      // Several boxes, each after its kind and size.
      var properties: [LightProperty] = [], rest = body
      while rest.count >= 2 {
        let box = LightBoxes.all[Int(rest.removeFirst()) % LightBoxes.all.count]
        let size = min(Int(rest.removeFirst()), rest.count)
        properties.append(LightProperty(type: box.type, payload: rest.prefix(size)))
        rest = rest.dropFirst(size)
      }
      light = LightMetadata(properties, .box, transfer: transfer, warnings: &warnings)
    default:
      let box = LightBoxes.all[kind % 9]
      light = LightMetadata(
        [LightProperty(type: box.type, payload: body)], .box, transfer: transfer, warnings: &warnings)
      demand(light.fields.count + warnings.count <= 1, "one box gives more than one thing")
    }
    demandWhole(light, transfer)
  }

  private static func demandWhole(_ light: LightMetadata, _ transfer: Int) {
    demand(Set(light.fields).isSuperset(of: light.places.keys), "a place of nothing")
    demand(light.referenceWhite >= 0.2 && light.referenceWhite <= 10_000, "a white of \(light.referenceWhite)")
    for fault in [light.clli?.fault, light.mdcv?.fault, light.cclv?.fault, light.amve?.fault, light.reve?.fault] {
      demand(fault == nil, "what cannot be was taken: \(fault ?? "")")
    }
    _ = (light.lines, light.conflict)
    // What is written is read as it was, once numbers are those of the units.
    func again(_ light: LightMetadata) -> LightMetadata {
      var warnings: [Warning] = []
      let properties = light.boxes(transfer: transfer).map {
        LightProperty(type: FourCC(rawValue: $0[4..<8].reduce(0) { $0 << 8 | UInt32($1) }), payload: $0[8...])
      }
      return LightMetadata(properties, .box, transfer: transfer, warnings: &warnings)
    }
    let first = again(light), second = again(first)
    demand(first.boxes(transfer: transfer) == second.boxes(transfer: transfer), "other boxes than were read")
  }
}
