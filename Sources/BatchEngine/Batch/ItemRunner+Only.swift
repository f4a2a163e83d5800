import CodecService
import HDRCore
import HDRPlan
import HDRRecipe

extension ItemRunner {
  /// Whether the picture is of a kind that `only` leaves out; the record says so.
  func isLeftOut(
    _ item: BatchItem, _ record: inout ItemRecord, _ clock: inout PhaseClock
  ) throws(ItemFailure) -> Bool {
    guard let only = choice.settings[Settings.light.only], options.canvas == nil else { return false }
    let head = try source(item, .metadata, &record, &clock)
    let hasMap = head.gainMap?.metadata.isComplete == true
    let kinds = (head.isHDR ? ["hdr"] : ["sdr"]) + (hasMap ? ["adaptive"] : [])
    guard !kinds.contains(only) else { return false }
    record.status = .skipped
    record.code = "input.kind"
    record.message = "only \(only) pictures are wanted, and this one is \(kinds.joined(separator: ", "))"
    record.seconds = clock.seconds
    return true
  }
}
