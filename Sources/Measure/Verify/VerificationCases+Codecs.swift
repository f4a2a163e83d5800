import GPURender
import HDRCore
import HDRPlan
import Kernels

extension VerificationCases {
  /// Returns cases of JPEG scans that are encoded, of noise, whose blocks have all coefficients, and of a ramp, whose
  /// blocks have few; and of scans that are decoded.
  static func codecs(pixels: Int) -> [VerificationCase] {
    var cases: [VerificationCase] = []
    // Not whole blocks, and more than one row of MCUs: of an even height with rows of chroma to repeat, of an odd one;
    // without subsampling, enough blocks for several groups of runs.
    for (chroma, least) in [(ChromaSubsampling.s420, 22), (.s422, 21), (.s444, 101)] {
      let height = max(rows(pixels) & ~1, least)
      let noise = Plan.copying(
        TestPictures.randomCodes(width: width, height: height, format: .uint8, seed: 90))
      let light = TestPictures.lightHalves(width: width, height: height, peak: 1, seed: 91)
      let ramp = plan(light, sink: .rgba8) { _ in [] }
      for (quality, isOptimized) in [(1, false), (50, true), (50, false), (90, true), (90, false), (100, false)] {
        let coding = JPEGCoding(
          JPEGLayout(width: width, height: height, chroma: chroma), JPEGTables(quality: quality),
          isOptimized: isOptimized)
        for (name, plan) in [("noise", noise), ("ramp", ramp)] {
          cases.append(
            VerificationCase(
              name: "JPEG \(chroma.rawValue), quality \(quality), \(isOptimized ? "own tables, " : "")\(name)",
              plan: plan, compared: .scan(coding)))
        }
      }
    }
    return cases + scans(pixels: pixels) + deflated(pixels: pixels)
  }

  /// Returns cases of scans that are decoded: whole ones and such with restarts, with codes of all lengths; with
  /// quantisers that no encoder writes, whose samples exceed their bits; and damaged ones.
  private static func scans(pixels: Int) -> [VerificationCase] {
    var cases: [VerificationCase] = []
    for (chroma, quality) in [(ChromaSubsampling.s420, 90), (.s422, 50), (.s444, 90), (.none, 75)] {
      let picture = TestPictures.randomCodes(
        width: width, height: max(rows(pixels), 33), format: .uint8, seed: UInt64(quality))
      let layout = JPEGLayout(width: width, height: picture.height, chroma: chroma)
      let tables = JPEGTables(quality: quality)
      func scan(_ rows: Int) -> JPEGSourceScan {
        let intervals = stride(from: 0, to: layout.height, by: rows).map { first in
          let rows = first..<min(first + rows, layout.height)
          return JPEGCoding(layout.rows(rows), tables).scan(of: picture.rows(rows)).bytes
        }
        return JPEGSourceScan(layout, tables, intervals: intervals, mcus: layout.mcuColumns * (rows / layout.mcuHeight))
      }
      func add(_ name: String, _ scan: JPEGSourceScan) {
        cases.append(
          VerificationCase(
            name: "JPEG scan \(chroma.rawValue), \(name)", plan: .copying(picture),
            compared: .planes(JPEGDecoding(scan))))
      }
      let whole = scan(layout.mcuRows * layout.mcuHeight)
      add("whole", whole)
      add("restarts", scan(layout.mcuHeight))
      for (name, quantiser) in [("255", UInt16(255)), ("4099", 4099)] {
        var odd = whole
        for index in odd.tables.indices { odd.tables[index].quantisers = [UInt16](repeating: quantiser, count: 64) }
        add("quantisers of \(name)", odd)
      }
      for place in [1, 3, 7] {
        var damaged = whole
        damaged.words[damaged.words.count * place / 8] ^= 0x0010_0400
        add("damaged at \(place) of 8", damaged)
      }
      var short = whole
      short.bytes -= 9
      add("short", short)
      var long = scan(layout.mcuHeight)
      long.bytes += 1
      add("long", long)
    }
    return cases
  }

  /// Returns cases of what is measured: the light of codes of 8 bits, of PQ in both layouts and of halves, and extremes of
  /// planes.
  static func sums(pixels: Int) -> [VerificationCase] {
    // Fewer and more columns and rows than parts; an odd number of rows of chroma.
    let sizes = [(1, 1), (3, 7), (width, rows(pixels)), (301, 37), (5, 1700)]
    var cases: [VerificationCase] = []
    for (number, (width, height)) in sizes.enumerated() {
      let light = TestPictures.lightHalves(width: width, height: height, peak: 1, seed: 92 + UInt64(number))
      func add(_ measurement: Measurement, _ sink: SinkKind, _ chroma: ChromaSubsampling = .s444, planes: Int = 3) {
        let plan = plan(light, sink: sink, chroma: chroma) { words in
          guard sink == .planarYCC else { return [] }
          // All codes of 10 bits: of many, a component lies outside of its own.
          return [words.stage(.affine, Affine.words(scale: [900, -600, 600], offset: [64, 512, 512]))]
        }
        cases.append(
          VerificationCase(
            name: "\(measurement.kernelName), \(chroma.rawValue), \(planes) planes, \(width)x\(height)", plan: plan,
            compared: .sums(measurement)))
      }
      add(.codes, .rgba8)
      add(.pq(bound: 65_535), .rgba16)
      for chroma in [ChromaSubsampling.s420, .s422, .s444] {
        let range = SampleRange(bits: 10, fullRange: chroma == .s444)
        let conversion = CodeConversion(YCbCr(kr: 0.2627, kb: 0.0593), range)
        add(.planarPQ(bound: 40_000, conversion), .planarYCC, chroma)
      }
      for planes in [1, 3] { add(.planes(planes, bound: 0.25), .floatPlanes, planes: planes) }
      // Halves of all exponents: sums exceed a word, and each digit occurs.
      let halves = Plan.copying(
        TestPictures.randomCodes(width: width, height: height, format: .float16, seed: 97 + UInt64(number)))
      for measurement in [Measurement.light, .digits(shift: 10, prefix: 0), .digits(shift: 5, prefix: 17)] {
        cases.append(
          VerificationCase(
            name: "\(measurement.kernelName) of halves, \(measurement), \(width)x\(height)", plan: halves,
            compared: .sums(measurement)))
      }
    }
    return cases
  }
}
