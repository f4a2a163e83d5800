/// A stage of kernels: a loop over strips, and beside it a GLSL function of the same arithmetic.
///
/// The loop is `static func run(_ s: Strip, _ c: StageContext)`, `@inlinable` down to its last function: each build of the
/// CPU executor compiles it for its own instruction set. `Stages.list` names all stages.
///
/// Declarations that loops use are `public`, although no product holds this room. Swift 6.3 keeps no code of
/// `@inlinable package` functions for other modules, so that loops would call them for each strip or lane.
package protocol KernelStage {
  /// The stage's parameters; `NoParameters` if it has none.
  associatedtype Parameters: StageParameters = NoParameters
  /// True if neighbouring output rows read the same source rows.
  static var readsColumns: Bool { get }
  /// True if the stage reads pixels of earlier passes at places that the plan does not know by row and column.
  static var readsScattered: Bool { get }
  /// The largest number of rows and columns around its own that the stage reads of a file's picture.
  static var reach: Int { get }
  /// The floating-point operations of one turn for one pixel: a round number, at least the shader's.
  static var operations: Int { get }
  /// Makes samples of the parameters, as recipes would set them, for the cases of `verify` in which the stage is alone.
  /// There are none for what other cases cover: loads, stages of gain maps, stages of filters.
  ///
  /// - Parameter table: adds a table to the plan and returns its offset.
  static func samples(table: (_ words: [UInt32]) -> UInt32) -> [[UInt32]]
  /// Names of numbers among the words that count or address entries of tables; others would not fit the tables.
  static var boundNumbers: Set<String> { get }
  /// Larger values for numbers that are so near 0 that hardly any picture tells them from 0.
  static var largeNumbers: [String: Double] { get }
}

extension KernelStage {
  package static var readsColumns: Bool { false }
  package static var readsScattered: Bool { false }
  package static var reach: Int { 0 }
  package static var operations: Int { 64 }
  package static func samples(table: (_ words: [UInt32]) -> UInt32) -> [[UInt32]] { [] }
  package static var boundNumbers: Set<String> { [] }
  package static var largeNumbers: [String: Double] { [:] }
}

/// The parameters of a stage without parameters.
public struct NoParameters: StageParameters {}

extension KernelStage {
  /// The type of the parameters; `nil` if there are none.
  fileprivate static var parameters: (any StageParameters.Type)? {
    Parameters.self == NoParameters.self ? nil : Parameters.self
  }
}

extension StageKind {
  /// The type of the stage's parameters; `nil` if it has none.
  package var words: (any StageParameters.Type)? { stage.parameters }
  /// True if neighbouring output rows read the same source rows.
  package var readsColumns: Bool { stage.readsColumns }
  /// True if the stage reads pixels of earlier passes at places that the plan does not know by row and column.
  package var readsScattered: Bool { stage.readsScattered }
  /// The largest number of rows and columns around its own that the stage reads of a file's picture.
  package var reach: Int { stage.reach }
  /// The floating-point operations of one turn for one pixel.
  package var operations: Int { stage.operations }
}
