import HDRCore
import OCIOConfig
import Testing

/// The configs that the program carries.
@Suite struct BuiltinConfigTests {
  @Test(arguments: BuiltinConfig.names) func everyViewOfABuiltinConfigIsResolved(name: String) throws {
    let config = try #require(try Config.builtIn("ocio://" + name))
    #expect(config.name == name && config.warnings.isEmpty && config.source == name)
    #expect(config.spaces.count > 20 && config.displayNames.count > 5)
    for display in config.displays {
      for view in display.views {
        let result = try config.operations(display: display.name, view: view.name, from: "scene_linear", .all)
        #expect(result.hasLight == (view.space != "Raw"), "\(display.name), \(view.name)")
        if result.hasLight { #expect(result.reference == .display && !result.light.isEmpty) }
      }
    }
    for space in config.spaces where !space.isData {
      #expect(try config.operations(from: space.name, to: .scene, .all).allSatisfy { $0.place.line > 0 })
      _ = try config.operations(from: .scene, to: space.name, .all)
    }
    for named in config.namedTransforms {
      #expect(try !config.operations(from: named.name, to: "scene_linear", .all).isEmpty)
      #expect(try !config.operations(from: "scene_linear", to: named.name, .all).isEmpty)
    }
  }

  @Test("short names stand for the newest configs, and no other text that has a scheme is taken")
  func namesStandForTheNewest() throws {
    for one in BuiltinConfig.aliases { #expect(try BuiltinConfig(one.alias)?.name == one.name) }
    #expect(try BuiltinConfig("builtin:studio")?.name == "studio-config-v5.0.0_aces-v2.1_ocio-v2.6")
    #expect(try BuiltinConfig("builtin:cg-config-v4.0.0_aces-v2.0_ocio-v2.5") != nil)
    #expect(try BuiltinConfig("show.ocio") == nil && BuiltinConfig("cg") == nil)
    for name in ["ocio://studio-config-v1.0.0_aces-v1.3_ocio-v2.1", "builtin:", "ocio://x"] {
      let error = #expect(throws: ConfigError.self) { try BuiltinConfig(name) }
      #expect(error?.code == .name && error?.reason.contains("builtin:studio") == true)
    }
  }
}
