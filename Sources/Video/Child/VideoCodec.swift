import HDRCore
import HDRPlan
import VideoStreams

/// An encoder of clips: a row of `all`.
package struct VideoCodec: Sendable, Hashable {
  /// The word after `--codec`.
  package let name: String
  /// FFmpeg's name, and its options.
  let encoder: String
  private let options: [String]
  /// The endings of the files that hold it, the usual one first; each a name of `VideoContainer`.
  package let containers: [String]
  /// The subsamplings and bits of a sample that it takes; empty: all.
  private let chromas: [ChromaSubsampling]
  private let depths: [Int]
  /// True if decoding gives the samples that were encoded.
  package var isLossless: Bool { self == .ffv1 }
  /// An estimate of the bytes of a clip for each byte of its raw frames; `nil`: no more than 1.5 times the source's.
  let share: Double?

  private init(
    _ name: String, _ encoder: String, _ options: [String], in containers: [String],
    chromas: [ChromaSubsampling] = [], depths: [Int] = [], share: Double? = nil
  ) {
    (self.name, self.encoder, self.options, self.containers) = (name, encoder, options, containers)
    (self.chromas, self.depths, self.share) = (chromas, depths, share)
  }

  package static let ffv1 = VideoCodec(
    "ffv1", "ffv1", ["-level", "3", "-slicecrc", "1", "-g", "1"], in: ["mkv"], share: 0.55)

  package static let all = [
    ffv1,
    VideoCodec(
      "x265", "libx265", ["-crf", "18"], in: ["mp4", "mov", "mkv"], chromas: [.s420, .s422, .s444], depths: [8, 10, 12]),
    VideoCodec(
      "x264", "libx264", ["-crf", "18"], in: ["mp4", "mov", "mkv"], chromas: [.s420, .s422, .s444], depths: [8]),
    VideoCodec(
      "svtav1", "libsvtav1", ["-crf", "25", "-preset", "8"], in: ["mp4", "mkv", "webm"], chromas: [.s420],
      depths: [8, 10]),
    VideoCodec(
      "aom", "libaom-av1", ["-crf", "25", "-cpu-used", "6", "-row-mt", "1"], in: ["mp4", "mkv", "webm"],
      chromas: [.s420, .s422, .s444], depths: [8, 10, 12]),
    VideoCodec(
      "vp9", "libvpx-vp9", ["-crf", "25", "-b:v", "0", "-row-mt", "1"], in: ["mkv", "mp4", "webm"], chromas: [.s420],
      depths: [8, 10, 12]),
    VideoCodec(
      "prores", "prores_ks", ["-vendor", "apl0"], in: ["mov"], chromas: [.s422, .s444], depths: [10], share: 0.11),
  ]

  /// The container of the encoded pictures, before other streams are added: boxes, as they can be added to.
  package var work: VideoContainer { self == .ffv1 || name == "prores" ? .mov : .mp4 }

  /// Returns the layout nearest to one that the encoder takes: subsampled no more than necessary, of enough bits.
  func fitting(_ chroma: ChromaSubsampling, depth: Int) -> PlanarFormat {
    // Subsampled less first: from 4:2:0 to 4:4:4, what is there is kept.
    let order: [ChromaSubsampling] = [.s420, .s422, .s444]
    let at = order.firstIndex(of: chroma) ?? 2
    let wanted = chromas.isEmpty ? order[at] : order[at...].first(where: chromas.contains) ?? chromas[chromas.count - 1]
    let bits = depths.isEmpty ? depth : depths.first { $0 >= depth } ?? depths[depths.count - 1]
    return PlanarFormat(wanted, bitDepth: bits)
  }

  /// Returns true if frames of a layout can be encoded as they are.
  func takes(_ format: PlanarFormat) -> Bool {
    isLossless || format.model == .ycc && !format.hasAlpha && fitting(format.chroma, depth: format.bitDepth) == format
  }

  /// Returns the numbers of columns and rows that frames must have multiples of.
  func unit(_ format: PlanarFormat) -> PictureSize {
    if isLossless || name == "prores" { return PictureSize(1, 1) }
    return PictureSize(format.chroma.isSubsampled ? 2 : 1, format.chroma == .s420 ? 2 : 1)
  }

  /// FFmpeg's words for the encoder.
  func words(_ shape: FrameShape, _ color: ClipColor, _ light: OutputLight, _ container: VideoContainer) -> [String] {
    let format = shape.format
    var words = ["-c:v", encoder] + options
    switch name {
    case "ffv1": words += ["-slices", "\(Self.slices(shape))"]
    case "x265":
      let place = format.chroma == .s420 ? ":chromaloc=\(color.siting.location)" : ""
      words += ["-x265-params", "log-level=error:repeat-headers=1" + place + light.x265]
      words += tag(container)
    case "svtav1":
      // AV1 has names for two places alone.
      let place = [ChromaSiting.left: "left", .topLeft: "topleft"][color.siting]
      let parameters = [place.map { "chroma-sample-position=" + $0 }, light.svtav1].compactMap { $0 }
      if !parameters.isEmpty { words += ["-svtav1-params", parameters.joined(separator: ":")] }
    case "aom":
      let place = [ChromaSiting.left: "vertical", .topLeft: "colocated"][color.siting]
      if format.chroma == .s420, let place { words += ["-aom-params", "chroma-sample-position=" + place] }
    case "vp9": words += ["-profile:v", format.bitDepth == 8 ? "0" : "2"]
    case "prores": words += ["-profile:v", format.chroma == .s444 ? "4" : "3"]
    default: break
    }
    return words
  }

  /// Returns how many slices FFV1 of version 3 divides frames into: 4, or the next number with which its planes of chroma, whose
  /// odd sides are rounded up, are divided as luma is (FFmpeg's `ff_need_new_slices`).
  private static func slices(_ shape: FrameShape) -> Int {
    // FFmpeg takes one slice for small pictures alone.
    guard min(shape.width, shape.height) >= 16 || shape.width > 352 || shape.height > 288 else { return 1 }
    func divides(_ side: Int, into count: Int, _ shift: Int) -> Bool {
      shift == 0 || side % 2 == 0 || (side - side * (count - 1) / count) % 2 != 0
    }
    let chroma = shape.format.chroma
    for down in 2...8 where divides(shape.height, into: down, chroma.verticalShift) {
      for across in down..<2 * down where divides(shape.width, into: across, chroma.horizontalShift) {
        return down * across
      }
    }
    return 4
  }

  /// FFmpeg's words for the name of the codec in a container.
  func tag(_ container: VideoContainer) -> [String] {
    name == "x265" && container.isISO ? ["-tag:v", "hvc1"] : []
  }

  /// True if each key frame has the parameter sets, so that a decoder needs no others.
  var repeatsHeaders: Bool { name == "x265" }
}

