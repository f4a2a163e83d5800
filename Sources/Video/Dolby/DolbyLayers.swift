import HDRCore
import HDRRender
import PlainData
import VideoStreams

/// The RPUs of all frames of a clip, read and brought into the order in which frames are shown.
struct DolbyLayers: Sendable {
  let reshapes: FrameReshapes
  /// True if an enhancement layer, where there is one, adds nothing.
  let isMinimal: Bool
  /// The peak of the mastering display in cd/m², and the light level of level 6.
  let peak: Double
  let level: ContentLightLevel?
  /// True if RPUs have trims for other displays, levels 2 or 8.
  let hasTrims: Bool

  /// - Throws: `HDRError`, `dolby.rpu` if a frame has no RPU, or one that cannot be read.
  init(_ reader: DynamicMetadataReader, _ facts: ClipFacts) throws(HDRError) {
    guard !facts.isCountUnsure else {
      throw HDRError(
        rpu: "the frames of a bare bitstream have no times that RPUs could be ordered by: put it into Matroska or MP4 "
          + "first")
    }
    let packets = try reader.all(facts).decoded
    guard packets.count == facts.times.count, !packets.isEmpty else {
      throw HDRError(rpu: "\(packets.count) of \(facts.times.count) packets can be read for RPUs; take another copy")
    }
    var state = DolbyState(), read: [(pts: Int, reshape: DolbyReshape)] = [], last: DolbyState.Frame?
    var isMinimal = true, hasTrims = false, level: ContentLightLevel?
    for (number, packet) in packets.enumerated() {
      func fault(_ what: Message) -> HDRError {
        HDRError(rpu: "packet \(number) of \(packets.count): \(what); take another copy of the clip")
      }
      guard let payload = packet.metadata.rpu else { throw fault("it has no RPU") }
      let frame: DolbyState.Frame
      do throws(DecodeError) {
        frame = try state.read(payload[...], startsOver: packet.isKey)
      } catch {
        throw fault(error.message)
      }
      let sequence = frame.rpu.sequence
      guard sequence.baseDepth == last?.rpu.sequence.baseDepth ?? sequence.baseDepth else {
        throw fault("its codes have other bits than those before")
      }
      let isSame = last.map { $0.mapping == frame.mapping && $0.colors == frame.colors && $0.rpu.sequence == sequence }
      read.append((packet.pts, isSame == true ? read[number - 1].reshape : frame.reshape))
      isMinimal = isMinimal && frame.mapping.isMinimal(sequence)
      let display = frame.rpu.display
      hasTrims = hasTrims || display?.levels.contains { $0 == 2 || $0 == 8 } == true
      level = level ?? display?.contentLight
      last = frame
    }
    read.sort { $0.pts < $1.pts }
    reshapes = try FrameReshapes(read.map(\.reshape), bitDepth: last?.rpu.sequence.baseDepth ?? 10)
    (self.isMinimal, self.hasTrims, self.level) = (isMinimal, hasTrims, level)
    peak = Transfer.pqEOTF(Double(last?.colors.maximum ?? 0) / 4095).rounded()
  }
}

extension HDRError {
  /// Makes the error of an RPU that is missing or cannot be read.
  init(rpu message: Message) { self.init(code: "dolby.rpu", message: message, kind: .source) }

  /// Makes the error of a profile of which something is asked that it does not have.
  init(dolby message: Message) { self.init(code: "dolby.profile", message: message, kind: .source) }
}
