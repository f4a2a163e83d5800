import CodecService
import FileParts
import HDRCore
import HDRRender
import PlainData
import VideoStreams

/// A record says what became of a clip, in one line.
package struct ClipRecord: Sendable {
  package enum Status: String, Sendable {
    case ok, warn, failed, skipped
  }

  package var status = Status.failed
  package var error: HDRError?
  package var input: FilePath
  package var output: FilePath
  package var digest: Digest?
  package var plan: ClipPlan?
  package var codec: VideoCodec
  /// The frames that were written.
  package var frames = 0
  /// The number of the part of the clip, from 1, and how many there are; `nil`: all of it.
  package var part: (number: Int, count: Int)?
  /// The segments in which it was made; `nil`: at once.
  package var segments: SegmentCount?
  package var outputBytes = 0
  package var outputDigest: Digest?
  /// The digest of all samples that the encoder got, in their order.
  package var framesDigest: Digest?
  package var warnings: [Warning] = []
  package var seconds = 0.0
  /// The clip became these stills; `nil`: it became a clip.
  package var stills: StillFacts?
  /// Why the clip was left out, if its output is not there already.
  package var skipReason: String?
  let ffmpeg: FFmpeg

  init(_ input: FilePath, _ output: FilePath, _ codec: VideoCodec, _ ffmpeg: FFmpeg) {
    (self.input, self.output, self.codec, self.ffmpeg) = (input, output, codec, ffmpeg)
  }

  /// Returns what a stream or a container states; `nil`: nothing.
  private static func tags(_ color: BitstreamColor) -> String? {
    color == BitstreamColor() || color == .unstatedHEVC ? nil : TrackColor.text(color)
  }

  /// Returns how players turn the clip, and what becomes of that; `nil`: they do not.
  private func rotation(_ plan: ClipPlan) -> JSON? {
    let turn = plan.facts.orientation
    guard turn != .up else { return nil }
    let isApplied = stills != nil || plan.shape.turn != .up
    return [
      "degrees": .number(plan.facts.rotation), "orientation": .maybe(turn?.rawValue),
      "action": .string(isApplied ? "applied" : turn == nil ? "dropped" : "kept"),
    ]
  }

  /// The most warnings in a row; further ones are only counted.
  static let maxWarnings = 64

  /// Fields in a fixed order; a field that is not known is `null`.
  package var json: JSON {
    let facts = plan?.facts, clip = stills == nil ? plan : nil
    let size = facts.map { JSON.array([.int($0.width), .int($0.height)]) } ?? .null
    var (mastering, light, dolby) = (JSON.null, JSON.null, JSON.null)
    if let display = plan?.lightIn.mastering {
      mastering = ["max": .number(display.maxLuminance), "min": .number(display.minLuminance)]
    }
    if let stated = plan?.lightIn, let most = stated.largestCLL {
      light = ["maxCLL": .int(Int(most)), "maxFALL": .maybe(stated.level.map { Int($0.maxFALL) })]
    }
    if let found = plan?.dolby { dolby = ["profile": .int(found.profile), "action": .string(found.action.rawValue)] }
    var said = warnings.prefix(Self.maxWarnings).map { "\($0.message.text(dashes: true)) [\($0.code)]" }
    if said.count < warnings.count { said.append("and \(warnings.count - said.count) more warnings") }
    return [
      "type": .string("clip"),
      "input": .string(input.display),
      "digest": .maybe(digest?.hex),
      "status": .string(status.rawValue),
      "code": .maybe(error?.code),
      "message": .maybe(error.map { $0.message.text(dashes: true) }),
      "container": .maybe(facts?.container),
      "codec": .maybe(facts?.codec),
      "size": size,
      "frames": .int(frames),
      "duration": .maybe(facts?.seconds),
      "rate": facts.map { $0.rate.map { .string($0.description) } ?? .string("vfr") } ?? .null,
      "tagsStream": .maybe(plan.flatMap { Self.tags($0.color.stream) }),
      "tagsContainer": .maybe(plan.flatMap { Self.tags($0.color.container) }),
      "tagsUsed": .maybe(plan?.input.text),
      "tagsWritten": .maybe(plan?.output.text),
      "siting": .maybe(plan?.input.siting.name),
      "masteringIn": mastering,
      "lightIn": light,
      "measured": plan?.measured?.json ?? .null,
      "masteringOut": plan?.light.mastering.map { ["max": .number($0.maxLuminance), "min": .number($0.minLuminance)] }
        ?? .null,
      "lightOut": plan?.light.level.map { ["maxCLL": .number($0.maxCLL), "maxFALL": .number($0.maxFALL)] } ?? .null,
      "peakUsed": .maybe(plan?.peak?.nits),
      "peakFrom": .maybe(plan?.peak?.from),
      "scenes": plan?.measured.map { .array($0.scenes.map { .int($0.lowerBound) }) } ?? .null,
      "clippedShare": .maybe(plan?.clippedShare),
      "measuredOut": plan?.lightOut.map { ["maxCLL": .number($0.maxCLL), "maxFALL": .number($0.maxFALL)] } ?? .null,
      "passthrough": plan.map { .bool($0.isPassthrough) } ?? .null,
      "dolby": dolby,
      "hdr10plus": .maybe(plan?.metadata.hdr10Plus?.rawValue),
      "hagc": .maybe(plan?.metadata.hagc?.rawValue),
      "streams": .array((plan?.carried ?? []).map(\.record)),
      "dropped": .array((plan?.dropped ?? []).map { .string($0) }),
      "rotation": plan.flatMap { rotation($0) } ?? .null,
      "sar": .maybe(facts?.sampleAspect?.description),
      "sizeOut": clip.map { .array([.int($0.encoded.width), .int($0.encoded.height)]) } ?? .null,
      "sarOut": .maybe(clip?.shape.aspect?.description),
      "padding": clip.map { .array([.int($0.padding.columns), .int($0.padding.rows)]) } ?? .null,
      "crop": clip?.shape.crop.map { .array([.int($0.x), .int($0.y), .int($0.width), .int($0.height)]) } ?? .null,
      "part": part.map { ["number": .int($0.number), "count": .int($0.count)] } ?? .null,
      "segments": segments.map { ["count": .int($0.count), "made": .int($0.made)] } ?? .null,
      "sample": plan?.sample.map { sample in
        ["every": .int(sample.every), "frames": facts.map { .int(sample.count(in: $0)) } ?? .null]
      } ?? .null,
      "stills": stills?.json ?? .null,
      "encoder": .string(stills?.target ?? codec.name),
      "ffmpeg": ["version": .string(ffmpeg.version), "sha256": .string(ffmpeg.digest.hex)],
      "output": .string(output.display),
      "outputBytes": .int(outputBytes),
      "outputDigest": .maybe(outputDigest?.hex),
      "framesDigest": .maybe(framesDigest?.hex),
      "seconds": .number(seconds),
      "warnings": .array(said.map { .string($0) }),
    ]
  }
}
