import HDRRender
import Testing

@Suite("The program that runs, and those beside it")
struct OwnProgramTests {
  @Test("a program that the system started starts others the same way")
  func system() {
    let own = OwnProgram(started: FilePath("/opt/hdrbatch/libexec/hdrbatch"))
    #expect(own.folder == FilePath("/opt/hdrbatch/libexec") && own.linker == nil)
    let command = own.command(own.folder.appending("hdrbatch-codec"), ["hdrbatch-codec", "--x"], libraryPath: "/lib")
    #expect(command.file == FilePath("/opt/hdrbatch/libexec/hdrbatch-codec"))
    #expect(command.arguments == ["hdrbatch-codec", "--x"])
  }

  @Test("a program that a bundle's own linker started starts others by it, with the same libraries")
  func bundle() {
    let linker = FilePath("/opt/hdrbatch/lib/glibc/ld-linux-x86-64.so.2")
    let own = OwnProgram(started: linker)
    #expect(own.file == FilePath("/opt/hdrbatch/libexec/hdrbatch") && own.linker == linker)
    let program = own.folder.appending("hdrbatch-codec")
    let command = own.command(program, ["hdrbatch-codec", "--x"], libraryPath: "/opt/hdrbatch/lib/fallback/libz")
    #expect(command.file == linker)
    #expect(
      command.arguments == [
        linker.display, "--library-path", "/opt/hdrbatch/lib/glibc:/opt/hdrbatch/lib/fallback/libz",
        "--argv0", "hdrbatch-codec", program.display, "--x",
      ])
    #expect(own.command(program, ["x"], libraryPath: nil).arguments[2] == "/opt/hdrbatch/lib/glibc")
  }

  @Test("the system's own linker is a program like another")
  func otherLinker() {
    #expect(OwnProgram(started: FilePath("/lib64/ld-linux-x86-64.so.2")).linker == nil)
  }
}
