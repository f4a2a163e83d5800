import BatchEngine
import Glibc
import HDRCore
import HDRPlan
import HDRRender
import ImageFiles

/// `--peers`: other programs that are installed, on the same file and the same job, in turn with this one.
///
/// Every program runs as a process of its own, from start to exit, and so does hdrbatch, codec processes included;
/// seconds are CPU time, user and system, of the process and of children that it has waited for. Python's time counts
/// from after its imports. Programs are looked for in PATH; HDRBATCH_FFMPEG and HDRBATCH_PYTHON name others.
struct PeerBench {
  /// A way of doing a job.
  private struct Way {
    var program: String
    var arguments: [String]
    /// Words for scripts/codec_peers.py, which times itself.
    var words: [String]?
    /// The difference of its work from the job.
    var remark: String?
  }

  private struct Job {
    var name: String
    /// Options of `hdrbatch render`.
    var options: [String]
    var others: [Way]
  }

  let scratch: FilePath
  let repeats: Int
  private let ffmpeg = Self.find(Environment.value("HDRBATCH_FFMPEG") ?? "ffmpeg")
  private let vips = Self.find("vips")
  private let script = try? PeerScript()

  init(scratch: FilePath, repeats: Int) {
    self.scratch = scratch
    self.repeats = repeats
  }

  func run(_ input: FilePath, figure: (BenchFigure) -> Void, problem: (String) -> Void) {
    guard let bytes = try? readFile(input, maxBytes: DecodeLimits().maxFileBytes),
      let source = try? decodeImage(bytes, request: .metadata, limits: DecodeLimits())
    else { return }
    if ffmpeg == nil && vips == nil && script == nil {
      return problem("other programs: none of ffmpeg, vips, python3 is in PATH")
    }
    for job in jobs(input, source) { run(job, input, figure, problem) }
  }

  private func run(_ job: Job, _ input: FilePath, _ figure: (BenchFigure) -> Void, _ problem: (String) -> Void) {
    let out = scratch.appending("ours").display
    let own = OwnProgram.current
    let command = own.command(
      own.file,
      ["hdrbatch", "render", input.display, "--out", out] + job.options + [
        "--on-existing", "replace", "--journal", "none", "--durability", "none", "--progress", "none",
      ])
    let ours = Way(program: command.file.display, arguments: Array(command.arguments.dropFirst()))
    let ways = [("hdrbatch", ours)] + job.others.map { (Self.label($0), $0) }
    var times = [[ChildTime]](repeating: [], count: ways.count), failed = Set<Int>()
    // In turn, so that other load affects all alike.
    for round in 0...repeats {
      for (index, (label, way)) in ways.enumerated() where !failed.contains(index) {
        let time =
          way.words.map { script?.timed($0, in: scratch)?.time } ?? runChild(way.program, way.arguments)
        guard let time else {
          failed.insert(index)
          problem("\(label), \(job.name) of \(input.display): it failed or is not complete")
          continue
        }
        if round > 0 { times[index].append(time) }
      }
    }
    guard let own = times.first, !own.isEmpty else { return }
    let reference = Spread(own.map(\.cpu)).median
    for (index, (label, way)) in ways.enumerated() where !times[index].isEmpty {
      let cpu = Spread(times[index].map(\.cpu))
      let ratio = cpu.median / reference
      figure(
        BenchFigure(
          .peers, "\(job.name), \(input.display): \(label)", cpu, .seconds,
          details: [
            .init("job", .string(job.name)), .init("input", .path(input)), .init("program", .string(label)),
            .init("wallSeconds", .number(rounded(Spread(times[index].map(\.wall)).median))),
            .init("overOurs", .number(rounded(ratio))), .init("remark", .maybe(way.remark)),
            .init("command", .string(([way.program] + way.arguments).joined(separator: " "))),
          ]))
    }
  }

  private static func label(_ way: Way) -> String { way.remark ?? way.program }

