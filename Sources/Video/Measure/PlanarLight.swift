import HDRCore
import Kernels
import VideoStreams

/// Measures frames of PQ that are Y'CbCr planes of BT.2020, from their codes: chroma is interpolated as a render does it, and
/// R'G'B' are those that light levels of stills are measured of.
struct PlanarLight: Sendable {
  private let shape: FrameShape
  private let factors: CodeConversion
  private let siting: ChromaSiting
  private let counted: CountedArea

  /// Takes the layout of frames; `nil` for others.
  init?(_ shape: FrameShape, _ color: ClipColor, _ counted: CountedArea) {
    guard shape.format.model == .ycc, color.transfer == CICP.Transfer.pq, color.primaries == CICP.Primaries.bt2020,
      let coefficients = YCbCr(matrix: color.matrix, primaries: color.primaries)
    else { return nil }
    (self.shape, self.counted) = (shape, counted)
    factors = CodeConversion(coefficients, SampleRange(bits: shape.format.bitDepth, fullRange: color.fullRange))
    siting = color.siting
  }

  /// Returns the light of a frame.
  func sums(of frame: VideoFrame) -> FrameSums {
    var counter = LightCounter(counted)
    if shape.format.sampleBytes == 1 {
      add(frame.samples, UInt8.self, counted.area.rows, to: &counter)
    } else {
      add(frame.samples, UInt16.self, counted.area.rows, to: &counter)
    }
    return counter.sums
  }

  private func add<Sample: FixedWidthInteger & UnsignedInteger>(
    _ samples: PixelBuffer, _: Sample.Type, _ rows: Range<Int>, to counter: inout LightCounter
  ) {
    let chroma = shape.format.chroma, width = shape.width, height = shape.height
    let horizontal = ChromaAxis(shift: chroma.horizontalShift, cosited: siting.horizontallyCosited)
    let vertical = ChromaAxis(shift: chroma.verticalShift, cosited: siting.verticallyCosited)
    let columns = (width + chroma.horizontalShift) >> chroma.horizontalShift
    let lines = (height + chroma.verticalShift) >> chroma.verticalShift
    let luma = samples.base.assumingMemoryBound(to: Sample.self)
    let cb = luma + width * height, cr = cb + columns * lines
    // Two lines of chroma at its own size, with a sample of the edge beyond each end, and two at the picture's.
    let length = 2 * columns + 4, memory = PixelBuffer(byteCount: 4 * 4 * length)
    let narrow = memory.base.assumingMemoryBound(to: Float.self) + 1, wide = narrow + 2 * length - 1
    let codes = PixelBuffer(byteCount: 2 * width), row = codes.base.assumingMemoryBound(to: UInt16.self)
    for y in rows {
      let place = vertical.position(y)
      for (channel, plane) in [cb, cr].enumerated() {
        let line = narrow + channel * length
        Self.mix(
          plane + min(max(place.index, 0), lines - 1) * columns,
          plane + min(max(place.index + 1, 0), lines - 1) * columns, Float(vertical.denominator - place.numerator),
          Float(place.numerator), offset: factors.chromaOffset * Float(vertical.denominator), columns, line)
        Self.widen(line, columns, horizontal, wide + channel * length)
      }
      convert(
        luma + y * width, wide, wide + length, scale: 1 / Float(horizontal.denominator * vertical.denominator), row)
      counter.add(row, y: y)
    }
  }

  /// Mixes two lines of samples.
  @inline(__always) private static func mix<Sample: FixedWidthInteger & UnsignedInteger>(
    _ a: UnsafePointer<Sample>, _ b: UnsafePointer<Sample>, _ first: Float, _ second: Float, offset: Float,
    _ count: Int, _ out: UnsafeMutablePointer<Float>
  ) {
    for x in 0..<count {
      out[x] = first * Float(Int32(truncatingIfNeeded: a[x])) + second * Float(Int32(truncatingIfNeeded: b[x])) - offset
    }
    (out[-1], out[count]) = (out[0], out[count - 1])
  }

  /// Interpolates a line to the picture's width, times the axis' denominator.
  @inline(__always) private static func widen(
    _ line: UnsafeMutablePointer<Float>, _ count: Int, _ axis: ChromaAxis, _ out: UnsafeMutablePointer<Float>
  ) {
    if axis.shift == 0 {
      out.update(from: line, count: count)
    } else if axis.cosited {
      for x in 0..<count {
        out[2 &* x] = line[x] + line[x]
        out[2 &* x &+ 1] = line[x] + line[x &+ 1]
      }
    } else {
      for x in 0..<count {
        out[2 &* x] = line[x &- 1] + 3 * line[x]
        out[2 &* x &+ 1] = 3 * line[x] + line[x &+ 1]
      }
    }
  }

  /// Makes PQ codes of the largest component, nearest and clamped.
  @inline(__always) private func convert<Sample: FixedWidthInteger & UnsignedInteger>(
    _ luma: UnsafePointer<Sample>, _ cb: UnsafePointer<Float>, _ cr: UnsafePointer<Float>, scale: Float,
    _ out: UnsafeMutablePointer<UInt16>
  ) {
    let lumaScale = factors.lumaScale, lumaOffset = factors.lumaOffset
    let red = factors.crToRed * scale, blue = factors.cbToBlue * scale
    let greenB = factors.cbToGreen * scale, greenR = factors.crToGreen * scale
    for x in 0..<shape.width {
      let r = red * cr[x], b = blue * cb[x], g = greenB * cb[x] + greenR * cr[x]
      let rb = r > b ? r : b, most = rb > g ? rb : g
      let code = (Float(Int32(truncatingIfNeeded: luma[x])) - lumaOffset) * lumaScale + most
      let positive = code > 0 ? code : 0, inside = positive < 65_535 ? positive : 65_535
      // A Float of at least 2^23 has no fraction, and its low bits are the nearest integer.
      out[x] = UInt16(truncatingIfNeeded: (inside + 8_388_608).bitPattern)
    }
  }
}
