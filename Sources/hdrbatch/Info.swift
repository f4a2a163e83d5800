import ArgumentParser
import BatchEngine
import HDRCore

/// `hdrbatch info`: what a file states about itself.
struct Info: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Shows size, colour, headroom, gain map and light metadata of files, without decoding pixels.",
    discussion: """
      With --json one object a file and line, with the keys format, width, height, orientation, bitDepth, chroma, \
      decoder, cicp, icc, isHDR, contentHeadroom (factor of reference white; 1 SDR, 0 unknown), gainMap, clli, mdcv, \
      warnings. Sizes are those of the stored picture; headrooms and gains inside gainMap are in stops; decoder is the \
      library that would decode it.
      """)

  @Argument(help: ArgumentHelp("Files, folders (all pictures below them) or @list.txt.", valueName: "file"))
  var files: [String]

  @Flag(help: "JSON Lines on standard output.")
  var json = false

  @OptionGroup var decoders: DecoderArguments

  func run() throws {
    try decoders.check()
    var hasFailures = false
    for item in try InputCollector.collect(files) {
      do throws(DecodeError) {
        let inspection = try FileInspection(item.path, limits: decoders.limits)
        if json {
          Terminal.output.line(inspection.json.line)
        } else {
          for line in inspection.lines { Terminal.output.line(line) }
        }
      } catch {
        hasFailures = true
        let message = Terminal.printable("\(error)")
        Terminal.error.line("hdrbatch: error: \(item.path.display): \(message) [\(error.code)]")
        if json {
          let fault: JSON = [
            "file": .path(item.path), "error": ["code": .string(error.code), "message": .string("\(error)")],
          ]
          Terminal.output.line(fault.line)
        }
      }
    }
    if hasFailures { throw ExitCode(ExitStatus.failedItems.code) }
  }
}
