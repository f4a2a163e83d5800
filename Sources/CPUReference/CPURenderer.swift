import HDRCore
import HDRPlan
import Kernels

/// Runs plans on the CPU: strips of pixels in the first-level cache, one loop a stage (docs/architecture.md#passes).
///
/// The module is built twice, for plain x86-64 and for x86-64-v3; both give the same bits, and so does the GPU.
package enum CPURenderer {
  /// Instruction set of this build of the module.
  #if LANES16
    package static let instructionSet = "x86-64-v3"
  #elseif arch(x86_64)
    package static let instructionSet = "x86-64"
  #else
    package static let instructionSet = "native"
  #endif

  /// The memory of one thread: a strip and its scratch, rows made ahead, two rows of chroma for subsampled outputs, and
  /// the decoded parts of half-float pictures.
  package final class Workspace {
    let strip: UnsafeMutablePointer<Float>
    let ahead: UnsafeMutablePointer<Float>
    private(set) var rows: UnsafeMutablePointer<Float>
    private var rowFloats = 0
    private var windows: [(memory: UnsafeMutablePointer<Float>, floats: Int)] = []

    package init() {
      strip = Self.zeros(Strip.floats)
      ahead = Self.zeros(RowsAhead.floats)
      rows = Self.zeros(0)
    }

    deinit {
      strip.deallocate()
      ahead.deallocate()
      rows.deallocate()
      for window in windows { window.memory.deallocate() }
    }

    /// Returns the memory of a source's window.
    func window(_ source: Int, floats: Int) -> UnsafeMutablePointer<Float> {
      while windows.count <= source { windows.append((Self.zeros(0), 0)) }
      if windows[source].floats < floats {
        windows[source].memory.deallocate()
        windows[source] = (Self.zeros(floats), floats)
      }
      return windows[source].memory
    }

    func reserveRows(_ floats: Int) {
      guard floats > rowFloats else { return }
      rows.deallocate()
      rows = Self.zeros(floats)
      rowFloats = floats
    }

    /// Allocates zeros that begin with a cache line, so that no vector lies in two.
    private static func zeros(_ count: Int) -> UnsafeMutablePointer<Float> {
      let memory = UnsafeMutableRawPointer.allocate(
        byteCount: count * MemoryLayout<Float>.stride, alignment: PixelBuffer.alignment)
      return memory.initializeMemory(as: Float.self, repeating: 0, count: count)
    }
  }

  /// Allocates a pass's output in the layout of its sink; contents undefined.
  ///
  /// - Parameter memory: allocates blocks of the given size.
  package static func makeOutput(
    _ pass: Pass, memory: (Int) -> PixelBuffer = { PixelBuffer(uninitializedByteCount: $0) }
  ) -> SampleImage {
    pass.sink.makeImage(width: pass.width, height: pass.height, memory: memory)
  }

  /// Returns the multiple of rows that a band must start at: pairs for vertically subsampled outputs.
  package static func rowAlignment(_ pass: Pass) -> Int {
    pass.sink.kind == .planarYCC ? 1 << pass.sink.chroma.verticalShift : 1
  }

  /// Renders output rows `rows` of a pass. Calls on disjoint rows may run at the same time.
  ///
  /// - Parameters:
  ///   - outputs: outputs of the passes before this one, by index.
  ///   - rows: begins at a multiple of `rowAlignment`.
  ///   - into: memory from `makeOutput`.
  package static func render(
    _ plan: Plan, pass index: Int, rows: Range<Int>, outputs: [SampleImage?], into output: SampleImage,
    workspace: Workspace
  ) {
    let pass = plan.passes[index]
    var channels: [ChannelView] = []
    let nowhere = ChannelView(
      base: UnsafeRawPointer(workspace.strip), rowBytes: 0, stepBytes: 0, width: 1, height: 1)
    for source in pass.sources {
      var four = [nowhere, nowhere, nowhere, nowhere]
      let image: SampleImage?
      switch source {
      case .image(let picture): image = picture
      case .earlier(let earlier, _): image = outputs[earlier]
      }
      for (i, plane) in (image?.channels ?? []).prefix(3).enumerated() { four[i] = ChannelView(plane) }
      if let alpha = image?.alpha { four[3] = ChannelView(alpha) }
      channels += four
    }
    let areHalves = pass.sources.map { plan.passes.areHalves($0) }
    let planes = (output.channels + (output.alpha.map { [$0] } ?? [])).map {
      PlaneView(base: $0.buffer.base + $0.offset, rowBytes: $0.rowBytes)
    }
    plan.constants.withUnsafeBufferPointer { constants in
      plan.tables.withUnsafeBufferPointer { tables in
        channels.withUnsafeMutableBufferPointer { views in
          planes.withUnsafeBufferPointer { out in
            let empty = UnsafeRawPointer(workspace.strip).assumingMemoryBound(to: UInt32.self)
            var ahead = RowsAhead(memory: workspace.ahead)
            withUnsafeMutablePointer(to: &ahead) { ahead in
              let job = RowJob(
                pass: pass, areHalves: areHalves, constants: constants.baseAddress ?? empty,
                tables: tables.baseAddress ?? empty, channels: views.baseAddress!, planes: out.baseAddress!,
                ahead: ahead)
              job.run(rows: rows, workspace)
            }
          }
        }
      }
    }
  }
}

