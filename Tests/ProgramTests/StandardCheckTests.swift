import Foundation
import TestSupport
import Testing

/// Tests `info --check` through the program.
@Suite struct StandardCheckTests {
  @Test(.enabled(if: Program.url != nil, "skipped: hdrbatch is not built beside the tests"))
  func infoSaysWhetherAFilePassesAStandard() throws {
    let pq = try Program.run(["info", SharedData.examples + "/citadel-pq.heic", "--check", "iso22028-5"])
    #expect(
      pq.status == 0 && pq.output.contains("iso22028-5  passes (edition of 2023)") && pq.output.contains("ndwt"),
      "\(pq.output)")
    let sdr = try Program.run(
      ["info", SharedData.examples + "/lamps.jpg", "--check", "iso22028-5", "--json"])
    #expect(sdr.status == 65)
    let fields = try #require(try JSONSerialization.jsonObject(with: Data(sdr.output.utf8)) as? [String: Any])
    let check = try #require(fields["check"] as? [String: Any])
    #expect(check["passes"] as? Bool == false && check["standard"] as? String == "iso22028-5")
    #expect(check["edition"] as? Int == 2023)
  }
}
