// swift-tools-version: 6.2
import PackageDescription

/// The address of hdrbatch's repository. In a package of your own this is a string.
let repository = Context.environment["HDRBATCH_URL"] ?? "https://git.example.com/hdrbatch.git"

let package = Package(
  name: "Library",
  dependencies: [.package(url: repository, branch: "main")],
  targets: [
    .executableTarget(name: "Library", dependencies: [.product(name: "HDRRender", package: "hdrbatch")])
  ]
)
