import BatchEngine
import GPURender
import HDRRender
import PlainData

/// A reason why a GPU is not used, in plain words, and the remedy.
package struct GraphicsAdvice: Sendable, Hashable {
  /// The stable short code.
  package var code: String
  package var text: String

  init(_ code: String, _ text: String) {
    self.code = code
    self.text = text
  }
}

/// A device of the loader's list with the result of its self-test.
package struct ExaminedDevice: Sendable {
  package var info: GPUDeviceInfo
  /// The reason why it was not opened or failed; `nil` for a device that passed or was not asked.
  package var fault: GPUError?

  package init(_ info: GPUDeviceInfo, fault: GPUError? = nil) {
    self.info = info
    self.fault = fault
  }

  var isGood: Bool { info.type != .cpu && info.refusal == nil && fault == nil }
}

extension GraphicsFacts {
  /// Returns all reasons why this process cannot use a GPU; empty if one can be used and none is hidden.
  ///
  /// - Parameters:
  ///   - isAnswered: the drivers answered in time.
  ///   - grant: the reason why a scheduler's or CUDA's variable leaves no GPU; `nil` where it does not.
  package func advice(_ devices: [ExaminedDevice], isAnswered: Bool = true, grant: String? = nil) -> [GraphicsAdvice] {
    var found = devices.compactMap { advice($0) }
    if !isAnswered {
      found.append(
        GraphicsAdvice(
          "driver.hangs",
          "a Vulkan driver does not answer: look for a hung GPU in the kernel's log, or leave its manifest out with "
            + "VK_DRIVER_FILES"))
    }
    if devices.contains(where: \.isGood) {
      if let grant { found.append(GraphicsAdvice("gpu.hidden", "\(grant); --device takes one all the same")) }
      return found
    }
    if let loaderFault { return found + [loaderAdvice(loaderFault)] }
    if isAnswered, let missing = missing(devices) { found.append(missing) }
    if let grant { found.append(GraphicsAdvice("gpu.hidden", grant)) }
    return found
  }

  /// Returns the advice on a device of the list that is refused or fails; `nil` for others.
  private func advice(_ device: ExaminedDevice) -> GraphicsAdvice? {
    let name = device.info.name
    if let refusal = device.info.refusal {
      return GraphicsAdvice("gpu.unsuitable", "\(name) is refused: \(refusal); a newer driver may have it")
    }
    switch device.fault {
    case nil: return nil
    case .selfTest(_, let differing)?:
      return GraphicsAdvice(
        "gpu.self-test",
        "\(name) is refused: \(differing) words of its arithmetic differ from the CPU's, so its pictures would not have "
          + "the promised bits; try another version of its driver (\(device.info.driverName) \(device.info.driverInfo))"
      )
    case let fault?: return GraphicsAdvice(fault.code, "\(name) does not open: \(fault)")
    }
  }

  private func loaderAdvice(_ fault: String) -> GraphicsAdvice {
    let what = hasNVIDIA ? "an NVIDIA GPU is here and " : ""
    return GraphicsAdvice(
      "loader.missing",
      "\(what)no usable Vulkan loader (\(fault)): install libvulkan1 (Debian, Ubuntu) or vulkan-loader (Fedora, RHEL)")
  }

  private var hasNVIDIA: Bool { nvidiaModule != nil || !nvidiaNodes.isEmpty }

  /// Returns the reason why no GPU is in the list.
  private func missing(_ devices: [ExaminedDevice]) -> GraphicsAdvice? {
    // A device that exists and is refused has been reported already.
    if devices.contains(where: { $0.info.type != .cpu }) { return nil }
    if let advice = chosenDrivers { return advice }
    if hasNVIDIA { return nvidia }
    let shut = renderNodes.filter { !$0.opens }
    if !shut.isEmpty && shut.count == renderNodes.count {
      return GraphicsAdvice(
        "node.permission",
        "\(shut[0].path) is there and this user must not open it: add the user to the group that owns it (render, "
          + "video)" + (isContainer ? ", or start the container with --group-add" : ""))
    }
    let broken = drivers.filter { $0.fault != nil }
    if let first = broken.first, broken.count == drivers.count {
      return GraphicsAdvice(
        "driver.broken",
        "no driver opens: \(first.manifest)" + (first.library.map { " names \($0)" } ?? "") + ", \(first.fault ?? "")")
    }
    if let node = renderNodes.first(where: \.opens) {
      return GraphicsAdvice(
        "driver.missing",
        "\(node.path) is a GPU, and no Vulkan driver here is for it: install mesa-vulkan-drivers, or its maker's driver"
      )
    }
    if drivers.isEmpty {
      return GraphicsAdvice(
        "driver.none",
        "the Vulkan loader finds no driver manifest (vulkan/icd.d below /usr/share, /usr/local/share, /etc): install "
          + "the GPU's driver")
    }
    return GraphicsAdvice(
      "gpu.none",
      "no GPU is visible to this process: there is no /dev/nvidia0 and no /dev/dri/renderD128"
        + (isContainer ? "; start the container with --gpus all, or --device /dev/dri" : ""))
  }

