import BatchEngine
import CodecService
import GPURender
import Threads

/// The answers of the Vulkan drivers: devices, and each one's self-test. Drivers may hang, so they are called on a
/// thread of their own, with a timeout.
package struct GraphicsProbe: Sendable {
  /// The result of a device's self-test.
  package struct Test: Sendable {
    package var seconds: Double
    package var fault: GPUError?
    /// The codecs that the device runs, each with the fault of its own test.
    package var codecs: [(codec: String, fault: GPUError?)] = []
  }

  package var discovery: GPUDiscovery?
  package var loader: Result<GPULoader, GPUError>?
  /// The results by index in the list of devices; devices that are refused are not tested.
  package var tests: [Int: Test] = [:]
  /// True if all questions were answered in time.
  package var isAnswered = false
  /// The seconds of the calls.
  package var seconds = 0.0

  /// Asks for devices, then has each compare its arithmetic with the CPU's.
  ///
  /// - Parameter seconds: the timeout for all answers.
  package static func run(
    timeout seconds: Double, _ ask: @escaping @Sendable (Answers) -> Void = { $0.askAll() }
  ) -> GraphicsProbe {
    let answers = Answers(), begin = monotonicSeconds()
    WorkerThread(name: "vulkan") {
      ask(answers)
      answers.state.change { $0.isAnswered = true }
    }.detach()
    var probe = answers.state.wait(seconds: seconds) { $0.isAnswered ? $0 : nil } ?? answers.state.change { $0 }
    probe.seconds = monotonicSeconds() - begin
    return probe
  }

  /// The answers so far.
  package final class Answers: Sendable {
    let state = Monitor(GraphicsProbe())

    package func found(_ discovery: GPUDiscovery) { state.change { $0.discovery = discovery } }

    package func askAll() {
      let loader: Result<GPULoader, GPUError>
      do throws(GPUError) {
        loader = .success(try GPULoader())
      } catch {
        loader = .failure(error)
      }
      state.change { $0.loader = loader }
      let discovery = GPUDevice.discover()
      found(discovery)
      for device in discovery.devices where device.refusal == nil {
        let begin = monotonicSeconds()
        var test = Test(seconds: 0)
        do throws(GPUError) {
          test.codecs = try GPUDevice.test(device)
        } catch {
          test.fault = error
        }
        test.seconds = monotonicSeconds() - begin
        state.change { [test] in $0.tests[device.index] = test }
      }
    }
  }
}
