import HDRCore
import PlainData

/// Returns a message whose texts have no control characters.
package func printable(_ message: Message) -> Message {
  message.map { if case .text(let text) = $0 { .text(printable(text)) } else { $0 } }
}
