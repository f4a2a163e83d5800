import BatchEngine

/// Segment options say how clips are divided, and which of their segments are made here.
package struct SegmentOptions: Sendable {
  /// A run does one of these with segments.
  package enum Stage: Sendable, Hashable {
    /// Makes all, and joins them.
    case all
    /// Makes those of a shard.
    case shard(Shard)
    /// Joins what other runs have made, of the clips of a shard.
    case join(Shard)
  }

  package var least = SegmentLength.seconds(10)
  /// Segments that are made at a time, if there is memory for them.
  package var jobs = 1
  /// The memory of all processes.
  package var memory = Int.max
  package var stage = Stage.all

  package init() {}

  /// True if the outputs of clips are made.
  package var joins: Bool { if case .shard = stage { false } else { true } }

  /// Returns how many segments are made at a time, at least one.
  func jobs(needing bytes: Int) -> Int { max(1, min(jobs, memory / max(1, bytes))) }

  /// Returns true if a segment is made here. Segments of a clip and clips take turns, so that each shard has some of each.
  func makes(_ segment: Int, of clip: Int) -> Bool {
    switch stage {
    case .all: true
    case .shard(let shard): shard.contains(segment + clip)
    case .join: false
    }
  }
}

extension VideoCodec {
  /// Returns the memory that a segment takes while it is made: a decoder, an encoder, and at most twelve frames between them.
  ///
  /// - Parameter encoder: the limit of the encoder; `nil`: none.
  func memory(_ plan: ClipPlan, encoder: Int?) -> Int {
    let programs = 64 << 20, held = ["x265": 100, "x264": 80, "ffv1": 16, "prores": 16][name] ?? 120
    let frame = max(plan.decoded.byteCount, plan.encoded.byteCount)
    return programs + 12 * plan.decoded.byteCount + (encoder ?? programs + held * plan.encoded.byteCount) + 12 * frame
  }
}

/// The segments of a clip, for its record.
package struct SegmentCount: Sendable, Hashable {
  /// All segments of the clip.
  package var count: Int
  /// Those that this run has made; others were there.
  package var made = 0
}