  /// Returns the jobs that a file is good for.
  private func jobs(_ input: FilePath, _ source: SourceImage) -> [Job] {
    let path = input.display
    func out(_ name: String) -> String { scratch.appending(name).display }
    var isPQ = false
    if case .cicp(_, CICP.Transfer.pq) = source.color.encoding { isPQ = true }
    var jobs: [Job] = []
    var sdr = Job(name: "to SDR JPEG", options: ["--to", "sdr-jpeg"], others: [])
    if let ffmpeg {
      let common = ["-v", "error", "-nostdin", "-y"]
      if isPQ {
        let zscale =
          "zscale=transfer=linear:npl=203,format=gbrpf32le,tonemap=hable:desat=0,"
          + "zscale=primaries=709:transfer=709:matrix=470bg:range=full,format=yuvj420p"
        sdr.others.append(
          Way(
            program: ffmpeg,
            arguments: common + ["-i", path, "-frames:v", "1", "-vf", zscale, "-q:v", "3", out("f.jpg")],
            remark: "ffmpeg, zscale and tonemap"))
        let placebo =
          "libplacebo=tonemapping=bt.2390:colorspace=bt470bg:color_primaries=bt709:color_trc=bt709:range=pc:format=yuvj420p"
        sdr.others.append(
          Way(
            program: ffmpeg,
            arguments: common + ["-init_hw_device", "vulkan=v", "-i", path, "-frames:v", "1", "-vf", placebo]
              + ["-q:v", "3", out("p.jpg")],
            remark: "ffmpeg, libplacebo on Vulkan"))
        let lut = scratch.appending("look.cube")
        if (try? writeBytes(Array(Self.cube().utf8), to: lut)) != nil {
          jobs.append(
            Job(
              name: "33³ LUT to PQ PNG", options: ["--to", "pq-png", "--lut", lut.display, "--lut-space", "pq"],
              others: [
                Way(
                  program: ffmpeg,
                  arguments: common + ["-i", path, "-frames:v", "1", "-vf"] + [
                    "zscale=matrix=gbr:range=full,format=gbrp16le,lut3d=file=\(lut.display):interp=tetrahedral",
                    "-pix_fmt", "rgb48be", "-compression_level", "1", out("l.png"),
                  ], remark: "ffmpeg, lut3d")
              ]))
        }
      } else {
        sdr.others.append(
          Way(
            program: ffmpeg, arguments: common + ["-i", path, "-frames:v", "1", "-q:v", "3", out("b.jpg")],
            remark: "ffmpeg, base coded again"))
      }
    }
    if let vips, !isPQ {
      sdr.others.append(
        Way(program: vips, arguments: ["copy", path, out("v.jpg") + "[Q=90]"], remark: "libvips, base coded again"))
    }
    if !sdr.others.isEmpty { jobs.append(sdr) }
    if let script, source.gainMap != nil, source.format == "jpeg" {
      func job(_ name: String, _ kind: String, _ word: String, _ remark: String) -> Job {
        let words = ["gainmap", word, path, out("u.png")], command = script.command(words)
        return Job(
          name: name, options: ["--to", kind],
          others: [Way(program: command.program, arguments: command.arguments, words: words, remark: remark)])
      }
      jobs.append(job("gain-map JPEG to PQ PNG", "pq-png", "pq", "libultrahdr to PQ codes, libpng"))
      jobs.append(job("gain-map JPEG to linear halves", "rgba16f", "linear", "libultrahdr to linear halves"))
    }
    return jobs
  }

  /// Returns a look as a .cube file.
  private static func cube() -> String {
    var text = "LUT_3D_SIZE 33\n"
    let values = TestPictures.look(size: 33).cube?.values ?? []
    for i in stride(from: 0, to: values.count, by: 3) { text += "\(values[i]) \(values[i + 1]) \(values[i + 2])\n" }
    return text
  }

  /// Finds a program in PATH, or at the given path.
  static func find(_ name: String) -> String? {
    if name.contains("/") { return access(name, X_OK) == 0 ? name : nil }
    for folder in (Environment.value("PATH") ?? "").split(separator: ":") {
      let path = "\(folder)/\(name)"
      if access(path, X_OK) == 0 { return path }
    }
    return nil
  }
}

/// The CPU and wall time of a process, in seconds.
struct ChildTime: Sendable, Hashable {
  var cpu: Double
  var wall: Double
}

/// Runs a program to its end, without input; its output goes to a file or nowhere.
///
/// - Returns: `nil` when it could not be started or did not exit with 0.
func runChild(_ program: String, _ arguments: [String], output: FilePath? = nil) -> ChildTime? {
  var actions = posix_spawn_file_actions_t()
  posix_spawn_file_actions_init(&actions)
  defer { posix_spawn_file_actions_destroy(&actions) }
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
  let target = output?.display ?? "/dev/null"
  posix_spawn_file_actions_addopen(&actions, 1, target, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
  posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
  var words: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) } + [nil]
  defer { for word in words { free(word) } }
  var child: pid_t = 0
  let start = ContinuousClock.now
  // This process blocks the signals that end a batch; they must end the other program.
  var attributes = posix_spawnattr_t(), none = sigset_t()
  posix_spawnattr_init(&attributes)
  defer { posix_spawnattr_destroy(&attributes) }
  sigemptyset(&none)
  posix_spawnattr_setsigmask(&attributes, &none)
  posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
  // A bundle's libraries that go with its own C library are not for programs of the system.
  var environment: [UnsafeMutablePointer<CChar>?] = []
  for index in 0... {
    guard let entry = environ[index] else { break }
    if let linker = OwnProgram.current.linker, linker.display != program,
      String(cString: entry).hasPrefix("LD_LIBRARY_PATH=")
    {
      continue
    }
    environment.append(entry)
  }
  environment.append(nil)
  guard posix_spawn(&child, program, &actions, &attributes, &words, &environment) == 0 else { return nil }
  var status: Int32 = 0, usage = rusage()
  while wait4(child, &status, 0, &usage) < 0 { if errno != EINTR { return nil } }
  guard status == 0 else { return nil }
  func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) * 1e-6 }
  return ChildTime(
    cpu: seconds(usage.ru_utime) + seconds(usage.ru_stime), wall: (ContinuousClock.now - start) / .seconds(1))
}
