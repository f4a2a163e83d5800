import HDRRender
import Testing

extension IsolationTests {
  /// Planes that came out of a codec process go back into one, and the record names no backend.
  @Test func keptPlanesAreTheSameBytesWhereverTheyWere() throws {
    try copyExample("lamps.jpg", as: "a.jpg")
    let records = try [Isolation.fresh, .sandbox, .none].map { isolation in
      try run(["a.jpg"], kind: .sdrJPEG) { $0.isolation.isolation = isolation }.records
    }
    #expect(records.allSatisfy { $0.count == 1 && $0[0].status == .ok })
    #expect(records.allSatisfy { $0[0].backend == nil && $0[0].device == nil })
    #expect(records.allSatisfy { $0[0].report?.stageNames.isEmpty == true && $0[0].width == 4080 })
    #expect(Set(records.map { $0.first?.outputDigest }).count == 1 && records[0].first?.outputDigest != nil)
  }
}