extension ChromaSiting {
  /// The code of H.265's `chroma_sample_loc_type`.
  var location: Int {
    switch (horizontallyCosited, verticallyCosited) {
    case (true, false): 0
    case (false, false): 1
    case (true, true): 2
    case (false, true): 3
    }
  }
}

/// A container of clips: a row of `all`.
package struct VideoContainer: Sendable, Hashable {
  /// The ending of its files.
  package let name: String
  /// FFmpeg's name of its writer.
  let muxer: String
  /// True for boxes, which count time as finely as is asked for. Matroska counts milliseconds.
  let isISO: Bool

  package static let mp4 = VideoContainer(name: "mp4", muxer: "mp4", isISO: true)
  package static let mov = VideoContainer(name: "mov", muxer: "mov", isISO: true)

  package static let all = [
    VideoContainer(name: "mkv", muxer: "matroska", isISO: false), mp4, mov,
    VideoContainer(name: "webm", muxer: "webm", isISO: false),
  ]

  /// Segments of clips: any codec, and a clock as fine as the frames'. No output is so.
  static let segment = VideoContainer(name: "nut", muxer: "nut", isISO: false)

  package static func named(_ name: String) -> VideoContainer? { all.first { $0.name == name } }

  /// FFmpeg's words for the container.
  ///
  /// - Parameter clock: that of the frames.
  func words(_ clock: TimeBase) -> [String] {
    // A whole number of ticks a second: numerators other than 1 are those of rates, as 1001/24000.
    ["-f", muxer] + (isISO ? ["-video_track_timescale", "\(clock.denominator)"] : [])
  }
}
