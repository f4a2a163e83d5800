import BatchEngine
import CodecService
import HDRPlan
import HDRRender
import TestSupport
import Testing

/// Makes rows of a journal as a run writes them, all of one input.
package struct SampleJournal {
  package let item: BatchItem

  package init(in folder: TemporaryFolder) throws {
    try folder.file("one/p.png")
    let items = try OutputNaming.make(
      try InputCollector.collect([folder.path("one")]), out: FilePath(folder.path("out")), traits: NameTraits(.sdrPNG),
      template: try NameTemplate("{stem}.{ext}"), onExisting: .replace)
    item = try #require(items.first)
  }

  package func record(_ index: Int = 0) -> ItemRecord {
    var item = item
    item.index = index
    var record = ItemRecord(item: item, outputKind: "sdr")
    record.status = .ok
    var facts = RenderFacts()
    facts.format = .png
    facts.inputDigest = Digest(of: [UInt8(truncatingIfNeeded: index)])
    facts.outputDigest = Digest(of: [UInt8(truncatingIfNeeded: index >> 8), 1])
    (facts.bytesIn, facts.bytesOut) = (10, 20)
    facts.seconds = Dictionary(uniqueKeysWithValues: Phase.allCases.map { ($0, PhaseSeconds(wall: 0.125, cpu: 0.25)) })
    facts.report = PlanReport()
    record.facts = facts
    return record
  }

  package func line(_ record: ItemRecord, _ id: String) -> [UInt8] { Journal.line(record.json.with("id", .string(id))) }

  package var header: [UInt8] {
    Journal.line([
      "type": "header", "version": .string(hdrbatchVersion), "recipeDigest": .string(Digest(of: []).hex),
      "unixTime": .int(1), "durability": "file",
    ])
  }
}
