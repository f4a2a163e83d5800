@testable import VideoStreams

/// RPUs that are made field by field.
enum MadeRPU {
  static let fixed = DolbySequence(
    hasChromaFilter: true, coefficients: .fixed(fractionBits: 23), normalized: 1, baseIsFullRange: true, baseDepth: 10,
    enhancementDepth: 9, mappingExtension: 228, signalDepth: 12, hasSpatialFilter: true, compression: 0,
    scalesEnhancement: true, hasNoResidual: false)

  static let colors = DolbyDisplay.Colors(
    toSignal: [8192, 799, 1681, 8192, -933, 1091, 8192, 267, -5545], offsets: [0, 1 << 27, 0xFFFF_FFFF],
    toLMS: [17_081, -349, -349, -349, 17_081, -349, -349, -349, 17_081], transfer: [65_535, 1, 2, 0x8000_0003],
    depth: 12, space: 2, chroma: 1, range: 3, minimum: 7, maximum: 3079, diagonal: 1000)

  static let residual = DolbyMapping.Residual(
    method: 0, pivots: [0, 1023],
    components: [
      .init(offset: 511, maximum: 1 << 23, slope: 3, threshold: 0),
      .init(offset: 0, maximum: 5, slope: 6, threshold: 7),
      .init(offset: 1, maximum: 0, slope: 0, threshold: 123_456_789),
    ])

  static func mapping(_ unit: Int) -> DolbyMapping {
    DolbyMapping(
      id: 3,
      curves: [
        .init(
          pivots: [2, 2, 700, 1000],
          pieces: [.polynomial([-5, unit]), .polynomial([0, -unit, 9]), .polynomial([1, 2])]),
        .init(
          pivots: [0, 1023],
          pieces: [
            .regression(constant: unit / 2, orders: (0..<3).map { o in (0..<7).map { (o * 7 + $0 - 9) * 11_111 } })
          ]),
        .init(pivots: [0, 1023], pieces: [.regression(constant: 0, orders: [[1, 2, 3, 4, 5, 6, 7]])]),
      ], residual: residual)
  }

  static let full = DolbyRPU(
    format: 18, syntaxProfile: 0, syntaxLevel: 5, sequence: fixed, statesSequence: true,
    mapping: .own(mapping(1 << 23)),
    display: DolbyDisplay(
      affectedID: 1, currentID: 2, sceneRefresh: 1, colors: colors,
      lists: [
        [.init(level: 1, payload: [1, 2, 3, 4, 5]), .init(level: 5, payload: [0, 0, 0, 0, 0, 1, 0x20])],
        [.init(level: 254, payload: []), .init(level: 11, payload: [9, 8, 7, 6])],
      ]), rest: [], padding: 0)

  /// Fixed coefficients; binary32; compressed metadata of one list; neither mapping nor metadata nor sequence.
  static let all: [DolbyRPU] = {
    var float = full, compressed = full, bare = full
    float.sequence.coefficients = .float
    float.sequence.baseDepth = 12
    var mapping = Self.mapping(Int(Float(1).bitPattern))
    // Integers as bits of numbers are subnormal, but kept.
    mapping.curves[0].pieces[0] = .polynomial([Int(Float(-0.5).bitPattern), Int(Float(1.5).bitPattern)])
    mapping.curves[0].pieces[1] = .polynomial([0, 1, 9])
    mapping.curves[1].pieces = [.regression(constant: 0, orders: [[0, 1, 2, 3, 4, 5, 6]])]
    float.mapping = .own(mapping)
    compressed.sequence.compression = 1
    compressed.display?.colors = nil
    compressed.display?.lists = [[.init(level: 6, payload: [3, 232, 0, 1, 3, 0, 1, 0])]]
    compressed.padding = 3
    bare.statesSequence = false
    bare.mapping = .earlier(id: 15)
    bare.display = nil
    return [full, float, compressed, bare]
  }()
}