  /// Advice on drivers chosen by a variable that are not there, or that leave the GPU's out.
  private var chosenDrivers: GraphicsAdvice? {
    guard
      let (name, value) = ["VK_DRIVER_FILES", "VK_ICD_FILENAMES"].lazy.compactMap({ name in
        self.variables[name].map { (name, $0) }
      }).first(where: { !$0.1.isEmpty })
    else { return nil }
    let text = printable("\(name)=\(value)")
    if drivers.allSatisfy({ $0.fault != nil }) {
      let why = drivers.first.map { ": \($0.manifest): \($0.fault ?? "")" } ?? ""
      return GraphicsAdvice("driver.variable", "\(text) leaves no driver\(printable(why)); unset it")
    }
    if hasNVIDIA && !drivers.contains(where: \.isNVIDIA) {
      return GraphicsAdvice("driver.variable", "\(text) leaves out the driver of the NVIDIA GPU; unset it")
    }
    return nil
  }

  /// Advice on an NVIDIA GPU that is not in the list.
  private var nvidia: GraphicsAdvice {
    let cards = nvidiaNodes.filter { $0.path != "/dev/nvidiactl" }
    if let visible = variables["NVIDIA_VISIBLE_DEVICES"], ["", "none", "void"].contains(visible), cards.isEmpty {
      return GraphicsAdvice(
        "container.devices", "NVIDIA_VISIBLE_DEVICES=\(visible) gives this container no GPU: start it with --gpus all")
    }
    if cards.isEmpty {
      return GraphicsAdvice(
        "container.devices",
        "NVIDIA's kernel module is loaded and no /dev/nvidia0 is here: "
          + (isContainer ? "start the container with --gpus all" : "start nvidia-persistenced, or run nvidia-modprobe"))
    }
    if !hasNVIDIALibrary {
      guard isContainer || variables["NVIDIA_DRIVER_CAPABILITIES"] != nil || variables["NVIDIA_VISIBLE_DEVICES"] != nil
      else {
        return GraphicsAdvice(
          "driver.graphics",
          "NVIDIA's driver is installed without its graphics libraries (libGLX_nvidia.so.0 is missing): install them, "
            + "libnvidia-gl-\(majorVersion) on Ubuntu, nvidia-vulkan-icd on Debian")
      }
      let now = variables["NVIDIA_DRIVER_CAPABILITIES"].map { "; it has \($0.isEmpty ? "none" : $0)" } ?? ""
      return GraphicsAdvice(
        "container.graphics",
        "the container has no graphics capability (libGLX_nvidia.so.0 is missing)\(printable(now)): start it with "
          + "NVIDIA_DRIVER_CAPABILITIES=graphics,compute,utility")
    }
    if !drivers.contains(where: \.isNVIDIA) {
      return GraphicsAdvice(
        "driver.manifest",
        "NVIDIA's Vulkan library is here and no manifest names it: put nvidia_icd.json with \"library_path\": "
          + "\"libGLX_nvidia.so.0\" into /etc/vulkan/icd.d, or name it with VK_DRIVER_FILES")
    }
    if let shut = nvidiaNodes.first(where: { !$0.opens }) {
      return GraphicsAdvice(
        "node.permission", "\(shut.path) is there and this user must not open it: its group, or the container's rules")
    }
    return GraphicsAdvice(
      "driver.silent",
      "NVIDIA's driver (kernel module \(nvidiaModule ?? "of unknown version")) offers no device: mostly its libraries are "
        + "of another version than the kernel module, or the container lacks /dev/nvidia-modeset")
  }

  private var majorVersion: String {
    nvidiaModule?.split(separator: ".").first.flatMap { Int($0) }.map(String.init) ?? "VERSION"
  }
}
