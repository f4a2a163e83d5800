import CPURender
import HDRCore
import HDRPlan
import HDRRender
import Testing

@Suite struct CPUBackendTests {
  /// A 10-bit PQ picture of noise, taller than several bands, turned on its side.
  private func plan(orientation: Orientation, kind: OutputKind) throws -> Plan {
    let image = SampleImage.planar(
      width: 701, height: 613, model: .ycc, format: .uint16, bitDepth: 10, chroma: .s420)
    var state: UInt32 = 1
    for plane in image.channels {
      for y in 0..<plane.height {
        let row = (plane.buffer.base + y * plane.rowBytes).assumingMemoryBound(to: UInt16.self)
        for x in 0..<plane.width {
          state = state &* 1_664_525 &+ 1_013_904_223
          row[x] = UInt16(state >> 22)
        }
      }
    }
    let source = SourceImage(
      format: .memory, image: image,
      color: SourceColor(matrix: 9, fullRange: false, encoding: .cicp(primaries: 9, transfer: 16)),
      geometry: Geometry(width: 701, height: 613, orientation: orientation))
    return try Planner.plan(source, RenditionOptions(kind: kind).recipe)
  }

  private func bytes(_ image: SampleImage) -> [[UInt8]] {
    image.channels.map { Array(UnsafeRawBufferPointer(start: $0.buffer.base, count: $0.buffer.byteCount)) }
  }

  @Test(arguments: [Orientation.up, .right], [OutputKind.rgba16f, .pqHEIC, .sdrPNG])
  func bitsDoNotDependOnThreadsOrBuilds(orientation: Orientation, kind: OutputKind) throws {
    let plan = try plan(orientation: orientation, kind: kind)
    let expected = bytes(CPUBackend.baseline.render(plan, threads: 1))
    #expect(Set(expected[0]).count > 16)
    for backend in CPUBackend.available {
      for threads in [1, 2, 7] {
        #expect(bytes(backend.render(plan, threads: threads)) == expected, "\(backend.instructionSet), \(threads)")
      }
    }
  }
}
