import HDRCore
import HDRRecipe

extension RenderJob {
  /// Judges a file that waits for its name, if it must be accepted.
  ///
  /// - Throws: `HDRError` of kind `.rejected`, with the condition and its value, for one that is not accepted. It is then
  ///   kept beside its place if the destination says so; else the caller removes it.
  func accept(_ file: AtomicWriter.Staged, _ destination: OutputDestination) throws(HDRError) {
    defer { reference = nil }
    guard let expression = choice.accept, let judgement = try judge(file.part, by: expression) else { return }
    found.judgement = judgement
    guard let code = judgement.verdict.code else { return }
    throw rejection(of: file, destination, code: code, judgement.reason ?? "it cannot be told")
  }

  /// Keeps a file that is not accepted beside its place, if the destination says so; else the caller removes it.
  ///
  /// - Returns: the error that says why it is not accepted; that of writing if it cannot be kept.
  func rejection(
    of file: AtomicWriter.Staged, _ destination: OutputDestination, code: String, _ reason: Message
  ) -> HDRError {
    guard destination.keepsRejected else {
      (found.bytesOut, found.outputDigest) = (0, nil)
      return HDRError(code: code, message: reason, kind: .rejected)
    }
    var kept = file
    kept.target = destination.rejected
    do throws(FileFault) {
      try measure(.write) { () throws(FileFault) in try tools.writer.commit(kept, existing: .replace) }
    } catch {
      return HDRError(writing: error)
    }
    return HDRError(code: code, message: "\(reason); kept as \(kept.target.display)", kind: .rejected)
  }
}
