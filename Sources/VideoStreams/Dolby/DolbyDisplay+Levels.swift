import FileParts
import HDRCore

/// Extension blocks that this program understands. Blocks that are too short say nothing.
extension DolbyDisplay {
  /// Level 1: the darkest, the mean and the brightest light of the frame, or of its scene, as PQ codes of 12 bits.
  package struct FrameLight: Sendable, Equatable {
    package var minimum: Int
    package var maximum: Int
    package var mean: Int
  }

  /// Level 5: the rows and columns of pixels beside the active area.
  package struct Borders: Sendable, Equatable {
    package var left: Int
    package var right: Int
    package var top: Int
    package var bottom: Int

    package init(left: Int, right: Int, top: Int, bottom: Int) {
      (self.left, self.right, self.top, self.bottom) = (left, right, top, bottom)
    }
  }

  /// The levels of all blocks, in their order.
  package var levels: [Int] { lists.joined().map(\.level) }

  package var frameLight: FrameLight? {
    fields(of: 1, [12, 12, 12]).map { FrameLight(minimum: $0[0], maximum: $0[1], mean: $0[2]) }
  }

  package var borders: Borders? {
    fields(of: 5, [13, 13, 13, 13]).map { Borders(left: $0[0], right: $0[1], top: $0[2], bottom: $0[3]) }
  }

  /// Level 6: MaxCLL and MaxFALL of the base layer; `nil` if they are unknown.
  package var contentLight: ContentLightLevel? {
    guard let found = fields(of: 6, [16, 16, 16, 16]), found[2] > 0 else { return nil }
    return ContentLightLevel(maxCLL: Double(found[2]), maxFALL: Double(found[3]))
  }

  private func fields(of level: Int, _ widths: [Int]) -> [Int]? {
    guard let block = lists.joined().first(where: { $0.level == level }) else { return nil }
    var bits = BitReader(block.payload, place: DolbyRPU.place), fields: [Int] = []
    for width in widths {
      guard let field = try? bits.bits(width) else { return nil }
      fields.append(field)
    }
    return fields
  }
}
