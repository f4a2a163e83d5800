/// Says if work has taken too long. Long work asks between its parts: between bands of rows, filters and tables.
package struct Deadline: Sendable {
  /// The error code of work that timed out.
  package static let code = "render.timeout"

  private let check: @Sendable () -> Bool

  package init(_ check: @escaping @Sendable () -> Bool) { self.check = check }

  package var isPassed: Bool { check() }

  /// A deadline that never ends.
  package static let none = Deadline { false }
}
