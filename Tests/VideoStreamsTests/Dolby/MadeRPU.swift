import FileParts
import Foundation
import TestSupport
import VideoStreams

/// RPUs that were made field by field, which fuzzing starts from as well: `Fuzz/seeds/rpu`.
enum MadeRPU {
  /// Fixed coefficients and a residual; binary32; compressed metadata of one list; no residual; neither sequence nor mapping nor
  /// metadata.
  static let names = ["full", "float", "compressed", "no-residual", "bare"]

  static func bytes(_ name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: SharedData.repository.appendingPathComponent("Fuzz/seeds/rpu/" + name)))
  }

  /// Reads an RPU behind that with all fields.
  static func read(_ name: String) throws -> DolbyRPU {
    let full = try DolbyRPU(parsing: try bytes("full")[...])
    return try DolbyRPU(parsing: try bytes(name)[...], after: full.sequence)
  }
}
