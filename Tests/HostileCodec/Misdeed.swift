import Glibc

/// An act of this program that hdrbatch-codec never does. A new one is a case here and one in `HostileHooks`.
enum Misdeed: String {
  // Ordered by an input.

  /// Dies of signal N.
  case signal
  /// Writes where no memory is.
  case fault
  /// Runs into a check of Swift's.
  case trap
  /// Waits without computing, for ever.
  case sleep
  /// Computes for ever.
  case spin
  /// Takes N MiB at once.
  case allocate
  /// Tries something forbidden (CForbidden.h) and answers with the error number.
  case forbidden
  /// Closes the socket and lives on.
  case close
  /// Ends with exit code N.
  case quit
  /// Sends N descriptors.
  case descriptors
  /// Sends a message that never ends.
  case drip
  /// Answers with a picture of false statements, by number.
  case lie
  /// Answers with a picture of one row whose rows are 2^62 bytes apart.
  case rows
  /// Answers with a text of N MiB and some.
  case text
  /// Answers with a picture and N long warnings.
  case warnings
  /// Answers with a picture and N million warnings without a text.
  case emptyWarnings = "empty-warnings"
  /// Answers with a picture whose file has N thousand pictures.
  case pictures
  /// Answers with a picture and metadata of N MiB, which its head does not say.
  case metadata
  /// Writes N MiB after the shared memory that it was given.
  case fill
  /// Says that bytes of its answer lie in the shared memory: 1 before, 2 partly after and 3 far after what it was given.
  case elsewhere
  /// Answers with a scan in the place of samples: 1 to 3 with a fault, 4 outside of the memory that it was given, 5 sound,
  /// and written over later.
  case scan
  /// Decodes half of its memory.
  case half
  /// Answers with the sum of what it finds in the shared memory.
  case leftovers
  /// Answers with a picture, and wrongly to all that comes later: 1 with no message, 2 with an error, 3 with a picture and
  /// a false digest.
  case spoil

  // Misdeeds of the whole process.

  /// Dies of the pixels of the third picture of a file.
  case picture
  /// Dies of SIGKILL before it is ready.
  case stillborn
  /// Is ready after 21 seconds.
  case late
  /// Is not locked in, and says so.
  case unlocked
  /// Is not locked in, and says that it is.
  case pretending
  /// Writes over its outputs once they are answered.
  case rewriting
  /// Makes its outputs shorter once they are answered.
  case shrinking
}

/// A misdeed with its number, from words: an input `HostileCodec does: WORD NUMBER` after the first box of a HEIC file,
/// or an argument `--misdeed=WORD`.
struct Order {
  var misdeed: Misdeed
  var number = 0

  static let prefix = Array("\0\0\0\u{10}ftypheic\0\0\0\0HostileCodec does: ".utf8)

  /// `nil` for other inputs. A word that is no misdeed must not pass for a sound process.
  init?(input: [UInt8]) {
    guard input.starts(with: Self.prefix) else { return nil }
    let words = String(decoding: input.dropFirst(Self.prefix.count), as: UTF8.self)
      .split { $0 == " " || $0 == "\n" }.map(String.init)
    self.init(words)
  }

  init?(arguments: [String]) {
    let mark = "--misdeed="
    guard let argument = arguments.first(where: { $0.hasPrefix(mark) }) else { return nil }
    self.init([String(argument.dropFirst(mark.count))])
  }

  private init(_ words: [String]) {
    guard let misdeed = words.first.flatMap({ Misdeed(rawValue: $0) }) else { exit(99) }
    self.misdeed = misdeed
    number = words.count > 1 ? Int(words[1]) ?? 0 : 0
  }
}