/// A stage's loop and what it reads. Of a tuple in an array, the function would be called through a thunk, and both would
/// be copied by the runtime, for every strip.
private struct StageLoop {
  let run: (Strip, StageContext) -> Void
  let context: StageContext
}

extension [StageLoop] {
  /// Runs all loops on a strip. They stay where they are: a copy of each would be made and released.
  @inline(__always) fileprivate func run(_ strip: Strip) {
    withUnsafeBufferPointer { loops in
      for index in loops.indices { loops[index].run(strip, loops[index].context) }
    }
  }
}

/// The pointers of one call.
private struct RowJob {
  let pass: Pass
  /// True for sources that are half-float outputs of earlier passes.
  let areHalves: [Bool]
  let constants: UnsafePointer<UInt32>
  let tables: UnsafePointer<UInt32>
  let channels: UnsafeMutablePointer<ChannelView>
  let planes: UnsafePointer<PlaneView>
  let ahead: UnsafeMutablePointer<RowsAhead>

  /// Rows walked together over one column block, so that turned pictures read whole cache lines, and rows that several
  /// outputs are made of stay in the cache.
  static let blockRows = 32

  func context(_ constantsOffset: Int, kernel: KernelRunner? = nil) -> StageContext {
    StageContext(
      constants: constants + constantsOffset, tables: tables, channels: channels, mapping: pass.mapping, ahead: ahead,
      kernel: kernel.map { Unmanaged.passUnretained($0) })
  }

  /// True if the pass begins by loading half-float pixels without change.
  var loadsHalves: Bool { areHalves.first == true && pass.stages.first?.kind == .loadFloatPlanes }

  func run(rows: Range<Int>, _ workspace: CPURenderer.Workspace) {
    let kernels = pass.stages.map { $0.kernel?.program.makeRunner() }
    defer { withExtendedLifetime(kernels) {} }
    let stages = pass.stages.enumerated().map { index, stage in
      StageLoop(
        run: index == 0 && loadsHalves ? Halves.load : loop(of: stage.kind),
        context: context(stage.constants, kernel: kernels[index]))
    }
    let sink = context(pass.sink.constants)
    if pass.sink.kind == .planarYCC {
      planar(rows, stages, sink, workspace)
      return
    }
    let blocks = blocks(of: Strip.capacity)
    var windows = windows(rows, blocks, workspace)
    // Windows hold rows for as long as their column of strips is walked down.
    let isTall = windows.contains { $0.reach > 1 }, turned = pass.mapping.columnX == 0
    let step =
      isTall ? rows.count : (turned || pass.stages.contains { $0.kind.readsColumns } ? Self.blockRows : 1)
    for blockStart in stride(from: rows.lowerBound, to: rows.upperBound, by: step) {
      for (number, block) in blocks.enumerated() {
        let end = min(blockStart + step, rows.upperBound)
        ahead.pointee.clear()
        ahead.pointee.end = end
        for y in blockStart..<end {
          let strip = Strip(base: workspace.strip, count: block.count, x: block.lowerBound, y: y)
          for index in windows.indices { windows[index].prepare(number, y: y, end: end, ahead: isTall, channels) }
          stages.run(strip)
          store(strip, sink)
        }
      }
    }
  }

  /// Divides a width into columns of strips.
  private func blocks(of width: Int) -> [Range<Int>] {
    stride(from: 0, to: pass.width, by: width).map { $0..<min($0 + width, pass.width) }
  }

  /// Makes windows into the half-float sources; stages that read scattered pixels decode them by themselves.
  private func windows(
    _ rows: Range<Int>, _ blocks: [Range<Int>], _ workspace: CPURenderer.Workspace
  ) -> [SourceWindow] {
    pass.sources.indices.compactMap { source in
      guard areHalves[source], source > 0 || !loadsHalves, case .earlier(_, let scale) = pass.sources[source],
        let stage = pass.stages.first(where: { $0.reads(source, context($0.constants)) }),
        !stage.kind.readsScattered
      else { return nil }
      let views = (4 * source..<4 * source + 4).map { channels[$0] }
      return SourceWindow(
        first: 4 * source, halves: Array(views.prefix { $0.stepBytes > 0 }), scale: scale, stage: stage,
        context: context(stage.constants), rows: rows, blocks: blocks
      ) { workspace.window(source, floats: $0) }
    }
  }

