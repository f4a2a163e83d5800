import CodecService
import Glibc
import HDRCore
import HDRPlan
import ImageFiles

/// Second pictures of edits, read once for a batch.
public enum EditInputs {
  /// Decodes a picture, a mask or a LUT.
  ///
  /// - Parameters:
  ///   - name: its name in messages.
  ///   - limits: as for the batch's own inputs.
  /// - Throws: `UsageError` for a file that cannot be read or decoded.
  public static func load(_ path: FilePath, _ name: String, limits: DecodeLimits) throws(UsageError) -> EditInput {
    try load(path, name, limits: limits, codecs: InProcessCodecs())
  }

  /// Whether a path names a LUT of the `.3dl` kind, or of the `.cube` kind; `nil` for everything else.
  private static func isLUT(_ path: FilePath) -> Bool? {
    let name = String(decoding: path.name, as: UTF8.self).lowercased()
    return name.hasSuffix(".3dl") ? true : (name.hasSuffix(".cube") ? false : nil)
  }

  package static func load(
    _ path: FilePath, _ name: String, limits: DecodeLimits, codecs: any CodecBorder
  ) throws(UsageError) -> EditInput {
    func unreadable(_ fault: FileFault) -> UsageError {
      let failure = ItemFailure(reading: fault, limit: limits.maxFileBytes)
      return UsageError("\(name) \(path.display): \(fault.number == ENOENT ? "no such file" : failure.message)")
    }
    if let is3DL = isLUT(path) {
      let bytes: [UInt8]
      do throws(FileFault) {
        bytes = try readWholeFile(path, maxBytes: limits.maxFileBytes)
        SettingFiles.note(path, Digest(of: bytes))
      } catch {
        throw unreadable(error)
      }
      do throws(LUTError) {
        return EditInput(.lut(is3DL ? try CubeLUT(parsing3DL: bytes) : try CubeLUT(parsing: bytes)))
      } catch {
        throw UsageError("\(name) \(path.display): \(FilePath.printable("\(error)"))")
      }
    }
    let file: InputFile
    do throws(FileFault) {
      file = try InputFile(path, maxBytes: limits.maxFileBytes)
      SettingFiles.note(path, try file.digest())
    } catch {
      throw unreadable(error)
    }
    do throws(CodecError) {
      return EditInput(.picture(try codecs.decode(file, request: .pixels, limits: limits).value))
    } catch {
      throw UsageError("\(name) \(path.display): \(ItemFailure(error, reading: file).message)")
    }
  }

  /// Inputs of a recipe.
  ///
  /// - Parameter others: names that the command line uses otherwise.
  /// - Throws: `UsageError` with the place in the recipe.
  public static func load(
    _ recipe: RecipeFile, except others: Set<String>, limits: DecodeLimits
  ) throws(UsageError) -> [String: EditInput] {
    var result: [String: EditInput] = [:]
    for input in recipe.inputs where !others.contains(input.name) {
      switch input.content {
      case .generator(let step, let width, let height):
        result[input.name] = EditInput(.generated(step, width: width, height: height))
      case .file(let name):
        do throws(UsageError) {
          result[input.name] = try load(recipe.beside(name), "input", limits: limits)
        } catch {
          throw input.place.error(error.description)
        }
      }
    }
    return result
  }

  /// Checks that steps and inputs match.
  ///
  /// - Throws: `UsageError` for an input that a filter names and that is not given, and for one that no filter names.
  public static func check(_ steps: [FilterStep], _ inputs: [String: EditInput]) throws(UsageError) {
    var used: Set<String> = []
    for step in steps {
      for parameter in step.filter?.parameters ?? [] {
        guard case .input(let standard) = parameter.kind else { continue }
        var name = standard
        if case .word(let word)? = step.values.values[parameter.name] { name = word }
        guard let name else { continue }
        used.insert(name)
        // A name that the filter falls back to need not be given.
        guard inputs[name] != nil || name == standard else {
          throw UsageError(
            "\(step.name): there is no input \"\(name)\"\(Nearest.hint(name, among: inputs.keys.sorted())); "
              + "--input \(name)=FILE or inputs in the recipe name it")
        }
      }
    }
    for name in inputs.keys.sorted() where !used.contains(name) {
      throw UsageError("no filter uses the input \"\(name)\"\(Nearest.hint(name, among: used.sorted()))")
    }
  }
}

extension RecipeFile {
  /// A path in a recipe, relative to its folder.
  public func beside(_ name: String) -> FilePath {
    let own = FilePath(name)
    return own.isAbsolute ? own : path.parent.appending(name)
  }
}
