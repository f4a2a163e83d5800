import HDRCore

/// Settings for what is accepted of the outputs.
package struct AcceptanceSettings: SettingGroup {
  package var title: String { "Acceptance" }
  package var scope: Setting.Scope { .recipe }

  package let accept = SettingKey(
    "accept", .acceptance,
    on: """
      *-png sdr-jpeg *-heic *-avif pq-jxl hlg-jxl sdr-jxl linear-jxl *-tiff exr adaptive-* extract-base extract-gainmap \
      extract-alternate
      """,
    because: "the others are copies, or samples without a header",
    """
    What may get its name: each file is read back and compared with what it was made of, and is rejected unless this \
    holds: exact, precise, near, good, web, or a condition such as 'p95(dE-seen)<2 and abs(bias)<0.03'.
    """)
}

/// Settings for outputs that are not accepted.
package struct RejectionSettings: SettingGroup {
  package var title: String { "Acceptance" }
  package var scope: Setting.Scope { .run }

  package let rejected = SettingKey(
    "rejected", .choice(RejectedFiles.self, "what"), standard: .drop,
    "Files that --accept rejects: drop leaves none, keep leaves them as NAME.rejected.")
}

/// The handling of a file that is not accepted.
package enum RejectedFiles: String, Sendable, Hashable, CaseIterable {
  case drop, keep
}

extension SettingType where Value == AcceptExpression {
  /// The type of a condition of `hdrbatch compare`; its canonical text has presets in full.
  static var acceptance: SettingType {
    SettingType("expression") { text throws(SettingFault) in
      do throws(AcceptExpression.Fault) {
        return try AcceptExpression(text)
      } catch {
        throw SettingFault("column \(error.column): \(error.message)")
      }
    } text: {
      $0.text
    }
  }
}
