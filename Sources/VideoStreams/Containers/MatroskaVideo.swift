import FileParts
import HDRCore

/// The reader of what Matroska says about pictures: size, shape, colour and light (RFC 9559 clause 5.1.4.1.28).
enum MatroskaVideo {
  private enum ID {
    static let interlaced = 0x9A, stereo = 0x53B8, alpha = 0x53C0, width = 0xB0, height = 0xBA
    static let cropBottom = 0x54AA, cropTop = 0x54BB, cropLeft = 0x54CC, cropRight = 0x54DD
    static let displayWidth = 0x54B0, displayHeight = 0x54BA, displayUnit = 0x54B2, colour = 0x55B0, projection = 0x7670
    static let yaw = 0x7673, pitch = 0x7674, roll = 0x7675
    static let matrix = 0x55B1, bits = 0x55B2, sitingAcross = 0x55B7, sitingDown = 0x55B8, range = 0x55B9
    static let transfer = 0x55BA, primaries = 0x55BB, maxCLL = 0x55BC, maxFALL = 0x55BD, mastering = 0x55D0
    /// The first of eight coordinates (red, green, blue, white), and the luminances behind them.
    static let firstCoordinate = 0x55D1, maxLuminance = 0x55D9, minLuminance = 0x55DA
  }

  static func read(_ reader: inout ByteReader, _ warnings: inout [Warning]) throws(DecodeError) -> ContainerVideo {
    var video = ContainerVideo(), numbers: [Int: Int] = [:]
    let counted: Set<Int> = [
      ID.interlaced, ID.stereo, ID.alpha, ID.width, ID.height, ID.cropBottom, ID.cropTop, ID.cropLeft, ID.cropRight,
      ID.displayWidth, ID.displayHeight, ID.displayUnit,
    ]
    while !reader.isAtEnd {
      var (id, content) = try reader.ebmlElement()
      switch id {
      case ID.colour: try readColour(&content, &video, &warnings)
      case ID.projection: try readProjection(&content, &video)
      case let id where counted.contains(id):
        let number = try content.ebmlUnsigned
        // 31 bits are more than any side has, and products of two do not overflow.
        guard number <= Int32.max else { throw .malformed(where: reader.place, what: "a number is \(number)") }
        numbers[id] = number
      default: break
      }
    }
    guard let width = numbers[ID.width], let height = numbers[ID.height], width > 0, height > 0 else {
      throw .malformed(where: reader.place, what: "pictures have no size")
    }
    (video.width, video.height) = (width, height)
    // 0: not known, 1: interlaced, 2: progressive.
    video.isInterlaced = [1: true, 2: false][numbers[ID.interlaced] ?? 0]
    video.hasAlpha = numbers[ID.alpha] == 1
    video.hasViews = numbers[ID.stereo] ?? 0 > 0
    readShape(numbers, &video, &warnings)
    return video
  }

  /// Takes the shown part, and the shape of samples from the size at which it is shown.
  private static func readShape(_ numbers: [Int: Int], _ video: inout ContainerVideo, _ warnings: inout [Warning]) {
    func number(_ id: Int) -> Int { numbers[id] ?? 0 }
    let left = number(ID.cropLeft), top = number(ID.cropTop)
    var part = PixelRect(
      x: left, y: top, width: video.width - left - number(ID.cropRight),
      height: video.height - top - number(ID.cropBottom))
    if part.width <= 0 || part.height <= 0 {
      warnings.append(Warning("video.box", "the crop of a track leaves nothing: it is ignored"))
      part = PixelRect(x: 0, y: 0, width: video.width, height: video.height)
    } else if part.width < video.width || part.height < video.height {
      video.crop = part
    }
    // Units are samples, lengths or a ratio (0, 1 to 2, 3): all but 4, unknown, state the shape.
    guard let width = numbers[ID.displayWidth], let height = numbers[ID.displayHeight], width > 0, height > 0,
      number(ID.displayUnit) < 4
    else { return }
    var (a, b) = (width * part.height, height * part.width)
    let divisor = TimeBase.gcd(a, b)
    (a, b) = (a / divisor, b / divisor)
    video.sampleAspect = SampleAspect(a, b)
  }

