import CodecService
import HDRCore
import HDRRecipe
import HDRRender

/// A target is the word after `--to`: a clip becomes that.
package enum VideoTarget: String, Sendable, Hashable, CaseIterable {
  /// The colour of the source.
  case same
  /// PQ, BT.2020.
  case hdr10
  /// HLG, BT.2020.
  case hlg
  /// BT.709.
  case sdr
}

/// Samples without tags are taken for one of these.
package enum UntaggedVideo: String, Sendable, Hashable, CaseIterable {
  /// SDR of 8 bits: BT.709 from 720 lines on, else BT.601; all else is refused.
  case auto
  case bt709
  case bt601
  case fail
}

/// Those that state what a clip means.
package enum StatementSource: String, Sendable, Hashable, CaseIterable {
  case stream, container
}

/// Options of a run say what clips become, and which faults may pass.
package struct VideoOptions: Sendable {
  package var target = VideoTarget.same
  package var codec = VideoCodec.ffv1
  /// The container; a name of `VideoCodec.containers`.
  package var container = "mkv"
  /// Further options of the encoder: FFmpeg's words.
  package var codecOptions: [String] = []
  /// The filters and settings of frames, as for a still; of a `pq-raw` kind, which each clip replaces by its own.
  package var choice: ResolvedOutput
  /// True if filters or settings may change frames beside what `target` asks for.
  package var isEdited = false
  /// Code points in the place of the clip's own.
  package var stated: CodePoints?
  package var statedRange: Bool?
  package var statedSiting: ChromaSiting?
  package var untagged = UntaggedVideo.auto
  /// The statement that counts where the stream and the container differ.
  package var trust = StatementSource.stream
  /// True to turn frames as players do, instead of telling players.
  package var turns = false
  /// True to resample frames to square pixels.
  package var squares = false
  /// True to give frames of odd sides a further column and row where the encoder needs that.
  package var pads = false
  /// The output gets these of the clip's texts.
  package var metadata = MetadataChoice.all
  /// True to fail a clip of which a stream would be left out.
  package var isStrict = false
  /// True to put the description of MP4 and QuickTime before the samples.
  package var isFastStart = false
  package var dolby = DolbyRule.auto
  package var hdr10Plus = HDR10PlusRule.keep
  package var hagc = HeadroomRule.keep
  /// True to go on behind damaged frames.
  package var takesDamaged = false
  /// True to take interlaced frames for whole ones.
  package var takesInterlaced = false
  /// The stream of pictures that is shown, counted from 0. Pictures of covers do not count.
  package var video = 0
  /// Clips are divided so; `nil`: each is made at once.
  package var segments: SegmentOptions?
  /// Every such segment is decoded in software, too, and compared; `nil`: none is.
  package var sample: Int?
  /// Clips that are done are not done again.
  package var resumes = false
  /// The digest of all settings that decide a byte of the outputs.
  package var decisive = Digest(of: [])
  /// The address space of an encoder; `nil`: that of all programs.
  package var encoderMemory: Int?
  /// Clips' light is measured so.
  package var light = LightOptions()
  package var limits = DecodeLimits()
  package var existing = ExistingFile.refuse
  /// True to leave alone a part of a clip whose output is there.
  package var skipsExisting = false
  /// True to make an output of each part of a clip whose pictures change.
  package var splits = false
  /// These stills are made; `nil`: clips are.
  package var stills: StillOptions?

  package init(_ choice: ResolvedOutput) { self.choice = choice }
}
