/// `hdrbatch man`: prints the manual page.
enum ManCommand {
  static let command = Command(
    name: "man", summary: "Prints the manual page: hdrbatch man | man -l -", examples: ["man > hdrbatch.1"]
  ) { _ in
    Terminal.output.write(ManPage.text)
  }
}
