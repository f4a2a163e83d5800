import HDRRecipe
import HDRRender
import PlainData

/// A job of OpenCue whose frames are items, in chunks (cuebot's JobSpec and its document type cjsl-1.12).
package struct OpenCueJob: Sendable {
  package var job: FarmJob
  /// Items of a chunk.
  package var chunk: Int
  /// The show must exist in OpenCue.
  package var show: String
  package var shot: String
  package var user: String

  /// Cuebot takes no job of more frames.
  static let maxFrames = 100_000

  package init(_ job: FarmJob, show: String, shot: String, user: String, chunk: Int? = nil) {
    self.job = job
    self.show = show
    self.shot = shot
    self.user = user
    self.chunk = chunk ?? max(job.chunk, (job.unit.count + Self.maxFrames - 1) / Self.maxFrames)
  }

  /// The job's specification, as XML.
  ///
  /// - Throws: `UsageError` for names that OpenCue does not take and paths that the file cannot hold.
  package func text() throws(UsageError) -> String {
    for (word, what) in [(show, "show"), (shot, "shot"), (user, "user")] {
      // The rules of JobSpec.java; a job's own name has them too.
      guard word.utf8.count >= 3, word.utf8.allSatisfy({ Self.isWord($0) }) else {
        throw UsageError(
          "--\(what) \(printable(word)): OpenCue takes letters, digits, _ - and ., at least three of them")
      }
    }
    if user == "root" { throw UsageError("OpenCue launches nothing for root: say --user") }
    let words = try job.words()
    for word in words where word.contains("#") {
      throw UsageError("\"\(printable(word))\" holds #, which OpenCue may take for one of its tokens")
    }
    var lines = [
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>",
      "<!DOCTYPE spec SYSTEM \"http://localhost:8080/spcue/dtd/cjsl-1.12.dtd\">",
    ]
    let submit = "opencue.api.launchSpecAndWait(open(THIS_FILE).read()) in Python"
    lines += job.remarks("opencue", "chunks of \(chunk)", submit: submit).map { "<!-- \($0) -->" }
    lines += [
      "<!-- Whatever the code, a chunk is run again as often as maxretries says (1 at most): it resumes, so that is cheap. Chunks are",
      "     killed without notice. 33 and 137, which mean want of memory here, are no codes of hdrbatch. -->",
      "<spec>",
      "  <facility>local</facility>",
      "  <show>\(show)</show>",
      "  <shot>\(shot)</shot>",
      "  <user>\(user)</user>",
      "  <job name=\"hdrbatch_\(job.digest)\">",
      "    <paused>false</paused>",
      "    <maxretries>1</maxretries>",
      "    <autoeat>false</autoeat>",
      "    <layers>",
      "      <layer name=\"render\" type=\"Render\">",
      "        <cmd>\(xmlEscaped(JobText.shell(words))) \(job.unit.option) #FRAME_START#-#FRAME_END#</cmd>",
      "        <range>\(job.unit.count == 1 && job.frames == nil ? "0-0" : job.range(step: "x"))</range>",
      "        <chunk>\(chunk)</chunk>",
      // With the point these are cores, without it hundredths of them.
      "        <cores>\(job.cpus).0</cores>",
      "        <threadable>true</threadable>",
    ]
    if let memory = job.memory { lines.append("        <memory>\(memory)m</memory>") }
    if job.gpus > 0 { lines.append("        <gpus>\(job.gpus)</gpus>") }
    if let minutes = job.minutes { lines.append("        <timeout>\(minutes)</timeout>") }
    lines += [
      // Progress comes every 10 s: no output for this many minutes means that the process hangs.
      "        <timeout_llu>5</timeout_llu>",
      "        <services>",
      "          <service>default</service>",
      "        </services>",
      "      </layer>",
      "    </layers>",
      "  </job>",
      "</spec>",
    ]
    return lines.joined(separator: "\n") + "\n"
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
      || "_-.".utf8.contains(byte)
  }
}
