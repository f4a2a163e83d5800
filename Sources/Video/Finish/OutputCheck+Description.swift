import FileParts
import HDRCore
import HDRRender
import VideoStreams

extension OutputCheck {
  /// Compares what the bitstream and the container each say of colour, light, shape and turn, and the other streams.
  func checkDescription(_ facts: ClipFacts) throws(HDRError) {
    let wanted = plan.output
    for (place, color) in [("stream", facts.coded?.color), ("container", facts.stated?.color)] {
      guard let color else { continue }
      for (name, found, expected) in [
        ("primaries", color.primaries, wanted.primaries), ("transfer", color.transfer, wanted.transfer),
        ("matrix", color.matrix, wanted.matrix),
      ] {
        if let found { try compare("\(name) of the \(place)", "\(found)", "\(expected)") }
      }
      if let full = color.fullRange { try compare("range of the \(place)", "\(full)", "\(wanted.fullRange)") }
    }
    try checkLight(facts)
    let square = SampleAspect.square
    try compare(
      "pixel aspect", "\(facts.sampleAspect ?? square)", "\(plan.shape.aspect ?? square)")
    if let turn = facts.stated?.orientation { try compare("turn", "\(turn)", "\(plan.shape.stated)") }
    if facts.stated != nil {
      func text(_ part: PixelRect?) -> String { part.map { "\($0.width)x\($0.height)+\($0.x)+\($0.y)" } ?? "all" }
      try compare("shown part", text(facts.shownPart), text(plan.shape.crop))
    }
    try checkStreams(facts)
  }

  private func checkLight(_ facts: ClipFacts) throws(HDRError) {
    let found = StatedLight(facts.light, transfer: plan.output.transfer)
    try compare("light level", Self.text(found.level), Self.text(plan.light.level))
    switch (found.mastering, plan.light.mastering) {
    case (nil, nil): break
    case (let display?, let wanted?) where wanted.isNear(display): break
    case (let display, let wanted):
      try compare("mastering display", Self.text(display), Self.text(wanted))
      throw Self.differs("mastering display: other primaries")
    }
    if let warning = found.warnings.first { throw Self.differs(warning.message) }
  }

  private static func text(_ level: ContentLightLevel?) -> String {
    level.map { "\(Int($0.maxCLL.rounded(.up))), \(Int($0.maxFALL.rounded(.up)))" } ?? "none"
  }

  private static func text(_ display: MasteringDisplay?) -> String {
    display.map { "\(short($0.minLuminance)) to \(short($0.maxLuminance)) cd/m²" } ?? "none"
  }

  /// Counts the other streams of each kind, and chapters. Tracks of time codes and of titles of chapters are made anew.
  private func checkStreams(_ facts: ClipFacts) throws(HDRError) {
    for kind in ["audio", "subtitle", "attachment"] {
      let wanted = carriesOthers ? plan.carried.filter { $0.kind == kind }.count : 0
      try compare("\(kind) streams", "\(facts.others.filter { $0.kind == kind }.count)", "\(wanted)")
    }
    if options.metadata != .none { try compare("chapters", "\(facts.chapters)", "\(plan.facts.chapters)") }
  }
}
