/// Says if work has taken too long. Long work asks between its parts: between bands of rows, filters and tables.
public struct Deadline: Sendable {
  /// The error code of work that timed out.
  public static let code = "render.timeout"

  private let check: @Sendable () -> Bool

  public init(_ check: @escaping @Sendable () -> Bool) { self.check = check }

  public var isPassed: Bool { check() }

  /// A deadline that never ends.
  public static let none = Deadline { false }
}
