import CodecService
import HDRRender
import PlainData

extension JSON {
  /// Writes the decisions of a config: keys in a fixed order.
  init(_ facts: ConfigFacts) {
    self = [
      "config": .string(facts.place), "name": .maybe(facts.name), "sha256": .string(facts.digest.hex),
      "space": .maybe(facts.space), "rule": .maybe(facts.rule), "display": .maybe(facts.display),
      "view": .maybe(facts.view), "hdrDisplay": .maybe(facts.hdrDisplay), "hdrView": .maybe(facts.hdrView),
      "looks": .maybe(facts.looks),
      "luts": .array(facts.use.luts.map { ["path": .string($0.path), "sha256": .string($0.digest.hex)] }),
      "styles": .array(facts.use.styles.map(JSON.string)), "tables": .maybe(facts.tables?.hex),
    ]
  }
}
