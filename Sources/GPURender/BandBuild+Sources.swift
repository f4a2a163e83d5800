import HDRCore
import HDRPlan
import Kernels

/// The pictures that a pass reads: what goes up, and the words that tell kernels where it lies.
extension BandBuild {
  /// Writes the place of an earlier pass's picture into frame words.
  mutating func bind(_ source: Intermediate, _ frame: inout [UInt32], words: Int) -> Region {
    bytesRead += source.bytes
    // Images begin with their first row.
    frame[words + FrameLayout.channelFirstRow] = UInt32(source.rows.lowerBound)
    for (channel, plane) in source.planes.enumerated() {
      let word = words + channel * FrameLayout.channelWords
      frame[word + FrameLayout.channelOffset] = UInt32(truncatingIfNeeded: plane.offset)
      frame[word + FrameLayout.channelRowBytes] = UInt32(truncatingIfNeeded: plane.rowBytes)
      frame[word + FrameLayout.channelStepBytes] = 4
      frame[word + FrameLayout.channelWidth] = UInt32(source.pass.width)
      frame[word + FrameLayout.channelHeight] = UInt32(source.pass.height)
      frame[word + FrameLayout.channelFirstRow] = UInt32(source.rows.lowerBound)
    }
    return source.place
  }

  /// Writes the places of planes that the device holds into frame words: whole planes, wherever the band is.
  mutating func bind(
    _ held: DevicePlanes, of image: SampleImage, _ rect: SampleRect, _ frame: inout [UInt32], words: Int
  ) -> Region {
    let channels = image.channels.enumerated().map { ($0, $1) } + (image.alpha.map { [(3, $0)] } ?? [])
    for (channel, plane) in channels {
      let word = words + channel * FrameLayout.channelWords, part = part(of: plane, image, rect)
      frame[word + FrameLayout.channelOffset] = UInt32(truncatingIfNeeded: plane.offset)
      frame[word + FrameLayout.channelRowBytes] = UInt32(truncatingIfNeeded: plane.rowBytes)
      frame[word + FrameLayout.channelStepBytes] = UInt32(truncatingIfNeeded: plane.stepBytes)
      frame[word + FrameLayout.channelWidth] = UInt32(truncatingIfNeeded: plane.width)
      frame[word + FrameLayout.channelHeight] = UInt32(truncatingIfNeeded: plane.height)
      bytesRead += part.x.count * part.y.count * image.format.bytes
    }
    return .planes(held, bytes: held.bytes)
  }

  /// Adds the part of a picture that a rectangle of its pixels needs, channel by channel.
  mutating func add(
    _ image: SampleImage, _ rect: SampleRect, frame: inout [UInt32], words: Int
  ) throws(GPUError) -> Region {
    var channels: [(plane: SamplePlane, slot: Int, bytes: Int, rect: SampleRect)] = []
    for (index, plane) in image.channels.enumerated() where index < 3 {
      channels.append((plane, index, image.format.bytes, part(of: plane, image, rect)))
    }
    if let alpha = image.alpha { channels.append((alpha, 3, image.alphaFormat.bytes, part(of: alpha, image, rect))) }

    let start = planner.align(uploadBytes)
    var cursor = start
    var left = channels
    while let head = left.first {
      let group = left.filter { interleaves($0.plane, head.plane) && $0.rect == head.rect }
      left.removeAll { interleaves($0.plane, head.plane) && $0.rect == head.rect }
      let low = group.map(\.plane.offset).min() ?? 0
      let high = group.map { $0.plane.offset + $0.bytes }.max() ?? 0
      let r = head.rect, plane = head.plane
      let from = low + r.y.lowerBound * plane.rowBytes + r.x.lowerBound * plane.stepBytes
      let rowBytes = (r.x.count - 1) * plane.stepBytes + high - low
      // Rows keep their distance when they go up nearly whole and 16-bit samples stay inside 32-bit words.
      let keeps = (plane.rowBytes & 3 == 0 || head.bytes == 1) && rowBytes * 8 >= plane.rowBytes * 7
      let targetRowBytes = keeps ? plane.rowBytes : (rowBytes + 3) & ~3
      copies.append(
        SlabCopy(
          buffer: plane.buffer, offset: from, rowBytes: plane.rowBytes, target: cursor, targetRowBytes: targetRowBytes,
          rows: r.y.count, bytes: rowBytes))
      bytesRead += rowBytes * r.y.count
      for channel in group {
        let word = words + channel.slot * FrameLayout.channelWords
        // Modulo 2^32: the shader adds x * step, and with the first column's share it lands inside.
        let offset = cursor - start + channel.plane.offset - low - r.x.lowerBound * plane.stepBytes
        frame[word + FrameLayout.channelOffset] = UInt32(truncatingIfNeeded: offset)
        frame[word + FrameLayout.channelRowBytes] = UInt32(truncatingIfNeeded: targetRowBytes)
        frame[word + FrameLayout.channelStepBytes] = UInt32(truncatingIfNeeded: plane.stepBytes)
        frame[word + FrameLayout.channelWidth] = UInt32(truncatingIfNeeded: channel.plane.width)
        frame[word + FrameLayout.channelHeight] = UInt32(truncatingIfNeeded: channel.plane.height)
        frame[word + FrameLayout.channelFirstRow] = UInt32(truncatingIfNeeded: r.y.lowerBound)
      }
      cursor = (cursor + targetRowBytes * (r.y.count - 1) + rowBytes + 15) & ~15
    }
    let bytes = max(16, cursor - start)
    try planner.fits(bytes, "source pixels of a band")
    uploadBytes = start + bytes
    return .input(offset: start, bytes: bytes)
  }

  /// Returns a channel's samples that pixels need: on subsampled axes one more on either side, for interpolation.
  private func part(of plane: SamplePlane, _ image: SampleImage, _ rect: SampleRect) -> SampleRect {
    func range(_ pixels: Range<Int>, _ size: Int, _ full: Int, _ shift: Int) -> Range<Int> {
      if size >= full {
        let low = min(pixels.lowerBound, size - 1)
        return low..<max(low + 1, min(pixels.upperBound, size))
      }
      let low = min(max((pixels.lowerBound >> shift) - 1, 0), size - 1)
      return low..<max(low + 1, min(((pixels.upperBound - 1) >> shift) + 2, size))
    }
    return SampleRect(
      x: range(rect.x, plane.width, image.width, image.chroma.horizontalShift),
      y: range(rect.y, plane.height, image.height, image.chroma.verticalShift))
  }

  /// Returns true if two channels lie in one another's rows, so that they are copied once.
  private func interleaves(_ a: SamplePlane, _ b: SamplePlane) -> Bool {
    a.buffer === b.buffer && a.rowBytes == b.rowBytes && a.stepBytes == b.stepBytes
      && abs(a.offset - b.offset) < a.stepBytes
  }
}
