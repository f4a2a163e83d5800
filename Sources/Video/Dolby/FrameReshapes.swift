import HDRCore
import HDRRender

/// The reshaping of each frame of a clip, in the order in which frames are shown.
package struct FrameReshapes: Sendable {
  /// The bits of the codes that all frames have.
  package let bitDepth: Int
  private var tables: [DolbyReshape] = []
  /// The place of each frame's table.
  private var places: [Int] = []

  /// The most different tables of a clip: 640 MB.
  private static let most = 1 << 18

  /// - Parameter shown: one for each frame; equal ones take memory once.
  init(_ shown: [DolbyReshape], bitDepth: Int) throws(HDRError) {
    self.bitDepth = bitDepth
    var known: [DolbyReshape: Int] = [:], last: DolbyReshape?
    for reshape in shown {
      if reshape == last {
        places.append(places[places.count - 1])
        continue
      }
      last = reshape
      let place = known[reshape] ?? tables.count
      if place == tables.count {
        guard place < Self.most else {
          throw HDRError(clip: "limit", "more than \(Self.most) frames have an RPU of their own; cut the clip")
        }
        tables.append(reshape)
        known[reshape] = place
      }
      places.append(place)
    }
  }

  package var count: Int { places.count }

  /// Returns the reshaping of a frame; `nil` behind the last one.
  package func reshape(_ number: Int) -> DolbyReshape? {
    places.indices.contains(number) ? tables[places[number]] : nil
  }
}
