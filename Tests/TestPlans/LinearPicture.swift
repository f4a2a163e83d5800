import CPURender
import HDRCore
import HDRPlan

/// A row of colours as binary32 of linear light, in primaries of its own: scene light as a renderer writes it.
package struct LinearPicture {
  package var colors: [[Double]]
  package var primaries: Primaries

  package init(colors: [[Double]], primaries: Primaries) { (self.colors, self.primaries) = (colors, primaries) }

  /// The picture as a decoded file.
  package var source: SourceImage {
    let width = colors.count
    let image = SampleImage.interleaved(width: width, height: 1, channelCount: 3, format: .float32, bitDepth: 32)
    for (channel, plane) in image.channels.enumerated() {
      for (x, color) in colors.enumerated() {
        (plane.buffer.base + plane.offset + x * plane.stepBytes).storeBytes(of: Float(color[channel]), as: Float.self)
      }
    }
    let toBT2020 = primaries.matrix(to: .bt2020) ?? .identity
    return SourceImage(
      format: .memory, image: image,
      color: SourceColor(
        matrix: CICP.Matrix.identity, fullRange: true,
        encoding: .matrixTRC(curves: [.identity], toBT2020: toBT2020.rows, primaries: nil)),
      geometry: Geometry(width: width, height: 1))
  }

  /// Returns the filtered colours in linear BT.2020, in binary32 from end to end.
  package func edited(_ steps: FilterStep...) throws -> [[Double]] {
    var recipe = RenderRecipe(
      target: OutputSignal(primaries: 9, encoding: .linear, sink: .floatPlanes), tone: .none, gamut: .none)
    recipe.edits = steps
    recipe.workingFormat = .rgba32f
    return try rendered(recipe)
  }

  /// Returns the samples of a rendition to planes of binary32.
  ///
  /// - Parameter other: the picture with another meaning of its numbers; `nil`: itself.
  package func rendered(_ recipe: RenderRecipe, of other: SourceImage? = nil) throws -> [[Double]] {
    let image = CPUBackend.best.render(try Planner.plan(other ?? source, recipe), threads: 1)
    return colors.indices.map { x in
      image.channels.map { plane in
        Double((plane.buffer.base + plane.offset + x * plane.stepBytes).load(as: Float.self))
      }
    }
  }
}
