import CPlatform
import CodecService
import HDRCore

/// How untrusted files are kept away from this process: `--isolation`.
public enum Isolation: String, Sendable, Hashable, CaseIterable {
  /// Codec processes that can compute and use the descriptors that they are handed, and nothing else.
  case sandbox
  /// Codec processes under limits of memory and time, otherwise free.
  case rlimit
  /// Codecs in this process.
  case none
  /// As `sandbox`, with a new process for every input.
  case fresh
}

/// What codec processes are allowed (docs/isolation.md#limits).
public struct WorkerLimits: Sendable, Hashable {
  /// Wall clock of one phase, beside a second for every 4 megapixels.
  public var seconds: Int
  /// Address space of one process, beside its program and the memory that pictures are handed over in; `nil`: what a
  /// picture needs, at most `standardMemoryBytes`.
  public var memoryBytes: Int?
  /// A process is replaced after this many items.
  public var items: Int
  /// What all processes together keep between items, with the memory that they share with this one: pages that one picture
  /// has touched cost the next one nothing.
  public var keptBytes: Int
  /// A run stops after this many operations in a row that crashed or took too long; 0: never.
  public var crashes: Int

  public init(
    seconds: Int = 30, memoryBytes: Int? = nil, items: Int = 64, keptBytes: Int = 1 << 30, crashes: Int = 100
  ) {
    self.seconds = seconds
    self.memoryBytes = memoryBytes
    self.items = items
    self.keptBytes = keptBytes
    self.crashes = crashes
  }

  /// Seconds for a phase with the given number of pixels.
  func seconds(pixels: Int) -> Double { Double(seconds) + Double(pixels) / 4e6 }

  /// CPU time that the start of a process may take, in seconds; of wall clock four times as much, for a machine may have
  /// no time for it.
  var startSeconds: Int { max(seconds, 15) }

  /// Address space that no picture gets more of unless `memoryBytes` says so.
  public static let standardMemoryBytes = 8 << 30

  /// The most that a process gets.
  package var mostMemoryBytes: Int { memoryBytes ?? Self.standardMemoryBytes }

  /// Address space for work that needs so much (`MemoryNeed`).
  func memory(_ need: Int) -> Int { memoryBytes ?? min(Self.standardMemoryBytes, need) }
}

/// Settings of the isolation.
public struct IsolationOptions: Sendable {
  public var isolation = Isolation.sandbox
  /// Less than a whole sandbox is an error.
  public var requiresSandbox = false
  public var limits = WorkerLimits()
  /// Pictures in flight, which share the address space.
  package var jobs = Int(hdr_allotted_processors())
  /// The program of the processes; `nil`: beside this one.
  public var program: FilePath?
  /// The processes' stderr is this one's.
  public var showsErrors = false

  public init(_ isolation: Isolation = .sandbox) { self.isolation = isolation }

  /// The program of the processes: the given one, `HDRBATCH_CODEC`, or the one beside this program.
  var programPath: FilePath {
    program ?? Environment.value("HDRBATCH_CODEC").map { FilePath($0) }
      ?? OwnProgram.current.folder.appending("hdrbatch-codec")
  }
}
