import Glibc
import HDRCore
import PlainData

/// Motion photos: a short video after a still picture. No output holds the video, so no output may announce one.
///
/// Source: "Motion Photo format 1.0" (Android developers); `MicroVideo` is its older form.
package enum MotionPhoto {
  /// The code of the warning that outputs lack a video.
  package static let dropped = "motion.dropped"
  package static let namespace = "http://ns.google.com/photos/1.0/camera/"

  /// The XMP properties about the video, apart from the container directory.
  static let properties: Set<XMLName> = Set(
    [
      "MotionPhoto", "MotionPhotoVersion", "MotionPhotoPresentationTimestampUs", "MicroVideo", "MicroVideoVersion",
      "MicroVideoOffset", "MicroVideoPresentationTimestampUs",
    ].map { XMLName(namespace, $0) })

  /// Returns the warning that outputs lack a file's video; `nil`: the file has none.
  ///
  /// - Parameters:
  ///   - packet: the XMP of the picture.
  ///   - videoBytes: the size of the video in the file.
  package static func warning(_ packet: XMPPacket?, videoBytes: Int?) -> Warning? {
    if let videoBytes {
      return Warning(
        dropped, "a motion photo: outputs hold the picture, not its video of \(videoBytes) bytes")
    }
    let isAnnounced =
      ["MotionPhoto", "MicroVideo"].contains { packet?.value(namespace, $0) == "1" }
      || packet?.containerItems.contains { $0.semantic == "MotionPhoto" } == true
    return isAnnounced ? Warning("motion.missing", "XMP announces a motion photo, and the file has no video") : nil
  }

  /// Returns the number of bytes from the first `ftyp` box (ISO/IEC 14496-12 clause 4.3) after a picture to the end of
  /// the file; `nil` without such a box.
  package static func videoBytes(in bytes: [UInt8], behind end: Int) -> Int? {
    bytes.withUnsafeBytes { raw in
      var from = end + 4
      while let base = raw.baseAddress, from + 4 <= raw.count,
        let found = memchr(base + from, Int32(UInt8(ascii: "f")), raw.count - 3 - from)
      {
        let at = UnsafeRawPointer(found) - base
        // A video has few brands, so its box is small.
        if raw[at..<at + 4].elementsEqual("ftyp".utf8),
          (16...256).contains(UInt32(bigEndian: raw.loadUnaligned(fromByteOffset: at - 4, as: UInt32.self)))
        {
          return raw.count - (at - 4)
        }
        from = at + 1
      }
      return nil
    }
  }
}
