import HDRCore
import HDRPlan
import HDRRecipe
import HDRRender
import ImageFiles
import PlainData

/// All settings of a batch run, without its items.
package struct BatchOptions: Sendable {
  /// The outputs made of every input, at least one; `BatchItem.variant` is an index of it.
  package var outputs: [ResolvedOutput]
  /// The outputs of inputs that a recipe's overrides name, by the numbers of the overrides; each like `outputs`.
  package var overridden: [[Int]: [ResolvedOutput]] = [:]
  /// Numbers of an input's overrides, by its path below the folder that was given.
  package var overrides: @Sendable (String) -> [Int] = { _ in [] }
  /// Size of the picture that steps begin with, where there is no input picture; black.
  package var canvas: Recipe.Size?
  /// A gain map that cannot be used fails its item.
  package var isStrict = false
  package var backend = BackendChoice.auto
  /// The devices that are demanded: names, indices, UUIDs or PCI addresses with commas between, or "all".
  package var device: String?
  /// The processor that encodes JPEGs which a GPU renders.
  package var codecDevice = CodecDevice.auto
  /// Every Nth strip that a GPU renders is rendered on the CPU too and compared; `nil` for one of each new kernel.
  package var sample: Int?
  package var sampling: Sampling.Choice { sample.map { .every($0) } ?? .newKernels }
  /// Pictures in flight; memory grows with them. `nil`: what `BatchRunner.usualJobs` says.
  package var jobs: Int?
  /// Threads that render one picture on the CPU.
  package var threads = Allotment.threads
  package var limits = DecodeLimits()
  /// Bytes for the pictures of all items in flight, codec processes included.
  package var memory = MemoryNeed.batch(allotted: Allotment.current.memory?.value)
  /// The isolation of codecs: in processes of their own, or in this one.
  package var isolation = IsolationOptions()
  package var onExisting = OnExisting.fail
  /// True to keep files that are not accepted, beside the places of the outputs.
  package var keepsRejected = false
  /// Stop after this many failed items; `nil` never.
  package var maxFailures: Int?
  /// The journal for later runs; `nil`: none.
  package var journal: JournalOptions?
  package var durability = Durability.file
  /// The file system that everything is written with.
  package var files: any FileSystem = LinuxFileSystem()
  /// JSON Lines file; "-" for standard output.
  package var record: FilePath?
  /// The command line, for the record's head.
  package var command: [String] = []
  /// Report each item's plan before it is rendered.
  package var explains = false

  package init(rendition: RenditionOptions) { outputs = [ResolvedOutput(rendition)] }

  package init(outputs: [ResolvedOutput]) { self.outputs = outputs }

  /// Returns the output choice that an item is made by.
  package func choice(of item: BatchItem) -> ResolvedOutput {
    guard !overridden.isEmpty, let own = overridden[overrides(item.input.relative.display)] else {
      return outputs[item.variant]
    }
    return own[item.variant]
  }

  /// The product of the first output.
  package var product: ItemProduct {
    get { outputs[0].product }
    set { outputs[0].product = newValue }
  }
  package var rendition: RenditionOptions {
    get { outputs[0].rendition }
    set { outputs[0].rendition = newValue }
  }
}

/// An event that a running batch reports. Events come from many threads, one at a time.
package enum BatchEvent: Sendable {
  /// Work begins: number of items, name of the device that renders, why it is not the one asked for.
  case started(items: Int, device: String, fallback: String?)
  /// Work begins with less isolation of codecs than was asked for.
  case lessIsolated(reason: String)
  /// The address space is limited, and so is the number of pictures in flight.
  case tightAddressSpace(bytes: Int, jobs: Int)
  /// Few files may be open, so fewer pictures are in flight than were asked for.
  case fewOpenFiles(Int, jobs: Int)
  /// Rows of journals could not be read: their items are done again.
  case badRows(Int)
  /// Outputs of earlier runs are not as they would be now: their number, and what has changed, "recipe" or "version".
  case madeAgain(Int, of: Int, change: String)
  /// The last GPU is retired; the rest of the batch is rendered on the CPU.
  case fellBack(reason: String)
  /// A lost GPU was opened again, and goes on.
  case deviceReopened(reason: String)
  /// A GPU of several is not used, or no longer used; the others go on.
  case deviceDropped(reason: String, others: String)
  /// An item's plan, before it is rendered; with `BatchOptions.explains` only.
  case explained(BatchItem, Explanation)
  case itemFinished(ItemRecord)
}

/// Sums over a batch.
package struct BatchSummary: Sendable, Hashable {
  package var items = 0
  package var ok = 0
  package var warned = 0
  package var failed = 0
  package var rejected = 0
  package var skipped = 0
  /// Output pixels and bytes written.
  package var pixels = 0
  package var bytesOut = 0
  /// Strips of GPUs' pictures that the CPU rendered too (`BatchOptions.sample`).
  package var sampledStrips = 0
  package var wallSeconds = 0.0
  /// User and system time of the process while the batch ran, and of its codec processes.
  package var cpuSeconds = 0.0
  package var peakResidentBytes = 0
  /// The peak resident bytes of the largest codec process; 0 without any.
  package var codecPeakResidentBytes = 0
  package var exitStatus = ExitStatus.success
  /// The reason why the batch ended before its last item; `nil` when it did not.
  package var stopped: StopReason?
  /// Messages about a record or journal that is not whole because it could not be written, a line each.
  package var faults: [String] = []

  package init() {}

  package var finished: Int { ok + warned + failed + rejected + skipped }

  mutating func count(_ record: ItemRecord) {
    switch record.status {
    case .ok: ok += 1
    case .warn: warned += 1
    case .failed: failed += 1
    case .rejected: rejected += 1
    case .skipped: skipped += 1
    }
    sampledStrips += record.sampledStrips
    if record.status == .ok || record.status == .warn {
      pixels += record.pixels
      bytesOut += record.bytesOut
    }
  }

  var json: JSON {
    [
      "type": "summary", "items": .int(items), "ok": .int(ok), "warn": .int(warned), "failed": .int(failed),
      "rejected": .int(rejected), "skipped": .int(skipped), "pixels": .int(pixels), "bytesOut": .int(bytesOut),
      "sampledStrips": .int(sampledStrips), "wallSeconds": .number(rounded(wallSeconds)),
      "cpuSeconds": .number(rounded(cpuSeconds)),
      "peakResidentBytes": .int(peakResidentBytes), "codecPeakResidentBytes": .int(codecPeakResidentBytes),
      "exitCode": .int(Int(exitStatus.code)),
    ]
  }
}
