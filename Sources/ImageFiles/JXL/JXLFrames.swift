import CJXL
import HDRCore
import PlainData

/// The frames of an animation as shown: whole pictures, blended with earlier ones.
struct JXLFrames {
  /// The frames; empty for a still picture.
  private(set) var all: [FilePicture] = []
  private(set) var warnings: [Warning] = []

  /// The largest number of frames that are listed.
  static let most = 4096
  /// The longest name, in bytes of UTF-8.
  private static let maxName = 64

  /// Reads the headers of all frames and rewinds the decoder, which then knows the frames that each one needs.
  ///
  /// - Throws: if the first frame's header cannot be read.
  init(_ handle: JXLDecoderHandle, _ input: UnsafeBufferPointer<UInt8>, place: String) throws(DecodeError) {
    handle.subscribe(JXL_DEC_BASIC_INFO, JXL_DEC_FRAME)
    handle.input(input)
    defer { handle.library.JxlDecoderRewind(handle.decoder) }
    var info = JxlBasicInfo()
    while true {
      let status = handle.next()
      switch status {
      case JXL_DEC_BASIC_INFO:
        guard handle.library.JxlDecoderGetBasicInfo(handle.decoder, &info) == JXL_DEC_SUCCESS else {
          throw handle.failure(JXL_DEC_ERROR, place: place)
        }
        if info.have_animation == JXL_FALSE { return }
      case JXL_DEC_FRAME where all.count == Self.most:
        warnings.append(Warning("jxl.frames", "an animation of more than \(Self.most) frames: the rest is not listed"))
        return
      case JXL_DEC_FRAME: all.append(Self.frame(handle, info))
      case JXL_DEC_SUCCESS: return
      default:
        let error = handle.failure(status, place: place)
        if all.isEmpty { throw error }
        warnings.append(Warning("jxl.frames", "behind frame \(all.count) the animation cannot be read: \(error)"))
        return
      }
    }
  }

  private static func frame(_ handle: JXLDecoderHandle, _ info: JxlBasicInfo) -> FilePicture {
    var picture = FilePicture(width: Int(info.xsize), height: Int(info.ysize))
    var header = JxlFrameHeader()
    guard handle.library.JxlDecoderGetFrameHeader(handle.decoder, &header) == JXL_DEC_SUCCESS else { return picture }
    let rate = Double(info.animation.tps_numerator) / Double(max(1, info.animation.tps_denominator))
    if header.duration > 0, rate > 0 { picture.note = "\(short(Double(header.duration) / rate, places: 3)) s" }
    guard (1...1 << 16).contains(header.name_length) else { return picture }
    var name = [CChar](repeating: 0, count: Int(header.name_length) + 1)
    if handle.library.JxlDecoderGetFrameName(handle.decoder, &name, name.count) == JXL_DEC_SUCCESS {
      let bytes = name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
      if let text = String(validating: bytes, as: UTF8.self), text.utf8.count <= maxName, !text.isEmpty {
        picture.name = streamSafe(text)
      }
    }
    return picture
  }
}
