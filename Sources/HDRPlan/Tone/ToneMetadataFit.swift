import HDRCore

/// ST 2094-50 metadata that lead from a picture's HDR rendition to its SDR one, fitted to both
/// (docs/tone-formulas.md#fitted-curves).
package struct ToneMetadataFit: Sendable {
  /// Pictures of less headroom than this, in stops, need no curve.
  package static let leastStops = 0.05
  /// A rendition between SDR and HDR gets a curve of its own if more than the rest of this share of its pixels is
  /// further off the mix of its neighbours than `leastStops`, and the curve takes as much away from that.
  private static let share = 0.95
  /// The share of brighter pixels, above which a warning says so.
  package static let mostBrighter = 0.05

  /// The error of the SDR rendition that readers make by the curves, against the picture's own.
  package struct Errors: Sendable, Hashable {
    /// Stops of the largest component: of half the pixels, and of 95 % of them.
    package var stops: (p50: Double, p95: Double)
    /// The difference of colours in ΔE ITP (BT.2124), white at 203 cd/m².
    package var deltaE: (p50: Double, p95: Double)

    package static func == (a: Errors, b: Errors) -> Bool { a.stops == b.stops && a.deltaE == b.deltaE }
    package func hash(into hasher: inout Hasher) {
      for value in [stops.p50, stops.p95, deltaE.p50, deltaE.p95] { hasher.combine(value) }
    }
  }

  package let payload: [UInt8]
  package let metadata: HeadroomAdaptiveMetadata
  package let errors: Errors
  package let brighterShare: Double
  /// The control points of the curve for SDR displays.
  package var points: Int { metadata.alternates.first?.curve.x.count ?? 0 }

  /// Fits curves. `rendition` makes the picture for a display of so many stops; 0 is the SDR one.
  ///
  /// - Returns: `nil` if the picture has no light to speak of above reference white, or too little light at all.
  /// - Throws: what `rendition` throws.
  package init?<Failure: Error>(
    _ hdr: ReducedLight, rendition: (_ stops: Double) throws(Failure) -> ReducedLight?
  ) throws(Failure) {
    let peak = ToneCurveFit.peak(hdr), stops = Double(peak) / Double(ToneCurveFit.unit)
    guard stops >= Self.leastStops, let sdr = try rendition(0),
      let fit = ToneCurveFit(hdr, sdr, peak: peak, headroom: 0)
    else { return nil }
    let baseline = Int((stops * 10_000).rounded())
    var curves = [fit.coded]
    func made() -> (payload: [UInt8], metadata: HeadroomAdaptiveMetadata)? {
      let payload = HeadroomAdaptiveMetadata.payload(baseline: baseline, curves)
      return (try? HeadroomAdaptiveMetadata(parsing: payload)).map { (payload, $0) }
    }
    guard var found = made() else { return nil }
    for between in [1.0, 2.0] where between < stops - Self.leastStops {
      guard let other = try rendition(between),
        let error = Self.stops(hdr, other, found.metadata, display: between, share: Self.share),
        error > Self.leastStops, let own = ToneCurveFit(hdr, other, peak: peak, headroom: between)
      else { continue }
      curves.append(own.coded)
      if let more = made(),
        let better = Self.stops(hdr, other, more.metadata, display: between, share: Self.share),
        error - better > Self.leastStops
      {
        found = more
      } else {
        // Looks that differ from place to place are as far off with it.
        curves.removeLast()
      }
    }
    (payload, metadata) = found
    brighterShare = fit.brighterShare
    guard let errors = Self.errors(hdr, sdr, found.metadata) else { return nil }
    self.errors = errors
  }

  // MARK: Errors

  /// Returns the errors of the SDR rendition by metadata; `nil` if the renditions have no pixels in common that count.
  package static func errors(
    _ hdr: ReducedLight, _ sdr: ReducedLight, _ metadata: HeadroomAdaptiveMetadata
  ) -> Errors? {
    let counted = counted(hdr, sdr)
    guard !counted.isEmpty else { return nil }
    var stops: [Double] = [], deltaE: [Double] = []
    for index in counted {
      let light = Array(hdr.rgb[3 * index..<3 * index + 3]), own = Array(sdr.rgb[3 * index..<3 * index + 3])
      let gains = metadata.log2Gains(light, displayStops: 0)
      let made = zip(light, gains).map { $0 * ExactMath.exp2($1) }
      stops.append(abs(ExactMath.log2((made.max() ?? 0) / (own.max() ?? 1))))
      deltaE.append(difference(made, own))
    }
    stops.sort()
    deltaE.sort()
    return Errors(
      stops: (rank(stops, 0.5), rank(stops, 0.95)), deltaE: (rank(deltaE, 0.5), rank(deltaE, 0.95)))
  }

  /// Returns the stops by which a share of the pixels is off at most.
  private static func stops(
    _ hdr: ReducedLight, _ other: ReducedLight, _ metadata: HeadroomAdaptiveMetadata, display: Double, share: Double
  ) -> Double? {
    let counted = counted(hdr, other)
    guard !counted.isEmpty else { return nil }
    let list = counted.map { index in
      let x = hdr.largest(index), gain = metadata.log2Gains([x, x, x], displayStops: display)[0]
      return abs(ExactMath.log2(other.largest(index) / x) - gain)
    }.sorted()
    return rank(list, share)
  }

  /// Returns the pixels that are bright enough in both.
  private static func counted(_ hdr: ReducedLight, _ other: ReducedLight) -> [Int] {
    guard hdr.count == other.count else { return [] }
    return (0..<hdr.count).filter { hdr.largest($0) > 0x1p-7 && other.largest($0) > 0x1p-9 }
  }

  private static func difference(_ a: [Double], _ b: [Double]) -> Double {
    func itp(_ rgb: [Double]) -> [Double] { ICtCp.fromNits(rgb.map { $0 * ReferenceWhite.nits }) }
    let (a, b) = (itp(a), itp(b))
    let i = a[0] - b[0], t = 0.5 * (a[1] - b[1]), p = a[2] - b[2]
    return 720 * (i * i + t * t + p * p).squareRoot()
  }

  /// Returns the nearest-rank percentile of a sorted list.
  private static func rank(_ list: [Double], _ share: Double) -> Double {
    list[min(max(Int((share * Double(list.count)).rounded(.up)) - 1, 0), list.count - 1)]
  }
}
