/// Going on where an earlier run ended.
public struct ResumeSettings: SettingGroup {
  public var title: String { "Outputs" }
  public var scope: Setting.Scope { .run }

  public let resume = SettingKey(
    flag: "resume", "Goes on where an earlier run ended: what journals call done and is as it was is not done again.")
  public let retryQuarantined = SettingKey(
    flag: "retry-quarantined", rare: true, "With --resume: tries inputs again that crashed or hung a codec process.")
}