  private static func readProjection(_ reader: inout ByteReader, _ video: inout ContainerVideo) throws(DecodeError) {
    var angles: [Int: Double] = [:]
    while !reader.isAtEnd {
      let (id, content) = try reader.ebmlElement()
      if [ID.yaw, ID.pitch, ID.roll].contains(id) { angles[id] = try content.ebmlFloat }
    }
    video.orientation = Orientation(
      yaw: angles[ID.yaw] ?? 0, pitch: angles[ID.pitch] ?? 0, roll: angles[ID.roll] ?? 0)
  }

  private static func readColour(
    _ reader: inout ByteReader, _ video: inout ContainerVideo, _ warnings: inout [Warning]
  ) throws(DecodeError) {
    var across = 0, down = 0, level: (cll: Int?, fall: Int?) = (nil, nil)
    while !reader.isAtEnd {
      var (id, content) = try reader.ebmlElement()
      func code() throws(DecodeError) -> Int? {
        let value = try content.ebmlUnsigned
        return value == CICP.Primaries.unspecified ? nil : value
      }
      switch id {
      case ID.matrix: video.color.matrix = try code()
      case ID.transfer: video.color.transfer = try code()
      case ID.primaries: video.color.primaries = try code()
      // 0: not known, 1: limited, 2: full, 3: by matrix and transfer.
      case ID.range: video.color.fullRange = [1: false, 2: true][try content.ebmlUnsigned]
      case ID.bits:
        let bits = try content.ebmlUnsigned
        video.bitDepth = (1...16).contains(bits) ? bits : nil
      case ID.sitingAcross: across = try content.ebmlUnsigned
      case ID.sitingDown: down = try content.ebmlUnsigned
      case ID.maxCLL: level.cll = try content.ebmlUnsigned
      case ID.maxFALL: level.fall = try content.ebmlUnsigned
      case ID.mastering: try readMastering(&content, &video, &warnings)
      default: break
      }
    }
    // 1: with the first sample of luma, 2: between samples.
    video.chromaLocation = [[1, 2]: 0, [2, 2]: 1, [1, 1]: 2, [2, 1]: 3][[across, down]]
    guard let cll = level.cll, cll > 0, cll <= UInt32.max else { return }
    let light = ContentLightLevel(maxCLL: Double(cll), maxFALL: Double(min(level.fall ?? 0, 1 << 32)))
    if let fault = light.fault {
      warnings.append(Warning("light.clli", "the light level of a track is ignored: \(fault)"))
    } else {
      video.light.clli = light
      video.light.places[.clli] = .box
    }
  }

  private static func readMastering(
    _ reader: inout ByteReader, _ video: inout ContainerVideo, _ warnings: inout [Warning]
  ) throws(DecodeError) {
    var numbers: [Int: Double] = [:]
    while !reader.isAtEnd {
      let (id, content) = try reader.ebmlElement()
      if (ID.firstCoordinate...ID.minLuminance).contains(id) { numbers[id] = try content.ebmlFloat }
    }
    let points = (0..<4).map { index in
      Chromaticity(
        numbers[ID.firstCoordinate + 2 * index] ?? 0, numbers[ID.firstCoordinate + 2 * index + 1] ?? 0)
    }
    do throws(DecodeError) {
      video.light.mdcv = try MasteringDisplayBox.display(
        points, numbers[ID.maxLuminance] ?? 0, numbers[ID.minLuminance] ?? 0)
      video.light.places[.mdcv] = .box
    } catch {
      warnings.append(Warning("light.mdcv", "the mastering display of a track is ignored: \(error)"))
    }
  }
}
