import HDRCore
import HDRPlan
@testable import ImageFiles

extension Target {
  /// Whatever a camera raw file says, its plan has no more stages, no longer kernels and no more computed numbers than a
  /// few times what cameras need. Counts, no clock: the same everywhere.
  static let cost = Target("cost", maxLength: 1 << 14, mutate: CostGrammar.mutate) { bytes in
    guard let sensor = sensor(bytes) else { return }
    var source = SourceImage.ofSensor
    let (width, height) = (sensor.activeArea.width, sensor.activeArea.height)
    source.sensor = sensor
    source.image = .planar(
      width: width, height: height, model: sensor.filters == nil ? .rgb : .grey, format: .uint16, bitDepth: 16)
    source.geometry = Geometry(width: width, height: height, orientation: sensor.orientation)
    for target in [OutputSignal(encoding: .pq, sink: .rgba16), OutputSignal(encoding: .sdr, sink: .planarYCC)] {
      guard let plan = try? Planner.plan(source, RenderRecipe(target: target)) else { continue }
      demandBounds(plan.cost, pixels: Double(width * height))
    }
  }

  /// Reads the sensor picture of a DNG, or makes one whose three lists are the list of opcodes after the mark.
  private static func sensor(_ bytes: [UInt8]) -> SensorPicture? {
    let limits = DecodeLimits(maxPixels: 1 << 16, maxSide: 4096, maxMetadataBytes: 1 << 16)
    guard bytes.first == mark else {
      return (try? DNGDescription(bytes, limits: limits)).flatMap { try? $0.picture(decoder: "") }
    }
    var warnings: [Warning] = [], sensor = SensorPicture.sample
    guard let list = try? SensorOpcode.list(bytes.dropFirst(), name: "OpcodeList", warnings: &warnings) else {
      return nil
    }
    sensor.opcodes = [list, list, list]
    return sensor
  }

  private static func demandBounds(_ cost: PlanCost, pixels: Double) {
    // Three lists of 32 opcodes that are four stages each, and those of levels, looks and the output.
    demand(cost.stages <= 512, "\(cost.stages) stages")
    // 16 of a file, and those of looks and the output.
    demand(cost.kernelStages <= 48, "a kernel of \(cost.kernelStages) stages")
    // 96 times a table of 65 536 numbers for each colour, written at most every second time; maps and curves.
    demand(cost.tableEvaluations <= 1 << 26, "\(cost.tableEvaluations) numbers computed")
    demand(cost.operations <= pixels * 0x1p17, "\(cost.operations / pixels) operations a pixel")
  }
}

/// Lists of opcodes with entries repeated, and DNG files.
enum CostGrammar {
  @Sendable static func mutate(_ bytes: [UInt8], maxSize: Int, random: inout Random) -> [UInt8] {
    guard bytes.first == Target.mark else { return DNGGrammar.mutate(bytes, maxSize: maxSize, random: &random) }
    var entries = entries(bytes)
    guard !entries.isEmpty, !random.one(in: 4) else { return blindly(bytes, maxSize: maxSize) }
    for _ in 0..<1 + random.below(40) { entries.append(random.pick(entries)) }
    if random.one(in: 3) { entries.removeFirst(random.below(entries.count)) }
    let count = (0..<4).map { UInt8(truncatingIfNeeded: entries.count >> (24 - 8 * $0)) }
    return Array(([Target.mark] + count + entries.joined()).prefix(maxSize))
  }

  /// Opcodes of a list as they lie there: id, version, flags, length, data (DNG 1.7.1 chapter 7).
  private static func entries(_ bytes: [UInt8]) -> [ArraySlice<UInt8>] {
    var found: [ArraySlice<UInt8>] = [], place = 5
    while place + 16 <= bytes.count, found.count < 64 {
      let length = bytes[place + 12..<place + 16].reduce(0) { $0 << 8 | Int($1) }
      guard length <= bytes.count - place - 16 else { break }
      found.append(bytes[place..<place + 16 + length])
      place += 16 + length
    }
    return found
  }
}
