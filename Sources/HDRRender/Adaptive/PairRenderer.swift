import GPURender
import HDRCore
import HDRPlan

/// A base, its gains, and what was measured while they were rendered together.
package struct RenderedPair: Sendable {
  package var base: SampleImage
  package var gains: SampleImage
  package var light: LightStatistics
  package var statistics: GainStatistics
}

/// A pair renderer makes the pictures of an Adaptive HDR file of their plans. All but `render` are shorter ways, which say
/// where they cannot be taken: a picture is then rendered alone, and measured in host memory.
package struct PairRenderer {
  /// Renders a plan, and encodes the picture if it can.
  package typealias Render = (Plan, JPEGCoding?) throws(HDRError) -> SampleImage
  let render: Render
  /// Renders light, an SDR base and the plan of their gains together; returns `nil` if that is not possible.
  package typealias Together = (
    _ light: Plan, _ base: Plan, _ gains: (SampleImage, SampleImage) throws(HDRError) -> Plan
  ) throws(HDRError) -> RenderedPair?
  var together: Together = { (_, _, _) throws(HDRError) in nil }
  /// Renders halves of light, or gains, and measures them on the way; the sums are `nil` if they have to be measured yet.
  package typealias Measured<Sums> = (Plan) throws(HDRError) -> (image: SampleImage, sums: Sums?)
  var light: Measured<LightStatistics>
  var gains: Measured<GainStatistics>
  /// Renders light that stays on a device; returns `nil` if it has to be rendered as other pictures.
  package typealias LightKeeper = (Plan) throws(HDRError) -> (image: SampleImage, light: MeasuredLight)?
  var keepLight: LightKeeper = { (_) throws(HDRError) in nil }
  /// Renders and encodes a base that stays beside light on a device; returns the encoded base and its codes, or `nil`.
  package typealias BaseKeeper = (
    Plan, JPEGCoding, _ light: SampleImage
  ) throws(HDRError) -> (base: SampleImage, codes: SampleImage)?
  var keepBase: BaseKeeper = { (_, _, _) throws(HDRError) in nil }
  /// Measures gains that stay on a device; returns `nil` if they have to be rendered.
  package typealias GainMeasurer = (Plan) throws(HDRError) -> GainStatistics?
  var measureGains: GainMeasurer = { (_) throws(HDRError) in nil }

  /// Makes a renderer that renders each picture alone.
  package init(_ render: @escaping Render) {
    self.render = render
    light = { (plan) throws(HDRError) in (try render(plan, nil), nil) }
    gains = { (plan) throws(HDRError) in (try render(plan, nil), nil) }
  }
}
