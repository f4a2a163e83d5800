import HDRCore
import HDRPlan
import ImageFiles

/// The gains of a pair, and the codes of its map.
extension RenditionPairMaker {
  /// Makes the gains of a pair and measures them.
  ///
  /// - Returns: `nil` in place of gains that stay on a device: the map's codes are made of the pair again; of a layout
  ///   that cannot be read no statistics.
  func gains(
    of pair: RenditionPair, _ way: PairRenditions.Way, _ limits: GainLimits
  ) throws(HDRError) -> (SampleImage?, GainStatistics?) {
    begins("gains")
    var gains: SampleImage?, found: GainStatistics?
    switch way {
    case .together(let made): (gains, found) = (made.gains, made.statistics)
    case .onDevice: found = try renderer.measureGains(try gainsPlan(pair))
    // Gains that are larger than their pair are made twice, too.
    case .apart: if isLarge(gainsOf: pair) { found = try renderer.measureGains(try gainsPlan(pair)) }
    }
    if found == nil { (gains, found) = try renderer.gains(try gainsPlan(pair)) }
    begins("statistics")
    let planes = options.map.channels
    var statistics = found ?? gains.flatMap { GainGauge(planes: planes).measure($0, pool) }
    if statistics?.lacksCounts(for: options.map.range, limits) == true {
      let image: SampleImage
      if let gains { image = gains } else { image = try renderer.render(try gainsPlan(pair), nil) }
      (gains, statistics) = (image, GainGauge(planes: planes, countsBuckets: true).measure(image, pool))
    }
    return (gains, statistics)
  }

  /// Returns true if gains, on their way from a device and to it again, are larger than the pair that they are made of.
  private func isLarge(gainsOf pair: RenditionPair) -> Bool {
    let size = options.map.size(width: pair.base.width, height: pair.base.height)
    let gainBytes = 4 * options.map.channels * size.width * size.height
    let pairBytes = 4 * (pair.base.format.bytes + pair.alternate.format.bytes) * pair.base.pixelCount
    return 2 * gainBytes > pairBytes
  }

  /// Encodes the map's codes in the layout of the container's encoder.
  ///
  /// - Parameter gains: `nil`: they are made of the pair once more.
  func code(
    _ gains: SampleImage?, of pair: RenditionPair, _ metadata: GainMapMetadata
  ) throws(HDRError) -> (SampleImage, CICP) {
    func codes(_ target: OutputSignal) throws(HDRError) -> Plan {
      if let gains { return GainMapPlanner.codes(gains, metadata, target: target, dither: dither) }
      do throws(PlanError) {
        return try GainMapPlanner.codes(of: pair, options.map, metadata, target: target, dither: dither)
      } catch {
        throw HDRError(error)
      }
    }
    let isGrey = options.map.channels == 1
    let dither = options.map.dithers && options.map.depth == 8 ? 1.0 : 0
    if !options.container.isPlanar {
      let depth = options.container.depth(options.map.depth)
      let target = OutputSignal(
        encoding: .linear, sink: options.container.sink(depth: depth), bitDepth: depth, chroma: .s444)
      let plan = try codes(target)
      let map = try renderer.render(plan, options.mapCoding(plan, rendition.coding, isGrey: isGrey))
      return (isGrey ? map.firstChannel : map, .gainMap())
    }
    let target = OutputSignal(encoding: .linear, sink: .planarYCC, bitDepth: options.map.depth, chroma: .s444)
    let map = try renderer.render(try codes(target), nil)
    return ((isGrey ? map.firstChannel : map).narrowed(toBits: options.map.depth), .gainMap())
  }

  func gainsPlan(_ pair: RenditionPair) throws(HDRError) -> Plan {
    do throws(PlanError) {
      return try GainMapPlanner.gains(pair, options.map)
    } catch {
      throw HDRError(error)
    }
  }
}
