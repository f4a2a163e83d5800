@testable import HDRCore

/// SMPTE ST 2094-50: payloads whose fields are in order, and the messages that carry them.
enum ToneGrammar {
  /// Most significant bit first.
  struct Bits {
    private(set) var bytes: [UInt8] = []
    private var free = 0

    mutating func write(_ value: Int, _ count: Int) {
      for bit in (0..<count).reversed() {
        if free == 0 {
          bytes.append(0)
          free = 8
        }
        free -= 1
        bytes[bytes.count - 1] |= UInt8(value >> bit & 1) << UInt8(free)
      }
    }
  }

  @Sendable static func mutate(_ bytes: [UInt8], maxSize: Int, random: inout Random) -> [UInt8] {
    switch random.below(5) {
    case 0: return [0] + payload(&random)
    case 1: return [1] + sei(HeadroomAdaptiveMetadata.t35 + payload(&random), before: random.below(3))
    case 2: return [2] + obus(HeadroomAdaptiveMetadata.t35 + payload(&random), before: random.below(3))
    default: return blindly(bytes, maxSize: maxSize)
    }
  }

  static func payload(_ random: inout Random) -> [UInt8] {
    var bits = Bits()
    bits.write(random.below(8), 3)
    bits.write(random.one(in: 16) ? 1 : 0, 3)
    bits.write(0, 2)
    let hasWhite = random.one(in: 2), isAdaptive = !random.one(in: 8)
    for (flag, count) in [(hasWhite, 1), (isAdaptive, 1)] { bits.write(flag ? 1 : 0, count) }
    bits.write(0, 6)
    if hasWhite { bits.write(random.number(), 16) }
    guard isAdaptive else { return bits.bytes }
    let baseline = random.below(random.one(in: 4) ? 65_536 : 60_001)
    bits.write(baseline, 16)
    bits.write(random.one(in: 6) ? 1 : 0, 1)
    let count = random.below(6), space = random.below(4), sharesMix = random.one(in: 3), sharesCurve = random.one(in: 3)
    bits.write(count, 3)
    bits.write(space, 2)
    bits.write(sharesMix ? 1 : 0, 1)
    bits.write(sharesCurve ? 1 : 0, 1)
    if space == 3 {
      let usual = [35_400, 14_600, 8500, 39_850, 6550, 2300, 15_635, 16_450]
      for value in usual { bits.write(random.one(in: 8) ? random.below(65_536) : value, 16) }
    }
    var headroom = random.below(20_000), points = 0, isPCHIP = false
    for index in 0..<count {
      bits.write(headroom, 16)
      headroom += random.one(in: 12) ? 0 : 1 + random.below(20_000)
      if index == 0 || !sharesMix {
        let type = random.below(4), flags = random.below(64)
        bits.write(type, 2)
        bits.write(flags, 6)
        if type == 3 { for _ in 0..<flags.nonzeroBitCount { bits.write(random.below(50_001), 16) } }
      }
      if index == 0 || !sharesCurve {
        points = random.one(in: 4) ? 31 : random.below(6)
        isPCHIP = random.one(in: 2)
        bits.write(points, 5)
        bits.write(isPCHIP ? 1 : 0, 1)
        bits.write(0, 2)
        var x = random.below(1000)
        for _ in 0...points {
          bits.write(x, 16)
          x += random.one(in: 6) ? 0 : random.below(4000)
        }
      }
      for _ in 0...points { bits.write(random.below(65_536), 16) }
      if !isPCHIP { for _ in 0...points { bits.write(random.below(36_001), 16) } }
    }
    return bits.bytes
  }

  /// The payload of metadata that were read; mixes of their own and slopes as angles.
  static func bytes(_ metadata: HeadroomAdaptiveMetadata) -> [UInt8] {
    var bits = Bits()
    bits.write(0, 8)
    bits.write(metadata.referenceWhite == nil ? 0 : 1, 1)
    bits.write(metadata.baselineHeadroom == nil ? 0 : 1, 1)
    bits.write(0, 6)
    func word(_ value: Double, _ scale: Double) { bits.write(Int((value * scale).rounded()), 16) }
    if let white = metadata.referenceWhite { word(white, 5) }
    guard let baseline = metadata.baselineHeadroom else { return bits.bytes }
    word(baseline, 10_000)
    bits.write(metadata.usesReferenceWhiteToneMapping ? 1 : 0, 1)
    if metadata.usesReferenceWhiteToneMapping { return bits.bytes }
    bits.write(metadata.alternates.count, 3)
    // Primaries in BT.2020: they are not compared.
    bits.write(2 << 2, 4)
    for alternate in metadata.alternates {
      let curve = alternate.curve
      word(curve.headroom, 10_000)
      let shares = alternate.mix.shares
      bits.write(3, 2)
      for share in shares { bits.write(share > 0 ? 1 : 0, 1) }
      for share in shares where share > 0 { word(share, 50_000) }
      bits.write(curve.x.count - 1, 5)
      bits.write(0, 3)
      for x in curve.x { word(x, 1000) }
      for gain in curve.gain { word(abs(gain), 10_000) }
      for slope in curve.slope { bits.write(angle(slope), 16) }
    }
    return bits.bytes
  }

  private static func angle(_ slope: Double) -> Int {
    // By halves, so that no library's arctangent is needed.
    var low = 1, high = 35_999
    while low < high {
      let middle = (low + high) / 2
      let (sine, cosine) = ExactTurn.sineCosine((Double(middle) + 0.5 - 18_000) * (Double.pi / 36_000))
      if sine / cosine < slope { low = middle + 1 } else { high = middle }
    }
    return low
  }

  // MARK: Messages

  /// A prefix SEI unit of H.265, with messages of other types before ours.
  static func sei(_ message: [UInt8], before: Int = 0) -> [UInt8] {
    var plain: [UInt8] = []
    for type in 0..<before { plain += [UInt8(137 + type), 2, 0, 0] }
    plain += [4] + [UInt8](repeating: 255, count: message.count / 255) + [UInt8(message.count % 255)] + message + [0x80]
    var unit: [UInt8] = [39 << 1, 1], zeros = 0
    for byte in plain {
      if zeros >= 2, byte <= 3 {
        unit.append(3)
        zeros = 0
      }
      zeros = byte == 0 ? zeros + 1 : 0
      unit.append(byte)
    }
    return unit
  }

  static func obus(_ message: [UInt8], before: Int = 0) -> [UInt8] {
    var bytes: [UInt8] = []
    for _ in 0..<before { bytes += [2 << 3 | 2, 0] }
    let count = message.count + 1
    return bytes + [5 << 3 | 6, 0, UInt8(count & 0x7F) | 0x80, UInt8(count >> 7), 4] + message
  }
}
