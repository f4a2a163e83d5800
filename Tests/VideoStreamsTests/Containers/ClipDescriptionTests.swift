import FileParts
import Foundation
import HDRCore
import PlainData
import TestSupport
import Testing
import VideoStreams

/// The clips of the shared data. Expected values are those that ffprobe 5.1.9 prints, apart from code points: ffprobe
/// merges those of streams and containers, which are noted here from the bytes of each.
@Suite(.enabled(if: SharedData.url("data/video/MANIFEST.tsv") != nil, "skipped: no data"))
struct ClipDescriptionTests {
  private static func file(_ name: String) throws -> ContainerFile? {
    try ContainerFile.read(MemoryAccess(try #require(SharedData.bytes("data/video/" + name))))
  }

  private static func text<T>(_ value: T?) -> String { value.map { "\($0)" } ?? "-" }

  /// Describes what the container says: codec, size, code points, clock, samples, and what is not usual.
  private static func container(_ name: String) throws -> String {
    let track = try #require(try file(name)?.videoTrack), video = try #require(track.video)
    var words = [
      track.codec.rawValue, "\(video.width)x\(video.height)", TrackColor.text(video.color), text(track.timeBase),
      text(track.sampleCount), text(video.isInterlaced),
    ]
    if let aspect = video.sampleAspect { words.append("sar \(aspect)") }
    if video.orientation != .up { words.append("turn \(text(video.orientation))") }
    if let location = video.chromaLocation { words.append("chroma \(location)") }
    if let level = video.light.clli { words.append("cll \(level.maxCLL) \(level.maxFALL)") }
    if let display = video.light.mdcv { words.append("mdcv \(display.maxLuminance) \(display.minLuminance)") }
    if let dolby = video.dolby { words.append("dolby \(dolby.profile).\(dolby.compatibility)") }
    return words.joined(separator: " ")
  }

  @Test(arguments: [
    "av1-hdr10.mp4": "av1 320x180 9/16/9 limited 1/12288 24 false cll 4000.0 300.0 mdcv 1000.0 0.0001",
    "dv-p5.mp4": "hevc 320x180 2/2/2 1/12288 12 - dolby 5.0",
    "dv-p5-mmr.mp4": "hevc 320x180 2/2/2 1/12288 12 - dolby 5.0",
    "dv-p81.mp4": "hevc 320x180 9/16/9 limited 1/12288 12 - dolby 8.1",
    "dv-p84.mov": "hevc 320x180 9/18/9 1/12288 12 - dolby 8.4",
    "full-range.mp4": "hevc 320x180 9/16/9 full 1/12288 12 false",
    "hdr10.mp4": "hevc 320x180 9/16/9 limited 1/12288 24 false",
    "hevc422.mp4": "hevc 320x180 9/16/9 limited 1/12288 12 false",
    "nclx-709-vui-pq.mp4": "hevc 320x180 1/1/1 limited 1/12288 24 false",
    "odd-crop.mp4": "hevc 322x182 9/16/9 limited 1/12288 12 false",
    "open-gop.mp4": "hevc 320x180 9/16/9 limited 1/12288 60 false",
    "p3-master.mp4": "hevc 320x180 9/16/9 limited 1/12288 12 false",
    "sar.mp4": "hevc 320x180 9/16/9 limited 1/12288 12 false sar 4:3",
    "sdr.mp4": "h264 320x180 1/1/1 limited 1/30000 24 -",
    "siting-left.mp4": "hevc 320x180 9/16/9 limited 1/12288 12 false",
    "st2094-50-it35.mp4": "av1 480x270 9/16/9 limited 1/11488 30 false sar 1:1",
    "untagged.mp4": "h264 320x180 2/2/2 1/12288 24 -",
    "vfr.mp4": "hevc 320x180 9/16/9 limited 1/90000 30 false",
    "hlg.mov": "hevc 320x180 9/18/9 1/12800 24 false",
    "phone-rotated.mov": "hevc 180x320 9/18/9 1/12800 24 false turn left",
    "prores-hlg.mov": "prores 320x180 9/18/9 1/12800 12 false",
    "attach.mkv": "ffv1 320x180 9/16/9 limited 1/1000 - false",
    "dv81-dovi-tool.mkv": "hevc 256x144 2/2/2 1/1000 - - sar 1:1 dolby 8.1",
    "hdr10plus.mkv": "hevc 256x144 2/2/2 1/1000 - - sar 1:1",
    "hlg-lossless.mkv": "ffv1 320x180 9/18/9 limited 1/1000 - false",
    "interlaced.mkv": "h264 320x180 1/1/1 limited 1/1000 - true",
    "odd-321x181.mkv": "ffv1 321x181 9/16/9 limited 1/1000 - false",
    "pq-lossless.mkv": "ffv1 320x180 9/16/9 limited 1/1000 - false",
    "pq444-12.mkv": "ffv1 320x180 9/16/9 limited 1/1000 - false",
    "untagged10.mkv": "hevc 320x180 2/2/2 1/1000 - false",
    "vfr.mkv": "hevc 320x180 9/16/9 limited 1/1000 - false chroma 0",
    "vp9-hdr.webm": "vp9 320x180 9/16/9 limited 1/1000 - false cll 4000.0 300.0 mdcv 1000.0 0.0001",
  ])
  func containersSayWhatTheyHold(name: String, text: String) throws { #expect(try Self.container(name) == text) }

  /// Describes what the parameter sets of the container's record say.
  private static func stream(_ name: String) throws -> String {
    let track = try #require(try file(name)?.videoTrack)
    guard let coded = try CodedVideo(track.codec, configuration: track.configuration) else { return "-" }
    var words = [
      "\(coded.width)x\(coded.height) of \(coded.codedWidth)x\(coded.codedHeight)", text(coded.chroma?.rawValue),
      text(coded.bitDepth), TrackColor.text(coded.color), "chroma " + text(coded.chromaLocation),
      text(coded.isInterlaced),
    ]
    if let aspect = coded.sampleAspect { words.append("sar \(aspect)") }
    return words.joined(separator: " ")
  }

  @Test(arguments: [
    "av1-hdr10.mp4": "320x180 of 320x180 4:2:0 10 9/16/9 limited chroma - false",
    "dv-p5.mp4": "320x180 of 320x184 4:2:0 10 2/2/2 full chroma - false",
    "dv-p81.mp4": "320x180 of 320x184 4:2:0 10 9/16/9 limited chroma 2 false",
    "dv-p84.mov": "320x180 of 320x184 4:2:0 10 9/18/9 limited chroma 2 false",
    "full-range.mp4": "320x180 of 320x184 4:2:0 10 9/16/9 full chroma 2 false",
    "hevc422.mp4": "320x180 of 320x184 4:2:2 10 9/16/9 limited chroma - false",
    "nclx-709-vui-pq.mp4": "320x180 of 320x184 4:2:0 10 9/16/9 limited chroma 2 false",
    "odd-crop.mp4": "322x182 of 328x184 4:2:0 10 9/16/9 limited chroma 2 false",
    "open-gop.mp4": "320x180 of 320x184 4:2:0 10 9/16/9 limited chroma - false",
    "sar.mp4": "320x180 of 320x184 4:2:0 10 9/16/9 limited chroma 2 false sar 4:3",
    "sdr.mp4": "320x180 of 320x192 4:2:0 8 1/1/1 limited chroma - false",
    "siting-left.mp4": "320x180 of 320x184 4:2:0 10 9/16/9 limited chroma 0 false",
    "untagged.mp4": "320x180 of 320x192 4:2:0 8 2/2/2 chroma - false",
    "phone-rotated.mov": "180x320 of 184x320 4:2:0 10 9/18/9 limited chroma - false",
    "interlaced.mkv": "320x180 of 320x192 4:2:2 8 1/1/1 limited chroma - -",
    "dv81-dovi-tool.mkv": "256x144 of 256x144 4:2:0 10 9/16/9 limited chroma 2 false",
    "untagged10.mkv": "320x180 of 320x184 4:2:0 10 2/2/2 limited chroma - false",
    "prores-hlg.mov": "-", "pq-lossless.mkv": "-", "vp9-hdr.webm": "-",
  ])
  func parameterSetsSayWhatTheStreamHolds(name: String, text: String) throws {
    #expect(try Self.stream(name) == text)
  }

  @Test func otherTracksAreListed() throws {
    let phone = try #require(try Self.file("phone-rotated.mov"))
    #expect(phone.kind == .quickTime && phone.tracks.map(\.kind) == [.video, .audio, .subtitle, .subtitle])
    #expect(phone.tracks.map(\.entry) == ["hvc1", "mp4a", "tx3g", "text"])
    #expect(phone.tracks.map(\.isEnabled) == [true, true, true, false])
    #expect(phone.tracks.map(\.language) == [nil, nil, nil, nil] && phone.tracks[1].sampleCount == 46)
    let android = try #require(try Self.file("st2094-50-it35.mp4"))
    #expect(android.tracks.map(\.language) == ["eng", nil] && android.tracks[1].entry == "it35")
    #expect(try Self.file("attach.mkv")?.attachments == 1)
    #expect(try Self.file("vp9-hdr.webm")?.kind == .webM)
    for other in ["dnxhr-hlg.mxf", "size-change.ts", "dv7-muxed.hevc"] { #expect(try Self.file(other) == nil) }
  }

  @Test func aConfigurationOfDolbyVisionIsRead() throws {
    let dolby = try #require(try Self.file("dv81-dovi-tool.mkv")?.videoTrack?.video?.dolby)
    #expect(dolby.profile == 8 && dolby.level == 1 && dolby.compatibility == 1)
    #expect(dolby.hasRPU && dolby.hasBase && !dolby.hasEnhancement)
  }

  @Test func recordsHaveFixedKeysAndWhatIsStated() throws {
    let bytes = try #require(SharedData.bytes("data/video/av1-hdr10.mp4"))
    let record = try #require(try ClipDescription(MemoryAccess(bytes))).record
    #expect(
      record.line
        == #"{"container":"mp4","codec":"av1","entry":"av01","track":1,"width":320,"height":180,"bitDepth":10,"#
        + #""chroma":"4:2:0","profile":0,"level":0,"frames":24,"timeBase":"1/12288","seconds":1,"#
        + #""tagsStream":"9/16/9 limited","tagsContainer":"9/16/9 limited","chromaLocation":null,"#
        + #""masteringIn":"0.0001 to 1000 cd/m\u00b2, with primaries","lightIn":"MaxCLL 4000 cd/m\u00b2, MaxFALL 300 cd/m\u00b2","#
        + #""ambientIn":null,"dolby":null,"orientation":1,"sar":null,"crop":null,"interlaced":false,"alpha":false,"#
        + #""views":false,"encrypted":false,"language":null,"cut":false,"#
        + #""streams":[{"track":1,"kind":"video","entry":"av01","language":null}],"attachments":0,"warnings":[]}"#)
    let other = try #require(SharedData.bytes("data/video/malformed/17-encv.mp4"))
    let hidden = try #require(try ClipDescription(MemoryAccess(other))).record
    #expect(hidden["encrypted"]?.bool == true && hidden["tagsStream"] == .null)
    let screen = try #require(SharedData.bytes("data/video/size-change.ts"))
    #expect(try ClipDescription(MemoryAccess(screen)) == nil)
  }

  // MARK: First packets

  /// The first bytes of streams without a record, found by the tables of the files.
  @Test func firstPacketsSayWhatTheStreamHolds() throws {
    let movie = try #require(SharedData.bytes("data/video/prores-hlg.mov"))
    let frame = try #require(movie.indices.first { movie[$0...].starts(with: Array("icpf".utf8)) }) - 4
    let prores = try #require(try CodedVideo(.prores, packet: movie[frame...], lengthSize: nil))
    #expect(prores.width == 320 && prores.height == 180 && prores.chroma == .s422 && prores.bitDepth == 10)
    #expect(TrackColor.text(prores.color) == "9/18/9" && prores.isInterlaced == false && !prores.hasAlpha)
    let web = try #require(SharedData.bytes("data/video/vp9-hdr.webm"))
    // A key frame of profile 2 begins with 0x92 0x49 0x83 0x42, shifted by the bits before the synchronisation code.
    let start = try #require(web.indices.first { web[$0...].starts(with: [0x92, 0x49, 0x83, 0x42]) })
    let vp9 = try #require(try CodedVideo(.vp9, packet: web[start...], lengthSize: nil))
    #expect(vp9.width == 320 && vp9.height == 180 && vp9.bitDepth == 10 && vp9.profile == 2)
    #expect(TrackColor.text(vp9.color) == "2/2/9 limited")
    let stream = try #require(SharedData.bytes("data/video/dv7-muxed.hevc"))
    let hevc = try #require(try CodedVideo(.hevc, packet: stream[...], lengthSize: nil))
    #expect(hevc.width == 256 && hevc.height == 144 && TrackColor.text(hevc.color) == "9/16/9 limited")
    #expect(hevc.chromaLocation == 2)
  }

  /// Streams that FFmpeg has copied into NUT: codes and extradata as it writes them.
  @Test func copiedStreamsSayTheSame() throws {
    func coded(_ codec: FourCC, _ extradata: [UInt8], _ packet: ArraySlice<UInt8>) throws -> CodedVideo? {
      var stream = NUTStream(codec: codec, timeBase: TimeBase(1, 1000), width: 320, height: 180)
      stream.extradata = extradata
      return try CodedVideo(stream, firstPacket: packet)
    }
    for (name, code) in [("hdr10.mp4", "HEVC"), ("sdr.mp4", "avc1"), ("av1-hdr10.mp4", "av01")] as [(String, FourCC)] {
      let track = try #require(try Self.file(name)?.videoTrack)
      let expected = try CodedVideo(track.codec, configuration: track.configuration)
      #expect(try expected != nil && coded(code, track.configuration, []) == expected, "\(name)")
    }
    let stream = try #require(SharedData.bytes("data/video/dv7-muxed.hevc"))
    let expected = try CodedVideo(.hevc, packet: stream[...], lengthSize: nil)
    // Start codes in the extradata, or in the first packet alone.
    #expect(try coded("HEVC", Array(stream.prefix(400)), []) == expected)
    #expect(try coded("HEVC", [], stream.prefix(400)) == expected)
    // A record without parameter sets: they are in the first packet, behind lengths.
    var track = try #require(try Self.file("dv-p81.mp4")?.videoTrack)
    let whole = try #require(try CodedVideo(.hevc, configuration: track.configuration))
    var reader = ByteReader(track.configuration, place: "test")
    let units = try HEVCConfiguration(&reader).nalUnits
    track.configuration = Array(track.configuration.prefix(22)) + [0]
    let packet = units.flatMap { unit in (0..<4).map { UInt8(truncatingIfNeeded: unit.count >> (24 - 8 * $0)) } + unit }
    #expect(try coded("HEVC", track.configuration, packet[...]) == whole)
    #expect(try coded("FFV1", [1, 2, 3], [4, 5, 6]) == nil)
    let web = try #require(SharedData.bytes("data/video/vp9-hdr.webm"))
    let key = try #require(web.indices.first { web[$0...].starts(with: [0x92, 0x49, 0x83, 0x42]) })
    #expect(try coded("VP90", [], web[key...])?.width == 320)
  }

  // MARK: Malformed

  @Test func malformedClipsEndWithATypedErrorOrAreMarked() throws {
    func malformed(_ name: String) throws -> ContainerFile? { try Self.file("malformed/" + name) }
    for name in ["01-truncated-mdat.mp4", "03-stsz-count.mp4", "15-ftyp-only.mov", "19-box-zero.mp4"] {
      #expect(throws: DecodeError.self, "\(name)") { try malformed(name) }
    }
    for name in ["14-empty.mp4", "20-png-named.mp4", "13-no-parameter-sets.hevc", "16-ts-loss.ts"] {
      #expect(try malformed(name) == nil, "\(name)")
    }
    for name in ["02-faststart-cut.mp4", "09-mkv-cut.mkv", "10-ebml-size.mkv"] {
      #expect(try malformed(name)?.isCut == true, "\(name)")
    }
    #expect(try malformed("17-encv.mp4")?.videoTrack?.isEncrypted == true)
    let scale = try #require(try malformed("05-timescale-0.mp4")?.videoTrack)
    #expect(scale.timeBase == nil && scale.sampleCount == 24)
    let size = try #require(try malformed("04-size-65535.mp4")?.videoTrack)
    #expect(size.video?.width == 65_535)
    #expect(try CodedVideo(size.codec, configuration: size.configuration)?.width == 320)
    let prores = try #require(SharedData.bytes("data/video/malformed/18-prores-header.mov"))
    let frame = try #require(prores.indices.first { prores[$0...].starts(with: Array("icpf".utf8) + [255, 255]) }) - 4
    #expect(throws: DecodeError.malformed(where: "ProRes frame header", what: "its size is 65535")) {
      try CodedVideo(.prores, packet: prores[frame...], lengthSize: nil)
    }
    let reserved = try #require(try malformed("08-nclx-99.mp4")?.videoTrack)
    let coded = try CodedVideo(reserved.codec, configuration: reserved.configuration)
    let color = try TrackColor(
      stream: coded, container: reserved.video, pictures: TrackPictures(codec: .hevc, height: 180, bitDepth: 10))
    #expect(color.used == CICP(9, 16, 9, full: false) && color.warnings.map(\.code) == ["video.tags-differ"])
    #expect(color.warnings[0].message.description.hasSuffix("reserved: 99, 99, 99"))
  }

  /// A file that is cut anywhere, or damaged, ends with an error of one line or is described; reads stay small.
  @Test(arguments: ["av1-hdr10.mp4", "vp9-hdr.webm", "attach.mkv"])
  func damageIsTyped(name: String) throws {
    let whole = try #require(SharedData.bytes("data/video/" + name))
    var random = SplitMix(state: 42)
    for turn in 0..<400 {
      var bytes = whole
      if turn % 4 == 0 {
        bytes.removeLast(Int(random.next() % UInt64(bytes.count)))
      } else {
        for _ in 0..<3 { bytes[Int(random.next() % UInt64(min(bytes.count, 1500)))] = UInt8(random.next() & 255) }
      }
      do throws(DecodeError) {
        let track = try ContainerFile.read(MemoryAccess(bytes))?.videoTrack
        if let track { _ = try CodedVideo(track.codec, configuration: track.configuration) }
      } catch {
        #expect(!error.message.description.contains("\n"))
      }
    }
  }
}
