import HDRRender
import ImageFiles

/// - Throws: `UnavailableError` where libavcodec is not here, with the reason.
package func demandAVCodec() throws(UnavailableError) {
  guard let reason = avcodecMissing() else { return }
  throw UnavailableError(
    "--hevc-decoder libavcodec: it is not here (\(reason)); scripts/avcodec builds it")
}
