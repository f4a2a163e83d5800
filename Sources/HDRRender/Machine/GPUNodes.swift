/// The device files of GPUs: they show that the kernel has a driver, even if Vulkan finds none.
enum GPUNodes {
  private static let folder = FilePath("/dev/dri")
  private static let files = ["/dev/nvidia0", "/dev/nvidiactl", "/dev/kfd", "/dev/dxg"]

  static var areThere: Bool {
    files.contains { somethingExists(at: FilePath($0)) }
      || (try? namesInFolder(folder))?.contains { $0.starts(with: "renderD".utf8) } == true
  }
}
