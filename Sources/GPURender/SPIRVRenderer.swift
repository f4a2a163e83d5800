import HDRCore
import HDRPlan
import SPIRV
import SPIRVExecutor
import Shaders
import Synchronization

/// Runs plans' kernels on the CPU, as a device would run them: the same SPIR-V, the same bands, the same words around
/// them. The results are those of the GLSL, with no driver in between.
package final class SPIRVRenderer: Sendable {
  private let library: KernelLibrary
  private let variant: ExecutorVariant
  private let threads: Int
  private let bandBytes: Int
  private let limits: ExecutorLimits
  private let programs = Mutex<[[UInt32]: ShaderProgram]>([:])

  /// - Parameters:
  ///   - variant: the choices that Vulkan leaves to a device.
  ///   - bandBytes: memory that a band aims at; small ones cut pictures into many.
  ///   - words: the library, if it is another than the program's.
  ///   - limits: the limits of a kernel; the program's own kernels exceed none.
  /// - Throws: `GPUError.kernel`.
  package init(
    variant: ExecutorVariant = ExecutorVariant(), threads: Int = 1, bandBytes: Int = 64 << 20,
    library words: [UInt32]? = nil, limits: ExecutorLimits = ExecutorLimits()
  ) throws(GPUError) {
    do throws(SPIRVError) {
      library = try KernelLibrary(words ?? ShaderLibrary.words)
    } catch {
      throw .kernel(name: "library", reason: "\(error)")
    }
    self.variant = variant
    self.threads = threads
    self.bandBytes = bandBytes
    self.limits = limits
  }

  /// - Returns: the last pass's output in its sink's layout.
  /// - Throws: `.kernel` for a kernel that is refused or leaves its resources, `.badPlan`, `.tooLarge`.
  package func render(_ plan: Plan) throws(GPUError) -> SampleImage {
    guard let last = plan.passes.last, last.width > 0, last.height > 0 else {
      throw .badPlan("it has no passes, or no pixels")
    }
    let image = last.sink.makeImage(width: last.width, height: last.height) {
      PixelBuffer(uninitializedByteCount: $0)
    }
    // As a device with the least limits that Vulkan allows, but for the size of buffers.
    let limits = BandLimits(
      slotBytes: bandBytes, storageRange: 1 << 30, alignment: 256, imageSide: 1 << 15, groups: (65_535, 65_535),
      localSize: library.localSize)
    var kernels: [(name: String, program: ShaderProgram)] = []
    for (index, pass) in plan.passes.enumerated() {
      kernels.append((pass.name, try program(for: pass, halfSources: plan.halfSources(of: index))))
    }
    for band in try BandPlanner(plan: plan, limits: limits).bands() { try render(band, plan, kernels, into: image) }
    return image
  }

  private func program(for pass: Pass, halfSources: UInt32) throws(GPUError) -> ShaderProgram {
    let calls = pass.calls, words: [UInt32]
    do throws(SPIRVError) {
      words = try library.kernel(stages: calls.stages, sink: calls.sink, halfSources: halfSources)
    } catch {
      throw .kernel(name: pass.name, reason: "\(error)")
    }
    if let known = programs.withLock({ $0[words] }) { return known }
    do throws(ExecutorError) {
      let made = try ShaderProgram(words, limits: limits)
      programs.withLock { $0[words] = made }
      return made
    } catch {
      throw .kernel(name: pass.name, reason: error.description)
    }
  }

  private func render(
    _ band: Band, _ plan: Plan, _ kernels: [(name: String, program: ShaderProgram)], into image: SampleImage
  ) throws(GPUError) {
    let input = PixelBuffer(byteCount: band.uploadBytes), scratch = PixelBuffer(byteCount: band.scratchBytes)
    let output = PixelBuffer(byteCount: band.outputBytes)
    let tables = PixelBuffer(byteCount: 4 * plan.tables.count)
    plan.tables.withUnsafeBytes {
      if let from = $0.baseAddress { tables.base.copyMemory(from: from, byteCount: $0.count) }
    }
    let images = band.images.map { PixelBuffer(byteCount: $0.bytes) }
    band.writeInput(plan, to: input.base)
    for dispatch in band.dispatches {
      var resources = ShaderResources()
      func bind(_ number: Int, _ region: Region) {
        func words(_ buffer: PixelBuffer, _ offset: Int, _ bytes: Int) {
          resources.buffers[number] = UnsafeMutableRawBufferPointer(start: buffer.base + offset, count: bytes)
        }
        switch region {
        case .input(let offset, let bytes): words(input, offset, bytes)
        case .scratch(let offset, let bytes): words(scratch, offset, bytes)
        case .output(let bytes): words(output, 0, bytes)
        case .image:
          resources.images[SharedLayout.image] = ShaderImage(
            base: output.base, width: band.width, height: band.rows.count, rowBytes: 8 * band.width)
        case .intermediate(let index): resources.images[SharedLayout.image] = picture(index)
        }
      }
      func picture(_ index: Int) -> ShaderImage {
        let size = band.images[index]
        return ShaderImage(base: images[index].base, width: size.width, height: size.height, rowBytes: 8 * size.width)
      }
      bind(0, .input(offset: dispatch.frameOffset, bytes: SharedLayout.frameBytes))
      bind(1, .input(offset: dispatch.constantsOffset, bytes: SharedLayout.constantBytes))
      resources.buffers[2] = UnsafeMutableRawBufferPointer(start: tables.base, count: tables.byteCount)
      var halves = 0
      for (index, source) in dispatch.sources.enumerated() {
        if case .intermediate(let number) = source {
          resources.images[SharedLayout.firstSourceImage + halves] = picture(number)
          halves += 1
        } else {
          bind(3 + index, source)
        }
      }
      bind(7, dispatch.output)
      let (name, program) = kernels[dispatch.pass], size = program.localSize
      do throws(ExecutorError) {
        // Whole work-groups, those beyond the picture's edge included.
        try program.run(
          columns: (dispatch.columns + size.x - 1) / size.x * size.x,
          rows: (dispatch.rows + size.y - 1) / size.y * size.y, resources, variant: variant, threads: threads)
      } catch {
        throw .kernel(name: name, reason: error.description)
      }
    }
    band.copyOutput(output.base, to: image)
  }
}
