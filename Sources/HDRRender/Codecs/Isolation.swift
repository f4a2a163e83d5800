import CPlatform
import CodecService
import HDRCore
import HDRRecipe

/// The limits of codec processes (docs/isolation.md#limits).
public struct CodecLimits: Sendable, Hashable {
  /// The wall-clock seconds of a phase, in addition to a second for every 4 megapixels.
  public var seconds: Int
  /// The address space of a process, in addition to its program and the shared memory of pictures; `nil`: the need of a
  /// picture, at most `standardMemoryBytes`.
  public var memoryBytes: Int?
  /// The number of items after which a process is retired.
  public var items: Int
  /// The memory that all processes together keep between items, including shared memory: pages that one picture has
  /// touched cost the next one nothing.
  public var keptBytes: Int
  /// The number of operations in a row that crashed or hung, after which a run stops; 0: never.
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

  /// Returns the seconds for a phase with this number of pixels.
  func seconds(pixels: Int) -> Double { Double(seconds) + Double(pixels) / 4e6 }

  /// The CPU seconds that the start of a process may take. Wall-clock time is four times as much, as the machine may be
  /// busy.
  var startSeconds: Int { max(seconds, 15) }

  /// The address space that no picture exceeds unless `memoryBytes` allows it.
  public static let standardMemoryBytes = 8 << 30

  /// The largest memory that a process gets.
  package var maxMemoryBytes: Int { memoryBytes ?? Self.standardMemoryBytes }

  /// Returns the address space for work with this need (`MemoryNeed`).
  func memory(_ need: Int) -> Int { memoryBytes ?? min(Self.standardMemoryBytes, need) }
}

/// The settings of the isolation.
public struct IsolationOptions: Sendable {
  public var isolation = Isolation.sandbox
  /// True if less than a complete sandbox is an error.
  public var requiresSandbox = false
  public var limits = CodecLimits()
  /// The number of pictures in flight, which share the address space.
  package var jobs = Int(hdr_allotted_processors())
  /// The program of the processes; `nil`: the one beside this program.
  public var program: FilePath?
  /// The advice where the program is missing or unusable; `nil`: that of the command line.
  package var programAdvice: Message?
  package var advice: Message { programAdvice ?? Self.standardAdvice }
  private static let standardAdvice: Message =
    "it is installed beside hdrbatch, HDRBATCH_CODEC names another, \(setting: "isolation") none goes without"
  /// True if the processes write to this process's stderr.
  public var showsErrors = false

  public init(_ isolation: Isolation = .sandbox) { self.isolation = isolation }

  /// The program of the processes: the given one, `HDRBATCH_CODEC`, or the one beside this program.
  package var programPath: FilePath {
    program ?? Environment.value("HDRBATCH_CODEC").map { FilePath($0) }
      ?? OwnProgram.current.folder.appending("hdrbatch-codec")
  }
}
