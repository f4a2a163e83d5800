import GPURender
import HDRCore
import HDRPlan
import Kernels

extension VerificationCases {
  /// Returns cases of rows that are deflated: noise, which has no matches; a flat picture, which has long ones; and, in
  /// more than one chunk, low noise, which has short ones, and bytes of which some are so rare that their codes would have
  /// too many bits.
  static func deflated(pixels: Int) -> [VerificationCase] {
    var cases: [VerificationCase] = []
    for (format, keepsAlpha) in [(SampleFormat.uint16, false), (.uint16, true), (.uint8, false)] {
      let line = PNGLine(width: width, sampleBytes: format.bytes, keepsAlpha: keepsAlpha)
      let chunk = DeflateLayout(line, height: 1).chunkRows, least = rows(pixels)
      func add(_ name: String, height: Int, _ fill: (UnsafeMutablePointer<UInt8>, _ rowBytes: Int) -> Void) {
        let image = SampleImage.interleaved(
          width: width, height: height, channelCount: 4, format: format, bitDepth: 8 * format.bytes)
        let plane = image.channels[0]
        fill(plane.buffer.base.assumingMemoryBound(to: UInt8.self), plane.rowBytes)
        cases.append(
          VerificationCase(
            name: "deflate \(8 * format.bytes) bits, \(keepsAlpha ? 4 : 3) channels, \(name)", plan: .copying(image),
            compared: .rows(DeflateCoding(DeflateLayout(line, height: height)))))
      }
      var random = SplitMix64(seed: 92)
      add("noise", height: max(least, 3)) { bytes, row in
        for place in 0..<row * max(least, 3) { bytes[place] = UInt8(truncatingIfNeeded: random.next()) }
      }
      add("flat", height: max(least, 9)) { bytes, row in
        for place in 0..<row * max(least, 9) { bytes[place] = UInt8(7 + place % (4 * format.bytes)) }
      }
      let height = max(least, chunk + 2)
      add("low noise", height: height) { bytes, row in
        for place in 0..<row * height where place % format.bytes == 0 {
          bytes[place] = UInt8(truncatingIfNeeded: random.next() & 3)
        }
      }
      // Differences of which each is about as often met as the next two together.
      add("rare codes", height: height) { bytes, row in
        for place in 0..<row * height {
          var step: UInt8 = 0
          while step < 30, random.next() % 1000 >= 382 { step += 1 }
          bytes[place] = step &+ (place < row ? 0 : bytes[place - row])
        }
      }
    }
    return cases
  }
}
