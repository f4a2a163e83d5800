import ArgumentParser
import BatchEngine
import HDRCore

/// Choice of decoding libraries, for every command that reads pictures. No pixel depends on it.
struct DecoderArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      What decodes HEVC: libavcodec, faster; libde265; auto, the first where it is there and knows the picture. The \
      pixels are the same.
      """, valueName: "library"))
  var hevcDecoder = HEVCDecoder.automatic

  var limits: DecodeLimits { DecodeLimits(hevcDecoder: hevcDecoder) }

  /// - Throws: `UnavailableError` for a demanded library that is not here.
  func check() throws(UnavailableError) {
    if hevcDecoder == .libavcodec { try demandAVCodec() }
  }
}

extension HEVCDecoder: ExpressibleByArgument {}
