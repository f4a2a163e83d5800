import CodecService
import HDRRender

/// An item of a batch: an input and one of its outputs. An input with several outputs is as many items in a row.
package struct BatchItem: Sendable, Hashable {
  /// The number in the manifest or the batch; rises from item to item.
  package var index: Int
  /// Counts inputs; the outputs of an input follow each other.
  package var inputNumber: Int
  /// The index in `BatchOptions.outputs`.
  package var variant = 0
  package var input: InputReference
  /// The path below the output folder.
  package var relativeOutput: FilePath
  package var output: FilePath
  /// `output` plus `.json` for kinds with a sidecar.
  package var sidecar: FilePath?
  /// The HDR rendition, or the edited map, that belongs to `input`.
  package var partner: InputReference?
  /// True if the output is there already, and `--on-existing skip` was asked for.
  package var isSkipped: Bool
  /// Bytes of the input when a manifest was made.
  package var plannedBytes: Int?

  package init(
    index: Int, inputNumber: Int, variant: Int = 0, input: InputReference, relativeOutput: FilePath, output: FilePath,
    sidecar: FilePath? = nil, partner: InputReference? = nil, isSkipped: Bool, plannedBytes: Int? = nil
  ) {
    (self.index, self.inputNumber, self.variant, self.input) = (index, inputNumber, variant, input)
    (self.relativeOutput, self.output, self.sidecar, self.partner) = (relativeOutput, output, sidecar, partner)
    (self.isSkipped, self.plannedBytes) = (isSkipped, plannedBytes)
  }

  /// The stable name of the item in journals: it depends on its place, its output and the recipe, not on its number.
  func id(_ recipe: Digest) -> String {
    Manifest.id(input: input.relative, image: input.picture?.number, output: relativeOutput, recipe: recipe)
  }
}
