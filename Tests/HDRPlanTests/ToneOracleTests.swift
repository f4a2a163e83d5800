import HDRCore
import HDRPlan
import Testing

/// Curves against libplacebo 4.208 (Debian 12), `pl_tone_map_sample` with black at 0, in cd/m²; BT.2390 with its knee
/// parameter at 0.5, the Report's. Its arithmetic is binary32.
@Suite struct ToneOracleTests {
  static let samples: [(name: String, content: Double, display: Double, nits: Double, want: Double)] = [
    ("bt2390", 1000, 203, 10.5413494, 10.5414772),
    ("bt2390", 1000, 203, 111.120041, 108.833107),
    ("bt2390", 1000, 203, 597.630249, 201.285904),
    ("bt2390", 1000, 203, 836.682312, 202.931717),
    ("bt2390", 4000, 203, 14.7578888, 14.7576704),
    ("bt2390", 4000, 203, 217.795273, 132.009109),
    ("bt2390", 4000, 203, 2295.8562, 202.402405),
    ("bt2390", 4000, 203, 3214.19873, 202.96788),
    ("bt2390", 1000, 406, 10.5413494, 10.5414772),
    ("bt2390", 1000, 406, 111.120041, 111.12001),
    ("bt2390", 1000, 406, 597.630249, 395.822144),
    ("bt2390", 1000, 406, 836.682312, 405.568176),
    ("bt2390", 1600, 609, 10.5413494, 10.5414772),
    ("bt2390", 1600, 609, 111.120041, 111.12001),
    ("bt2390", 1600, 609, 836.682312, 582.979858),
    ("bt2390", 1600, 609, 1171.35522, 606.06012),
    ("bt2446a", 1000, 203, 10.5413494, 5.24168634),
    ("bt2446a", 1000, 203, 111.120041, 44.7166023),
    ("bt2446a", 1000, 203, 597.630249, 159.585785),
    ("bt2446a", 1000, 203, 836.682312, 188.256027),
    ("bt2446a", 4000, 203, 14.7578888, 3.61497426),
    ("bt2446a", 4000, 203, 217.795273, 33.3393288),
    ("bt2446a", 4000, 203, 2295.8562, 162.952499),
    ("bt2446a", 4000, 203, 3214.19873, 187.52388),
    ("bt2446a", 1000, 406, 10.5413494, 8.14552975),
    ("bt2446a", 1000, 406, 111.120041, 79.1009369),
    ("bt2446a", 1000, 406, 597.630249, 312.501892),
    ("bt2446a", 1000, 406, 836.682312, 374.005798),
    ("bt2446a", 1600, 609, 10.5413494, 8.07042599),
    ("bt2446a", 1600, 609, 111.120041, 78.1477737),
    ("bt2446a", 1600, 609, 836.682312, 434.598267),
    ("bt2446a", 1600, 609, 1171.35522, 525.312561),
  ]

  @Test func libplaceboAgreesOnBT2390AndBT2446A() throws {
    var worst: [String: Double] = [:]
    for (name, content, display, nits, want) in Self.samples {
      // bt2446a of libplacebo is the luma curve alone: that of grey.
      let tone = try #require(ToneOperators.named(name))
      let operations = tone.operations(
        content: Headroom(factor: content / 203), display: Headroom(factor: display / 203))
      let grey = [nits / 203, nits / 203, nits / 203]
      let got = operations.reduce(grey) { $1.apply($0) }[1] * 203
      worst[name] = max(worst[name] ?? 0, abs(got - want) / want)
    }
    #expect((worst["bt2390"] ?? 1) < 6e-5, "\(worst)")
    #expect((worst["bt2446a"] ?? 1) < 2e-5, "\(worst)")
  }
}
