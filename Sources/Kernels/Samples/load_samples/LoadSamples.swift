import HDRCore

/// Stage `load_samples`: integer samples of source 0 as exact integers in binary32.
///
/// R, G, B are the first, second, third channel minus their offsets (grey: all the same); A is alpha in 0...1.
/// Subsampled channels are interpolated bilinearly between the sited chroma samples, edges repeated
/// (docs/colour-formulas.md#chroma-siting), as integer sums: the result is the interpolated value times `chromaScale`,
/// still an exact integer below 2^24.
public enum LoadSamples: KernelStage {
  /// Returns the total weight of the interpolation on one axis: 1 if not subsampled.
  public static func denominator(shift: Int, cosited: Bool) -> Int {
    shift == 0 ? 1 : (cosited ? 1 << shift : 2 << shift)
  }

  /// Returns the factor of channels 1 and 2 of a picture after this stage.
  package static func chromaScale(_ image: SampleImage) -> Int {
    guard image.channels.count == 3 || image.model != .grey else { return 1 }
    return denominator(shift: image.chroma.horizontalShift, cosited: image.siting.horizontallyCosited)
      * denominator(shift: image.chroma.verticalShift, cosited: image.siting.verticallyCosited)
  }

  public struct Parameters: StageParameters {
    public let channels: UInt32, bytes: UInt32, lowZeroBits: UInt32, lumaOffset: Int32, chromaOffset: Int32
    public let horizontalShift: UInt32, verticalShift: UInt32
    public let isHorizontallyCosited: UInt32, isVerticallyCosited: UInt32
    /// The bytes and scale of alpha; 0 bytes without alpha.
    public let alphaBytes: UInt32, alphaScale: Float
  }

  /// `lumaOffset` and `chromaOffset` are integer codes.
  package static func words(_ image: SampleImage, lumaOffset: Int, chromaOffset: Int) -> [UInt32] {
    let alphaMax = Double((1 << image.alphaBitDepth) - 1)
    return Parameters(
      channels: image.model == .grey ? 1 : 3, bytes: image.format.bytes.word, lowZeroBits: image.lowZeroBits.word,
      lumaOffset: Int32(lumaOffset), chromaOffset: Int32(chromaOffset),
      horizontalShift: image.chroma.horizontalShift.word, verticalShift: image.chroma.verticalShift.word,
      isHorizontallyCosited: image.siting.horizontallyCosited.word,
      isVerticallyCosited: image.siting.verticallyCosited.word,
      alphaBytes: image.alpha == nil ? 0 : image.alphaFormat.bytes.word, alphaScale: Float(1 / alphaMax)
    ).list
  }

  @inlinable @inline(always) public static func run(_ s: Strip, _ c: StageContext) {
    let from = c.source(s.x, s.y)
    let dx = c.mapping.columnX, dy = c.mapping.columnY
    let words = c.words(Parameters.self), bytes = Int(words.bytes), low = words.lowZeroBits
    loadPlane(
      c.channels[0], bytes: bytes, low: low, offset: words.lumaOffset, x: from.x, y: from.y, dx: dx, dy: dy,
      count: s.count, out: s.red)
    let n = s.padded
    for i in s.count..<n { s.red[i] = 0 }
    if words.channels == 1 {
      s.green.update(from: s.red, count: n)
      s.blue.update(from: s.red, count: n)
    } else {
      for channel in 1...2 {
        let out = s.plane(channel)
        let offset = words.chromaOffset
        if words.horizontalShift == 0 && words.verticalShift == 0 {
          loadPlane(
            c.channels[channel], bytes: bytes, low: low, offset: offset, x: from.x, y: from.y, dx: dx, dy: dy,
            count: s.count, out: out)
        } else {
          let horizontal = ChromaAxis(shift: Int(words.horizontalShift), cosited: words.isHorizontallyCosited != 0)
          let vertical = ChromaAxis(shift: Int(words.verticalShift), cosited: words.isVerticallyCosited != 0)
          if bytes == 1 {
            interpolate(
              UInt8.self, c.channels[channel], low: low, offset: offset, horizontal: horizontal, vertical: vertical,
              x: from.x, y: from.y, dx: dx, dy: dy, count: s.count, out: out, scratch: s.scratch(1),
              wide: s.scratch(3))
          } else {
            interpolate(
              UInt16.self, c.channels[channel], low: low, offset: offset, horizontal: horizontal, vertical: vertical,
              x: from.x, y: from.y, dx: dx, dy: dy, count: s.count, out: out, scratch: s.scratch(1),
              wide: s.scratch(3))
          }
        }
        for i in s.count..<n { out[i] = 0 }
      }
    }
    let alpha = s.alpha
    if words.alphaBytes == 0 {
      for i in 0..<n { alpha[i] = 1 }
    } else {
      loadPlane(
        c.channels[3], bytes: Int(words.alphaBytes), low: 0, offset: 0, x: from.x, y: from.y, dx: dx, dy: dy,
        count: s.count, out: alpha)
      for i in s.count..<n { alpha[i] = 0 }
      let scale = words.alphaScale
      for i in 0..<n { alpha[i] = alpha[i] * scale }
    }
  }

