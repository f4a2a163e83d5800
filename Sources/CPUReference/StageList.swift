import HDRCore

/// One stage on a strip: compiled once in this module, for this module's instruction set.
@inline(never)
func runStage(_ kind: StageKind, _ s: Strip, _ c: StageContext) { kind.run(s, c) }