  func store(_ strip: Strip, _ sink: StageContext) {
    switch pass.sink.kind {
    case .rgba16f where pass.sink.isPlanar: Halves.store(strip, planes, channels: pass.sink.channels)
    case .rgba16f: Halves.store(strip, planes[0])
    case .rgba16: StoreRGBA16.run(strip, sink, planes[0])
    case .rgba8: StoreRGBA8.run(strip, sink, planes[0])
    case .floatPlanes: StoreFloatPlanes.run(strip, sink, planes)
    case .planarYCC: break
    }
  }

  /// Makes Y'CbCr planes: luma strip by strip, subsampled chroma of one or two rows together.
  func planar(
    _ rows: Range<Int>, _ stages: [StageLoop], _ sink: StageContext, _ workspace: CPURenderer.Workspace
  ) {
    let width = pass.width, down = 1 << pass.sink.chroma.verticalShift
    let isHalved = pass.sink.chroma.horizontalShift == 1, sums = (width + 1) / 2 + 32
    workspace.reserveRows(4 * sums)
    // Rows are made whole here, so windows are as wide as the picture.
    var windows = windows(rows, [0..<width], workspace)
    ahead.pointee.clear()
    ahead.pointee.end = 0
    func chromaSums(_ line: Int, _ channel: Int) -> UnsafeMutablePointer<Float> {
      workspace.rows + 16 + (2 * line + channel) * sums
    }
    for y in stride(from: rows.lowerBound, to: rows.upperBound, by: down) {
      let lines = min(down, pass.height - y)
      for line in 0..<lines {
        for index in windows.indices {
          windows[index].prepare(0, y: y + line, end: y + line + 1, ahead: false, channels)
        }
        for x in stride(from: 0, to: width, by: Strip.capacity) {
          let strip = Strip(base: workspace.strip, count: min(Strip.capacity, width - x), x: x, y: y + line)
          stages.run(strip)
          StorePlanarYCC.storeLuma(strip, sink, planes[0])
          if pass.sink.channels == 4 { StorePlanarYCC.storeAlpha(strip, sink, planes[3]) }
          for channel in 1...2 {
            if isHalved {
              StorePlanarYCC.addColumns(strip, channel, chromaSums(line, channel - 1))
            } else if line == 0 {
              StorePlanarYCC.storeChroma(strip, channel, row: y / down, sink, planes[channel])
            }
          }
        }
      }
      guard isHalved else { continue }
      for channel in 0..<2 {
        StorePlanarYCC.storeChroma(
          chromaSums(0, channel), chromaSums(lines - 1, channel), width: width, row: y / down, sink,
          planes[1 + channel])
      }
    }
  }
}

extension CPURenderer {
  /// Runs stages on pixels in memory, R G B A, without a load or a sink: for tools and tests.
  ///
  /// - Parameter pixels: any number; processed in strips.
  package static func apply(
    _ stages: [Stage], constants: [UInt32], tables: [UInt32], to pixels: inout [SIMD4<Float>]
  ) {
    let workspace = Workspace()
    let constants = constants.isEmpty ? [0] : constants, tables = tables.isEmpty ? [0] : tables
    let nowhere = ChannelView(base: UnsafeRawPointer(workspace.strip), rowBytes: 0, stepBytes: 0, width: 1, height: 1)
    let views = [ChannelView](repeating: nowhere, count: 4 * Pass.maxSources)
    for start in stride(from: 0, to: pixels.count, by: Strip.capacity) {
      let count = min(Strip.capacity, pixels.count - start)
      let strip = Strip(base: workspace.strip, count: count, x: 0, y: 0)
      for channel in 0..<4 {
        for i in 0..<count { strip.plane(channel)[i] = pixels[start + i][channel] }
        for i in count..<strip.padded { strip.plane(channel)[i] = 0 }
      }
      constants.withUnsafeBufferPointer { words in
        tables.withUnsafeBufferPointer { tables in
          views.withUnsafeBufferPointer { views in
            for stage in stages {
              let context = StageContext(
                constants: words.baseAddress! + stage.constants, tables: tables.baseAddress!,
                channels: views.baseAddress!, mapping: .identity)
              loop(of: stage.kind)(strip, context)
            }
          }
        }
      }
      for channel in 0..<4 {
        for i in 0..<count { pixels[start + i][channel] = strip.plane(channel)[i] }
      }
    }
  }
}
