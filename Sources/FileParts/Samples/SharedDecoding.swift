import HDRCore
import Synchronization
import Threads

/// Decodes the numbered pieces of a picture on up to `threads` threads.
///
/// - Parameters:
///   - makeTool: called on each thread; makes the state that one thread needs.
///   - decode: decodes one piece; pieces must not overlap.
/// - Throws: the error of the faulty piece with the lowest number, whichever thread was first.
package func decodePieces<Tool>(
  _ count: Int, threads: Int, makeTool: @Sendable () throws(DecodeError) -> Tool,
  decode: @Sendable (Int, Tool) throws(DecodeError) -> Void
) throws(DecodeError) {
  let fault = Mutex<(index: Int, error: DecodeError)?>(nil)
  @Sendable func fail(_ index: Int, _ error: DecodeError) {
    fault.withLock { if $0 == nil || $0!.index > index { $0 = (index, error) } }
  }
  shareOut(count, among: threads) { next in
    do throws(DecodeError) {
      let tool = try makeTool()
      // Numbers rise, so all pieces before a fault have been taken and are decoded.
      while let index = next(), fault.withLock({ $0.map { index < $0.index } ?? true }) {
        do throws(DecodeError) {
          try decode(index, tool)
        } catch {
          fail(index, error)
        }
      }
    } catch {
      fail(-1, error)
    }
  }
  if let fault = fault.withLock({ $0 }) { throw fault.error }
}
