import CPlatform
import LaneLoops

#if arch(x86_64)
  import LaneLoopsV3
#endif

/// The loops over lanes in the best build for this machine; all builds give the same bits.
struct LaneCode: Sendable {
  typealias Row = UnsafeMutablePointer<UInt32>

  let compute: @convention(c) @Sendable (UInt8, Row, Row, Row, Bool, Bool, Int) -> Void
  let select: @convention(c) @Sendable (Row, Row, Row, Row, Bool, Bool, Int) -> Void

  static let best: LaneCode = {
    #if arch(x86_64)
      if hasV3 {
        return LaneCode(
          compute: { LaneLoopsV3.Lanes.compute($0, $1, $2, $3, $4, $5, $6) },
          select: { LaneLoopsV3.Lanes.select($0, $1, $2, $3, $4, $5, $6) })
      }
    #endif
    return LaneCode(
      compute: { LaneLoops.Lanes.compute($0, $1, $2, $3, $4, $5, $6) },
      select: { LaneLoops.Lanes.select($0, $1, $2, $3, $4, $5, $6) })
  }()

  fileprivate static let hasV3 = hdr_cpu_supports_v3() != 0
}

extension LibraryFunction {
  /// The functions that users' kernels may call, by their names in modules.
  package static let exact: [String: LibraryFunction] = {
    #if arch(x86_64)
      if LaneCode.hasV3 { return LaneLoopsV3.ExactFunctions.loops.mapValues { LibraryFunction($0.arguments, $0.run) } }
    #endif
    return LaneLoops.ExactFunctions.loops.mapValues { LibraryFunction($0.arguments, $0.run) }
  }()
}
