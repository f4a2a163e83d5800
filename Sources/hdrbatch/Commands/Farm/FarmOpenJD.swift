import BatchEngine
import HDRRecipe
import HDRRender

/// `hdrbatch farm openjd`: writes a template of Open Job Description.
enum FarmOpenJD {
  static let command = Farm.command(
    "openjd", "A template of Open Job Description whose tasks are chunks of items.",
    [Farm.clips, Farm.chunks, Farm.process]
  ) { invocation in
    if let clips = try Farm.clips(invocation) {
      return try Farm.write(invocation, try clips.openJD(), Farm.division(clips))
    }
    let (job, manifest) = try Farm.job(invocation)
    // The template has the folder as a parameter, so the path is absolute.
    let folder = job.folder.map { FilePath($0) } ?? manifest.folder
    let out = manifest.out.isAbsolute ? manifest.out : folder.appending(manifest.out.bytes)
    let template = OpenJDJob(job, out: try job.out ?? out.asText(), chunk: invocation[Farm.chunks.chunk])
    try Farm.write(invocation, try template.text(), "\(job.size.items) items in chunks of \(template.chunk)")
  }
}

extension FilePath {
  fileprivate func asText() throws(UsageError) -> String {
    guard let text else { throw UsageError("\(display) is not UTF-8: a job file cannot hold it") }
    return text
  }
}
