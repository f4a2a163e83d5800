import GPURender
import Glibc
import HDRCore
import ImageFiles

/// Takes one item from its source to its output, on the calling thread.
struct ItemRunner: Sendable {
  let options: BatchOptions
  let recipe: RenderRecipe
  let codecs: any CodecBorder
  let backends: RenderBackends
  let writer: AtomicWriter
  /// Pictures really in flight: `jobs`, or fewer items.
  let jobs: Int
  /// Told once when the GPU is given up.
  let fellBack: @Sendable (GPUError) -> Void

  /// The finished record, and the failure in it when there is one. Never throws: an item has one end.
  func run(_ item: BatchItem) -> (record: ItemRecord, failure: ItemFailure?) {
    var record = ItemRecord(item: item, outputKind: options.rendition.kind.hdrKind)
    if item.isSkipped {
      record.status = .skipped
      record.code = "output.exists"
      record.message = "there already"
      return (record, nil)
    }
    var clock = PhaseClock(isAlone: jobs == 1)
    var failure: ItemFailure?
    do throws(ItemFailure) {
      try carryOut(item, &record, &clock)
      record.status = record.warnings.isEmpty ? .ok : .warn
    } catch {
      record.status = .failed
      record.code = error.code
      record.message = error.message
      failure = error
    }
    record.seconds = clock.seconds
    return (record, failure)
  }

  private func carryOut(_ item: BatchItem, _ record: inout ItemRecord, _ clock: inout PhaseClock) throws(ItemFailure) {
    let (staged, sidecar) = try makeFiles(item, &record, &clock)
    do throws(FileFault) {
      try clock.measure(.write) { () throws(FileFault) in
        let existing: ExistingFile = options.onExisting == .replace ? .replace : .refuse
        // The sidecar first: where the main file stands, all of the output stands.
        if let sidecar {
          do throws(FileFault) {
            try writer.commit(sidecar, existing: .replace)
          } catch {
            writer.discard(staged)
            throw error
          }
        }
        try writer.commit(staged, existing: existing)
      }
    } catch {
      throw ItemFailure(writing: error)
    }
  }

  /// Renders, encodes and checks; what comes back lacks only its name.
  private func makeFiles(
    _ item: BatchItem, _ record: inout ItemRecord, _ clock: inout PhaseClock
  ) throws(ItemFailure) -> (main: AtomicWriter.Staged, sidecar: AtomicWriter.Staged?) {
    let request = try makeRequest(item, &record, &clock)
    var files: EncodedFiles
    do throws(EncodeError) {
      files = try clock.measure(.encode) { () throws(EncodeError) in try codecs.encode(request) }
    } catch {
      throw ItemFailure(error)
    }
    record.warnings += files.warnings
    record.bytesOut = files.main.count + (files.sidecar?.count ?? 0)

    let main: AtomicWriter.Staged, sidecar: AtomicWriter.Staged?
    do throws(FileFault) {
      (main, sidecar) = try clock.measure(.write) { () throws(FileFault) in
        try makeFolder(item.output.parent)
        let main = try writer.stage(files.main, for: item.output)
        guard let path = item.sidecar, let bytes = files.sidecar else { return (main, nil) }
        do throws(FileFault) {
          return (main, try writer.stage(bytes, for: path))
        } catch {
          writer.discard(main)
          throw error
        }
      }
    } catch {
      throw ItemFailure(writing: error)
    }
    do throws(ItemFailure) {
      // Read back from the disk: what is checked is what will get the name.
      files.main = []
      try clock.measure(.verify) { () throws(ItemFailure) in
        do throws(FileFault) {
          files.main = try readWholeFile(main.part, maxBytes: Int.max)
        } catch {
          throw ItemFailure(writing: error)
        }
        do throws(EncodeError) {
          try codecs.verify(files, request)
        } catch {
          throw ItemFailure(error)
        }
      }
    } catch {
      writer.discard(main)
      if let sidecar { writer.discard(sidecar) }
      throw error
    }
    return (main, sidecar)
  }

  /// Reads, decodes, plans and renders. The source's pixels are gone when this returns.
  private func makeRequest(
    _ item: BatchItem, _ record: inout ItemRecord, _ clock: inout PhaseClock
  ) throws(ItemFailure) -> EncodeRequest {
    let source = try decode(item, &record, &clock)
    let plan: Plan
    do throws(PlanError) {
      plan = try clock.measure(.plan) { () throws(PlanError) in try Planner.plan(source, recipe) }
    } catch {
      throw ItemFailure(error)
    }
    record.report = plan.report
    record.warnings += plan.report.warnings
    let metadata = TravellingMetadata(source)
    record.warnings += metadata.warnings

    let rendered: Rendered
    do throws(GPUError) {
      rendered = try clock.measure(.render) { () throws(GPUError) in try backends.render(plan, notice: fellBack) }
    } catch {
      throw ItemFailure(error)
    }
    clock.add(cpu: rendered.helperSeconds, to: .render)
    record.backend = rendered.backend
    record.device = rendered.device
    record.isa = rendered.isa
    record.fallback = rendered.fallback
    record.width = rendered.image.width
    record.height = rendered.image.height
    // Measuring light levels is part of making the file.
    let request = clock.measure(.encode) {
      EncodeRequest(
        rendered.image, plan.report, options.rendition, metadata, threads: max(1, options.threads / jobs))
    }
    record.light = request.clli
    return request
  }

  private func decode(
    _ item: BatchItem, _ record: inout ItemRecord, _ clock: inout PhaseClock
  ) throws(ItemFailure) -> SourceImage {
    let bytes: [UInt8]
    do throws(FileFault) {
      bytes = try clock.measure(.read) { () throws(FileFault) in
        try readWholeFile(item.input.path, maxBytes: options.limits.maxFileBytes)
      }
    } catch {
      throw ItemFailure(reading: error, limit: options.limits.maxFileBytes)
    }
    record.bytesIn = bytes.count
    do throws(DecodeError) {
      let source = try clock.measure(.decode) { () throws(DecodeError) in
        try codecs.decode(bytes, limits: options.limits)
      }
      record.format = source.format
      record.warnings += source.warnings
      return source
    } catch {
      throw ItemFailure(error)
    }
  }
}
