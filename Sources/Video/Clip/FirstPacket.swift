import FileParts
import HDRCore
import HDRRender
import VideoStreams

/// The first packet of a clip, as ffmpeg copies it into NUT: the statements of the bitstream.
struct FirstPacket {
  let stream: NUTStream
  let bytes: [UInt8]

  /// The most bytes of a packet that is read.
  private static let mostBytes = 1 << 26

  /// Reads the packet, and what follows it, so that ffmpeg ends by itself.
  ///
  /// - Returns: `nil` if there is none, or one that is too large.
  init?(_ pipe: Pipe) {
    defer { _ = try? pipe.readAll(atMost: Self.mostBytes) }
    do throws(DecodeError) {
      var reader = try NUTReader(PipeStream(pipe))
      guard let stream = reader.streams.first, try reader.next() != nil else { return nil }
      (self.stream, bytes) = (stream, try reader.payload(atMost: Self.mostBytes))
    } catch {
      return nil
    }
  }
}

extension ClipFacts {
  /// Reads what the container says of the shown track. ffmpeg says the same, but not where it has it from.
  ///
  /// - Throws: `HDRError`, `video.times` for a track whose clock does not count.
  mutating func readContainer(_ clip: InputFile) throws(HDRError) {
    let file: ContainerFile
    do throws(DecodeError) {
      guard let found = try ContainerFile.read(try FileAccess(clip.descriptor)) else { return }
      file = found
    } catch {
      warnings.append(Warning("video.box", "the container's own description is not read: \(error)"))
      return
    }
    warnings += file.warnings
    guard let track = track(in: file), let video = track.video else { return }
    guard track.timeBase != nil else {
      throw HDRError(clip: "times", "the clock of the video track has no ticks; take another copy")
    }
    stated = video
    let isRotated = video.width == height && video.height == width
    if (video.width, video.height) != (width, height), !isRotated {
      warnings.append(
        Warning(
          "video.size-differs",
          "the container says \(video.width)x\(video.height), and frames are \(width)x\(height), which counts"))
    }
  }

  /// Returns the shown track of a container. Pictures of chapters are tracks, those of covers come behind all tracks.
  func track(in file: ContainerFile) -> ContainerTrack? {
    let before = others.count { $0.kind == "video" && $0.number < number }
    return file.tracks.lazy.filter { $0.video != nil }.dropFirst(before).first
  }

  /// Reads what the bitstream says in its first packet.
  ///
  /// - Parameter frameLight: what ffmpeg says of the light of the first frame, for codecs whose messages are not read here.
  mutating func read(_ packet: FirstPacket?, _ frameLight: LightMetadata) {
    var first = LightMetadata()
    if let packet {
      do throws(DecodeError) {
        coded = try CodedVideo(packet.stream, firstPacket: packet.bytes[...])
        first = try LightMetadata(
          packet.stream, firstPacket: packet.bytes[...],
          transfer: coded?.color.transfer ?? transfer ?? CICP.Transfer.unspecified, warnings: &warnings)
      } catch {
        warnings.append(Warning("video.box", "the headers of the stream are not read: \(error)"))
      }
    }
    // A text has four digits behind the point, and AV1 other units: the container's is meant where both are near.
    if first.mdcv == nil, let display = frameLight.mdcv, stated?.light.mdcv?.isNear(display) != true {
      first.mdcv = display
    }
    if first.clli == nil { first.clli = frameLight.clli }
    warnings = warnings.map { $0.code.hasPrefix("light.") ? Warning("light.invalid", $0.message) : $0 }
    light = [first] + (stated.map { [$0.light] } ?? [])
  }
}

extension MasteringDisplay {
  /// Returns true if two statements differ by their units alone.
  func isNear(_ other: MasteringDisplay) -> Bool {
    let points = primaries ?? [], others = other.primaries ?? []
    return points.count == others.count
      && zip(points, others).allSatisfy { abs($0.x - $1.x) < 1e-4 && abs($0.y - $1.y) < 1e-4 }
      && abs(maxLuminance - other.maxLuminance) <= 0.005 * maxLuminance && abs(minLuminance - other.minLuminance) < 1e-4
  }
}

extension StatedLight {
  /// Takes statements in their order, in which the first counts.
  init(_ statements: [LightMetadata], transfer: Int) {
    self.init(transfer: transfer)
    for statement in statements {
      let isSame = statement.mdcv.flatMap { mastering?.isNear($0) } ?? false
      add(mastering: isSame ? nil : statement.mdcv, level: statement.clli)
    }
  }
}
