import FileParts
import HDRCore

/// A reader of the merged picture of a Photoshop file: planes of big-endian samples, plain or by PackBits.
struct PSDPixels {
  private let file: PSDFile
  /// True if alpha is read.
  let hasAlpha: Bool

  private static let place = "PSD picture"

  init(_ file: PSDFile) {
    self.file = file
    hasAlpha = file.hasAlpha && file.channels > file.colors
  }

  private var format: SampleFormat { file.bits == 8 ? .uint8 : file.bits == 16 ? .uint16 : .float32 }
  private var read: Int { file.colors + (hasAlpha ? 1 : 0) }
  private var rowBytes: Int { file.width * format.bytes }

  /// The picture without samples.
  var description: SampleImage { image(planes: []) }

  private func image(planes: [SamplePlane]) -> SampleImage {
    SampleImage(
      width: file.width, height: file.height, model: file.colors == 1 ? .grey : .rgb, format: format,
      bitDepth: file.bits, chroma: file.colors == 1 ? .none : .s444, channels: Array(planes.prefix(file.colors)),
      alpha: planes.count > file.colors ? planes[file.colors] : nil)
  }

  /// Reads the samples.
  ///
  /// - Throws: `.unsupported` for other compressions, `.truncated`, `.malformed`. Sizes are checked before memory is
  ///   asked for.
  func decode() throws(DecodeError) -> SampleImage {
    var reader = ByteReader(file.bytes[file.data], place: Self.place)
    let compression = try reader.u16(), lines = try lines(compression, &reader)
    let step = read * format.bytes, row = file.width * step
    let buffer = PixelBuffer(uninitializedByteCount: row * file.height)
    let line = PixelBuffer(uninitializedByteCount: rowBytes)
    for plane in 0..<read {
      for y in 0..<file.height {
        let coded = file.bytes[lines[plane * file.height + y]]
        if compression == 0 {
          coded.withUnsafeBytes { line.base.copyMemory(from: $0.baseAddress!, byteCount: rowBytes) }
        } else {
          try unpack(coded, into: line.base, y)
        }
        spread(line.base, into: buffer.base + y * row + plane * format.bytes, step: step)
      }
    }
    var madeFinite = 0
    if format == .float32 {
      for y in 0..<file.height { madeFinite += TIFFSamples.makeFinite(buffer.base + y * row, count: file.width * read) }
    }
    if hasAlpha { for y in 0..<file.height { removeWhite(buffer.base + y * row) } }
    var picture = image(
      planes: (0..<read).map {
        SamplePlane(
          buffer: buffer, offset: $0 * format.bytes, rowBytes: row, stepBytes: step, width: file.width,
          height: file.height)
      })
    picture.madeFinite = madeFinite
    return picture
  }

  /// Returns the places of the lines of all planes that are read.
  private func lines(_ compression: Int, _ reader: inout ByteReader) throws(DecodeError) -> [Range<Int>] {
    let wanted = read * file.height
    var lines: [Range<Int>] = []
    switch compression {
    case 0:
      guard reader.remaining >= wanted * rowBytes else { throw .truncated(where: Self.place) }
      let start = file.data.upperBound - reader.remaining
      for index in 0..<wanted { lines.append(start + index * rowBytes..<start + (index + 1) * rowBytes) }
    case 1:
      let all = file.channels * file.height, size = file.isBig ? 4 : 2
      guard reader.remaining >= all * size else { throw .truncated(where: Self.place) }
      var at = file.data.upperBound - reader.remaining + all * size
      for _ in 0..<wanted {
        let count = file.isBig ? try reader.u32() : try reader.u16()
        guard count <= file.data.upperBound - at else { throw .truncated(where: Self.place) }
        // Two bytes give 128 at most.
        guard count * 64 >= rowBytes else {
          throw .malformed(where: Self.place, what: "\(count) bytes cannot hold a line")
        }
        lines.append(at..<at + count)
        at += count
      }
    default:
      throw .unsupported(
        feature: "this compression of a PSD's merged picture", found: compression <= 3 ? "ZIP" : "number \(compression)"
      )
    }
    return lines
  }

  /// Unpacks a line of PackBits to its whole length.
  private func unpack(_ coded: ArraySlice<UInt8>, into out: UnsafeMutableRawPointer, _ y: Int) throws(DecodeError) {
    func fault(_ what: String) -> DecodeError { .malformed(where: "\(Self.place), line \(y)", what: what) }
    var at = coded.startIndex, filled = 0
    while at < coded.endIndex, filled < rowBytes {
      let head = Int(Int8(bitPattern: coded[at]))
      at += 1
      if head == -128 { continue }
      let count = head < 0 ? 1 - head : 1 + head
      guard count <= rowBytes - filled, (head < 0 ? 1 : count) <= coded.endIndex - at else {
        throw fault("a run beyond its end")
      }
      for index in 0..<count {
        out.storeBytes(of: coded[head < 0 ? at : at + index], toByteOffset: filled + index, as: UInt8.self)
      }
      at += head < 0 ? 1 : count
      filled += count
    }
    guard filled == rowBytes else { throw fault("\(filled) of \(rowBytes) bytes") }
  }

  /// Puts the big-endian samples of a line where those of its plane belong.
  private func spread(_ line: UnsafeMutableRawPointer, into out: UnsafeMutableRawPointer, step: Int) {
    func run<Sample: FixedWidthInteger>(_: Sample.Type) {
      for x in 0..<file.width {
        let value = Sample(
          bigEndian: line.loadUnaligned(fromByteOffset: x * MemoryLayout<Sample>.size, as: Sample.self))
        out.storeBytes(of: value, toByteOffset: x * step, as: Sample.self)
      }
    }
    switch format.bytes {
    case 1: run(UInt8.self)
    case 2: run(UInt16.self)
    default: run(UInt32.self)
    }
  }

  /// Takes white off colours, with which the merged picture is mixed where it is transparent: straight alpha remains.
  private func removeWhite(_ row: UnsafeMutableRawPointer) {
    let colors = file.colors
    if format == .float32 {
      let samples = row.assumingMemoryBound(to: Float.self)
      for x in stride(from: 0, to: file.width * read, by: read) {
        let share = min(max(samples[x + colors], 0), 1)
        samples[x + colors] = share
        for c in x..<x + colors { samples[c] = share > 0 ? (samples[c] - (1 - share)) / share : 0 }
      }
      TIFFSamples.makeFinite(row, count: file.width * read)
      return
    }
    let most = 1 << file.bits - 1
    func run<Sample: FixedWidthInteger>(_: Sample.Type) {
      let samples = row.assumingMemoryBound(to: Sample.self)
      for x in stride(from: 0, to: file.width * read, by: read) {
        let share = Int(samples[x + colors])
        for c in x..<x + colors {
          let light = (Int(samples[c]) - (most - share)) * most
          samples[c] = share == 0 ? 0 : Sample(min(max((2 * light + share) / (2 * share), 0), most))
        }
      }
    }
    if format == .uint8 { run(UInt8.self) } else { run(UInt16.self) }
  }
}
