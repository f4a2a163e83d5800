import HDRCore
import HDRPlan

/// Plans of bands by their size: bands of one size differ in their pictures alone.
struct BandPlans {
  private struct Key: Hashable {
    var name: String
    var width: Int
    var height: Int
  }

  private var known: [Key: Plan] = [:]

  mutating func plan(_ name: String, _ picture: SampleImage, _ make: (SampleImage) -> Plan) -> Plan {
    plan(name, [picture]) { make(picture) }
  }

  mutating func plan(
    _ name: String, _ a: SampleImage, _ b: SampleImage, _ make: (SampleImage, SampleImage) -> Plan
  ) -> Plan {
    plan(name, [b, a]) { make(a, b) }
  }

  private mutating func plan(_ name: String, _ pictures: [SampleImage], _ make: () -> Plan) -> Plan {
    let key = Key(name: name, width: pictures[0].width, height: pictures[0].height)
    if let plan = known[key] { return plan.reading(pictures) }
    let plan = make()
    known[key] = plan
    return plan
  }
}

extension Plan {
  /// Returns the plan for other pictures of the same size and layout. Pictures are replaced in the order in which the
  /// passes read them: of a comparison, B comes before A.
  fileprivate func reading(_ pictures: [SampleImage]) -> Plan {
    var result = self, next = pictures.makeIterator()
    for pass in passes.indices {
      for source in passes[pass].sources.indices {
        guard case .image = passes[pass].sources[source], let picture = next.next() else { continue }
        result.passes[pass].sources[source] = .image(picture)
      }
    }
    return result
  }
}
