import FileParts
import HDRCore

extension DolbyConfiguration {
  /// The configuration of a single layer with RPUs.
  package init(profile: Int, level: Int, compatibility: Int) {
    (self.profile, self.level, self.compatibility) = (profile, level, compatibility)
    (hasRPU, hasEnhancement, hasBase) = (true, false, true)
  }

  /// The type of the box: other readers must not know profiles from 8 on by the first one.
  package var box: FourCC { profile < 8 ? "dvcC" : profile <= 10 ? "dvvC" : "dvwC" }

  /// The payload of the box, version 1.0.
  package var bytes: [UInt8] {
    var bits = BitSink()
    bits.bits(1, 8)
    bits.bits(0, 8)
    bits.bits(profile, 7)
    bits.bits(level, 6)
    for flag in [hasRPU, hasEnhancement, hasBase] { bits.bit(flag) }
    bits.bits(compatibility, 4)
    bits.bits(0, 4 + 8 * 19)
    return bits.bytes
  }

  /// The box with its payload.
  package var wholeBox: [UInt8] {
    var sink = ByteSink()
    sink.u32(8 + bytes.count)
    sink.append(box.bytes)
    sink.append(bytes)
    return sink.bytes
  }
}
