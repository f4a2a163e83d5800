import Foundation
import HDRRender
import TestSupport
import Testing

/// The calls for tasks.
@Suite struct AsyncTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  @Test("eight tasks at once get what one call gets")
  func together() async throws {
    let renderer = try HDRRenderer(backend: .cpu, threads: 2)
    let photo = try HDRImage(contentsOf: SharedData.example("temple.heic"))
    let expected = try await renderer.write(photo, to: folder.path("alone.jpg"), as: .sdrJPEG(quality: 80)).outputDigest
    let digests = try await withThrowingTaskGroup(of: String?.self) { group in
      for index in 0..<8 {
        group.addTask { [folder] in
          if index % 2 == 0 {
            return try await renderer.write(
              photo, to: folder.path("\(index).jpg"), as: .sdrJPEG(quality: 80)
            ).outputDigest
          }
          let pixels = try await renderer.render(photo.scaled(by: 0.1), headroom: 2)
          return pixels.width == 128 ? expected : nil
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(digests.count == 8 && digests.allSatisfy { $0 == expected })
  }

  @Test("a cancelled task leaves no file", arguments: [0, 30, 200])
  func cancelled(milliseconds: Int) async throws {
    let renderer = try HDRRenderer(backend: .cpu, threads: 1)
    let photo = try HDRImage(contentsOf: SharedData.example("lamps.jpg")).applying(.exposure(ev: 0.5))
    let path = folder.path("a.heic")
    let task = Task { try await renderer.write(photo, to: path, as: .adaptiveHEIC()) }
    try await Task.sleep(for: .milliseconds(milliseconds))
    task.cancel()
    let result = await task.result
    switch result {
    case .success: Issue.record("it was faster than the cancellation")
    case .failure(let error): #expect((error as? HDRError)?.kind == .cancelled)
    }
    #expect(folder.names.isEmpty)
    // The renderer goes on.
    let pixels = try await renderer.render(photo.scaled(by: 0.02))
    #expect(pixels.width > 0)
  }
}
