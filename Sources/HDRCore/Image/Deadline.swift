/// Says whether work has taken too long. Work that may take long asks between its parts: between bands of rows, filters
/// and tables.
public struct Deadline: Sendable {
  /// Code of the failure of work that was given up.
  public static let code = "render.timeout"

  private let check: @Sendable () -> Bool

  public init(_ check: @escaping @Sendable () -> Bool) { self.check = check }

  public var isPassed: Bool { check() }

  /// Work may take as long as it likes.
  public static let none = Deadline { false }
}
