import CodecService
import HDRCore
import HDRRender
import PlainData
import VideoStreams

/// A part of a clip whose pictures change their size, layout or meaning: all its pictures are alike.
package struct ClipPart: Sendable {
  /// Counts parts from 1.
  var number: Int
  var count: Int
  /// A file of the part's packets alone, whose times begin at 0.
  var packets: InputFile
  /// The whole clip, what is known of it, and its digest.
  var clip: InputFile
  var whole: ClipFacts
  var digest: Digest?
  /// The times between which the part is shown, in seconds behind the start of the clip; `nil`: from its start, to its end.
  var start: Double?
  var end: Double?

  /// Containers in which ffmpeg finds a time.
  static let searched: Set<String> = ["mov", "matroska"]

  /// Takes over what the whole clip says of its parts. Chapters are the whole clip's.
  ///
  /// - Throws: `HDRError`, `video.stream-dropped` if other streams cannot be cut and none may be lost.
  func describe(_ facts: inout ClipFacts, isStrict: Bool) throws(HDRError) {
    (facts.container, facts.number, facts.rotation) = (whole.container, whole.number, whole.rotation)
    (facts.keys, facts.videoKeys, facts.others) = (whole.keys, whole.videoKeys, whole.others)
    (facts.dolbyNumbers, facts.dolbyLevel) = (whole.dolbyNumbers, whole.dolbyLevel)
    facts.takeCoarsestClock()
    facts.stated = whole.stated
    if let stated = whole.stated, (stated.width, stated.height) != (facts.width, facts.height) {
      facts.stated?.crop = nil
    }
    facts.light += whole.stated.map { [$0.light] } ?? []
    guard !whole.others.isEmpty, !Self.searched.contains(whole.container) else { return }
    let message: Message = "sound and other streams of \(printable(whole.container)) are not cut into parts"
    guard !isStrict else { throw HDRError(clip: "stream-dropped", message) }
    facts.warnings.append(Warning("video.stream-dropped", message))
    facts.others = []
  }

  /// FFmpeg's words for the part of the whole clip.
  var words: [String] {
    (start.map { ["-ss", decimals($0, 6)] } ?? []) + (end.map { ["-to", decimals($0, 6)] } ?? [])
  }

  /// FFmpeg's words for an output of the part: what precedes it is left out, and a time code is none of a later part.
  var outputWords: [String] {
    guard start != nil else { return [] }
    return ["-copypriorss", "0", "-metadata", "timecode=", "-metadata:s:0", "timecode="]
  }
}

extension ClipFacts {
  /// Takes the coarsest clock that holds all times. FFmpeg writes packets with a finer one than the clip's, by whose ticks
  /// frames are equally far apart.
  fileprivate mutating func takeCoarsestClock() {
    let step = times.reduce(timeBase.denominator) { FrameRate.common($0, $1) }
    guard step > 1 else { return }
    times = times.map { $0 / step }
    timeBase = TimeBase(timeBase.numerator, timeBase.denominator / step)
  }
}
