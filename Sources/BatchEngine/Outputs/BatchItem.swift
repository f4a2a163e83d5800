import CodecService
import HDRRender

/// One item of a batch: where from, where to. An input of which several outputs are made is as many items in a row.
public struct BatchItem: Sendable, Hashable {
  /// Its number in the manifest or the batch; rises from item to item.
  public var index: Int
  /// Counts inputs; the outputs of an input follow each other.
  public var inputNumber: Int
  /// Which of `BatchOptions.outputs` it is.
  public var variant = 0
  public var input: InputItem
  /// Below the output folder.
  public var relativeOutput: FilePath
  public var output: FilePath
  /// `output` plus `.json` for kinds with a sidecar.
  public var sidecar: FilePath?
  /// The HDR rendition, or the edited map, that belongs to `input`.
  public var partner: InputItem?
  /// There already, and `--on-existing skip` was asked for.
  public var isSkipped: Bool
  /// Bytes of the input when a manifest was made.
  public var plannedBytes: Int?

  /// Stable name of the item in journals: of its place, its output and the recipe; not of its number.
  func id(_ recipe: Digest) -> String { Manifest.id(input: input.relative, output: relativeOutput, recipe: recipe) }
}