  /// Loads a channel at full size along a strip.
  @inlinable @inline(always) static func loadPlane(
    _ v: ChannelView, bytes: Int, low: UInt32, offset: Int32, x: Int, y: Int, dx: Int, dy: Int, count: Int,
    out: UnsafeMutablePointer<Float>
  ) {
    let first = v.base + (y &* v.rowBytes &+ x &* v.stepBytes)
    let step = dx &* v.stepBytes &+ dy &* v.rowBytes
    if bytes == 1 {
      if step == 1 {
        for i in 0..<count {
          out[i] = Float(Int32((first + i).loadUnaligned(as: UInt8.self)) &- offset)
        }
      } else {
        for i in 0..<count { out[i] = Float(Int32((first + i &* step).loadUnaligned(as: UInt8.self)) &- offset) }
      }
    } else if step == 2 {
      for i in 0..<count {
        let word = UInt32((first + 2 &* i).loadUnaligned(as: UInt16.self)) &>> low
        out[i] = Float(Int32(bitPattern: word) &- offset)
      }
    } else {
      for i in 0..<count {
        let word = UInt32((first + i &* step).loadUnaligned(as: UInt16.self)) &>> low
        out[i] = Float(Int32(bitPattern: word) &- offset)
      }
    }
  }

  /// Interpolates a subsampled channel along a strip: first across the strip into `scratch`, then along it.
  @inlinable @inline(always) static func interpolate<Sample: FixedWidthInteger & UnsignedInteger>(
    _: Sample.Type, _ v: ChannelView, low: UInt32, offset: Int32, horizontal: ChromaAxis, vertical: ChromaAxis,
    x: Int, y: Int, dx: Int, dy: Int, count: Int, out: UnsafeMutablePointer<Float>,
    scratch: UnsafeMutablePointer<Float>, wide: UnsafeMutablePointer<Float>
  ) {
    let alongX = dx != 0
    let along = alongX ? horizontal : vertical, across = alongX ? vertical : horizontal
    let alongBytes = alongX ? v.stepBytes : v.rowBytes, acrossBytes = alongX ? v.rowBytes : v.stepBytes
    let alongSize = alongX ? v.width : v.height, acrossSize = alongX ? v.height : v.width
    let backwards = dx &+ dy < 0
    let start = alongX ? x : y
    let lowest = backwards ? start &- count &+ 1 : start

    // Across: two samples, exact integer weights.
    let a = across.position(alongX ? y : x)
    let row0 = min(max(a.index, 0), acrossSize - 1), row1 = min(max(a.index + 1, 0), acrossSize - 1)
    let w0 = Float(across.denominator - a.numerator), w1 = Float(a.numerator)
    let iMin = along.position(lowest).index, iMax = along.position(lowest + count - 1).index + 1
    let p0 = v.base + row0 * acrossBytes, p1 = v.base + row1 * acrossBytes
    let inside0 = min(max(iMin, 0), alongSize - 1), inside1 = min(max(iMax, 0), alongSize - 1)
    let into = scratch + (inside0 - iMin)
    let length = inside1 - inside0 + 1
    let q0 = p0 + inside0 * alongBytes, q1 = p1 + inside0 * alongBytes
    if alongBytes == MemoryLayout<Sample>.size {
      for i in 0..<length {
        let s0 = UInt32((q0 + i &* MemoryLayout<Sample>.size).loadUnaligned(as: Sample.self)) &>> low
        let s1 = UInt32((q1 + i &* MemoryLayout<Sample>.size).loadUnaligned(as: Sample.self)) &>> low
        into[i] = w0 * Float(Int32(bitPattern: s0)) + w1 * Float(Int32(bitPattern: s1))
      }
    } else {
      // Interleaved chroma (P010): whole 32-bit words, except the last one, which may end the buffer.
      let words = alongBytes == 4 && MemoryLayout<Sample>.size == 2 ? length - 1 : 0
      for i in 0..<words {
        let s0 = ((q0 + 4 &* i).loadUnaligned(as: UInt32.self) & 0xffff) &>> low
        let s1 = ((q1 + 4 &* i).loadUnaligned(as: UInt32.self) & 0xffff) &>> low
        into[i] = w0 * Float(Int32(bitPattern: s0)) + w1 * Float(Int32(bitPattern: s1))
      }
      for i in words..<length {
        let s0 = UInt32((q0 + i &* alongBytes).loadUnaligned(as: Sample.self)) &>> low
        let s1 = UInt32((q1 + i &* alongBytes).loadUnaligned(as: Sample.self)) &>> low
        into[i] = w0 * Float(Int32(bitPattern: s0)) + w1 * Float(Int32(bitPattern: s1))
      }
    }
    for i in 0..<max(0, inside0 - iMin) { scratch[i] = into[0] }
    for i in 0..<max(0, iMax - inside1) { into[length + i] = into[length - 1] }
    // Vectors also read these for pixels that are dropped.
    scratch[-1] = 0
    for i in 0..<10 { scratch[iMax - iMin + 1 + i] = 0 }

    // Along.
    let bias = Float(offset &* Int32(across.denominator &* along.denominator))
    if along.shift == 0 {
      for i in 0..<count { wide[i] = scratch[i] }
    } else if along.shift == 1 {
      // Whole pairs from an even position on; `skip` drops the extra first pixel of an odd start.
      let skip = lowest & 1, pairs = (count + skip + 1) / 2
      let q = (lowest - skip) >> 1
      // Into their place at once, unless they are to be moved.
      let isDirect = skip == 0 && !backwards, to = UnsafeMutableRawPointer(isDirect ? out : wide)
      let less = SIMD8<Float>(repeating: isDirect ? bias : 0)
      // Eight pairs at a time: the even and the odd pixel of a pair, interleaved. With an odd start and midway chroma
      // the first even pixel reads one before the scratch: it is dropped.
      let s = UnsafeRawPointer(scratch + (along.cosited ? q - iMin : q - 1 - iMin))
      for i in stride(from: 0, to: pairs, by: 8) {
        let s0 = (s + 4 &* i).loadUnaligned(as: SIMD8<Float>.self)
        let s1 = (s + 4 &* i + 4).loadUnaligned(as: SIMD8<Float>.self)
        let even: SIMD8<Float>, odd: SIMD8<Float>
        if along.cosited {
          even = s0 + s0
          odd = s0 + s1
        } else {
          let s2 = (s + 4 &* i + 8).loadUnaligned(as: SIMD8<Float>.self), three = SIMD8<Float>(repeating: 3)
          even = s0 + three * s1
          odd = three * s1 + s2
        }
        var both = SIMD16<Float>()
        both.evenHalf = even - less
        both.oddHalf = odd - less
        (to + 8 &* i).storeBytes(of: both, as: SIMD16<Float>.self)
      }
      if isDirect { return }
      if skip == 1 { for i in 0..<count { wide[i] = wide[i &+ 1] } }
    } else {
      for i in 0..<count {
        let at = along.position(lowest + i)
        let e = at.index - iMin
        wide[i] = Float(along.denominator - at.numerator) * scratch[e] + Float(at.numerator) * scratch[e + 1]
      }
    }
    if backwards {
      for i in 0..<count { out[i] = wide[count &- 1 &- i] - bias }
    } else {
      for i in 0..<count { out[i] = wide[i] - bias }
    }
  }
}

/// The positions of picture samples between the chroma samples of one axis.
public struct ChromaAxis {
  public let shift: Int
  public let cosited: Bool
  /// The total weight.
  public let denominator: Int

  @inlinable @inline(always) public init(shift: Int, cosited: Bool) {
    self.shift = shift
    self.cosited = cosited || shift == 0
    denominator = shift == 0 ? 1 : (cosited ? 1 << shift : 2 << shift)
  }

  /// Returns the chroma sample at or before picture sample `x`, and the weight of the next one over `denominator`.
  @inlinable @inline(always) public func position(_ x: Int) -> (index: Int, numerator: Int) {
    if cosited { return (x >> shift, x & ((1 << shift) - 1)) }
    let p = 2 &* x &+ 1 &- (1 << shift)
    return (p >> (shift + 1), p & ((2 << shift) - 1))
  }
}
