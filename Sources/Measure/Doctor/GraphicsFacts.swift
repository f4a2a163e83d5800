import BatchEngine
import GPURender
import Glibc
import HDRRender
import PlainData

/// Facts about this machine's graphics drivers that need no call to them: the loader, manifests, libraries, device
/// files, variables. The cause of a missing GPU follows from these alone, so that every case can be tested.
package struct GraphicsFacts: Sendable {
  /// A manifest that the loader looks at (the Vulkan loader's "Driver Manifest File Format").
  package struct Driver: Sendable, Hashable {
    package var manifest: String
    /// The library that it names; `nil` when the manifest cannot be read.
    package var library: String?
    /// The reason why the library does not open, or the manifest cannot be read.
    package var fault: String?

    package init(manifest: String, library: String?, fault: String? = nil) {
      self.manifest = manifest
      self.library = library
      self.fault = fault
    }

    var isNVIDIA: Bool { (library ?? "").contains("nvidia") || manifest.contains("nvidia") }
  }

  /// A device file, with the right of this process to open it.
  package struct Node: Sendable, Hashable {
    package var path: String
    package var opens: Bool

    package init(_ path: String, opens: Bool = true) {
      self.path = path
      self.opens = opens
    }
  }

  /// The reason why the loader does not open or start; `nil` when it does.
  package var loaderFault: String?
  package var drivers: [Driver] = []
  /// Variables that choose drivers and devices, those that are set.
  package var variables: [String: String] = [:]
  package var isContainer = false
  /// `/dev/nvidia0` and so on, `/dev/nvidiactl` too.
  package var nvidiaNodes: [Node] = []
  /// Version of NVIDIA's kernel module, where it is loaded.
  package var nvidiaModule: String?
  /// True if NVIDIA's Vulkan library, `libGLX_nvidia.so.0`, opens.
  package var hasNVIDIALibrary = false
  /// `/dev/dri/renderD128` and so on.
  package var renderNodes: [Node] = []

  package init() {}

  /// Variables in the order of reports.
  static let variableNames = [
    "VK_DRIVER_FILES", "VK_ICD_FILENAMES", "VK_ADD_DRIVER_FILES", "VK_LOADER_DRIVERS_SELECT",
    "VK_LOADER_DRIVERS_DISABLE",
    "CUDA_VISIBLE_DEVICES", "NVIDIA_VISIBLE_DEVICES", "NVIDIA_DRIVER_CAPABILITIES",
  ]
}

// MARK: - Reading

extension GraphicsFacts {
  /// Collects the facts of this machine and process.
  ///
  /// - Parameter loaderFault: error of opening the loader.
  static func current(loaderFault: String?) -> GraphicsFacts {
    var facts = GraphicsFacts()
    facts.loaderFault = loaderFault
    for name in variableNames { facts.variables[name] = Environment.value(name) }
    facts.drivers = manifests(facts.variables).map { driver($0) }
    facts.isContainer =
      ["/.dockerenv", "/run/.containerenv"].contains { somethingExists(at: FilePath($0)) }
      || Environment.value("container") != nil || Environment.value("KUBERNETES_SERVICE_HOST") != nil
    facts.nvidiaNodes = nodes("/dev") { name in
      name == "nvidiactl" || (name.hasPrefix("nvidia") && name.count > 6 && name.dropFirst(6).allSatisfy(\.isNumber))
    }
    facts.nvidiaModule = nvidiaVersion(MachineView.current.file("/proc/driver/nvidia/version"))
    facts.hasNVIDIALibrary = opens("libGLX_nvidia.so.0") == nil
    facts.renderNodes = nodes("/dev/dri") { $0.hasPrefix("renderD") }
    return facts
  }

  /// Returns the version in "NVRM version: NVIDIA UNIX x86_64 Kernel Module  550.54.15  Tue ...".
  static func nvidiaVersion(_ text: String?) -> String? {
    guard let line = text?.split(separator: "\n").first else { return nil }
    return line.split(separator: " ").first { $0.contains(".") && $0.allSatisfy { $0.isNumber || $0 == "." } }
      .map(String.init) ?? "of unknown version"
  }

  private static func nodes(_ folder: String, _ isOne: (String) -> Bool) -> [Node] {
    let names = (try? namesInFolder(FilePath(folder))) ?? []
    return names.map { String(decoding: $0, as: UTF8.self) }.filter(isOne).map { name in
      let path = folder + "/" + name
      return Node(path, opens: access(path, R_OK | W_OK) == 0)
    }
  }

  /// Returns manifests in the loader's order (its "Driver Discovery"): those that a variable names, else those
  /// of the system's folders.
  private static func manifests(_ variables: [String: String]) -> [String] {
    func list(_ name: String) -> [String] {
      (Environment.value(name) ?? "").split(separator: ":").map(String.init)
    }
    func files(_ paths: [String]) -> [String] {
      paths.flatMap { path -> [String] in
        if path.hasSuffix(".json") { return [path] }
        let names = (try? namesInFolder(FilePath(path))) ?? []
        return names.map { String(decoding: $0, as: UTF8.self) }.filter { $0.hasSuffix(".json") }.map {
          path + "/" + $0
        }
      }
    }
    for name in ["VK_DRIVER_FILES", "VK_ICD_FILENAMES"] where variables[name]?.isEmpty == false {
      return files(list(name))
    }
    let home = Environment.value("HOME") ?? ""
    func or(_ paths: [String], _ base: [String]) -> [String] { paths.isEmpty ? base : paths }
    let bases =
      or(list("XDG_CONFIG_HOME"), home.isEmpty ? [] : [home + "/.config"]) + or(list("XDG_CONFIG_DIRS"), ["/etc/xdg"])
      + ["/etc"] + or(list("XDG_DATA_HOME"), home.isEmpty ? [] : [home + "/.local/share"])
      + or(list("XDG_DATA_DIRS"), ["/usr/local/share", "/usr/share"])
    return files(list("VK_ADD_DRIVER_FILES")) + files(bases.map { $0 + "/vulkan/icd.d" })
  }

  private static func driver(_ manifest: String) -> Driver {
    guard let bytes = try? readWholeFile(FilePath(manifest), maxBytes: 1 << 20) else {
      return Driver(manifest: manifest, library: nil, fault: "it is not there or cannot be read")
    }
    guard let library = (try? JSON(parsing: bytes))?["ICD"]?["library_path"]?.string else {
      return Driver(manifest: manifest, library: nil, fault: "it is no driver manifest")
    }
    guard library.contains("/") else { return Driver(manifest: manifest, library: library, fault: opens(library)) }
    // Relative paths begin at the manifest's folder.
    let path = library.hasPrefix("/") ? library : FilePath(manifest).parent.appending(Array(library.utf8)).display
    return Driver(
      manifest: manifest, library: library, fault: access(path, R_OK) == 0 ? nil : "\(path) is not there")
  }

  /// Returns the reason why a library does not open; `nil` if it does.
  private static func opens(_ library: String) -> String? {
    guard let handle = dlopen(library, RTLD_LAZY | RTLD_LOCAL) else {
      return dlerror().map { String(cString: $0) } ?? "it does not open"
    }
    dlclose(handle)
    return nil
  }
}
