import HDRPlan

extension Pass {
  /// First constant word of the pass: offsets in its kernel count from here, so that kernels do not depend on where
  /// in a plan a pass stands.
  var constantsBase: Int { stages.reduce(sink.constants) { min($0, $1.constants) } }
  /// From there to the last stage's parameters, which are few.
  var constantsSpan: Int { stages.reduce(sink.constants) { max($0, $1.constants) } + 64 - constantsBase }
}
