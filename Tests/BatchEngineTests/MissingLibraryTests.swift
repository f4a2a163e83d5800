import BatchEngine
import HDRCore
import HDRRender
import Testing

/// Inputs whose library is not on the machine.
@Suite struct MissingLibraryTests {
  @Test("an input whose library is missing ends with 69 in one line, and the next inputs go on")
  func missingLibraryEndsWith69() {
    let error = HDRError(DecodeError.unavailable(library: "libjxr", package: "libjxr0", why: "no such file"))
    #expect(error.code == "decode.unavailable" && error.status == .unavailable && error.stops == nil)
    let line = error.line.description
    #expect(line.contains("libjxr0") && line.contains("no such file") && !line.contains("\n"))
  }
}
