import HDRCore
import HDRRecipe
import ImageFiles

/// Support for the command line's recipe files in a program: docs/recipes.md.
///
/// ```swift
/// let look = try Recipe(contentsOf: "look.yaml")
/// for format in look.formats { try renderer.write(photo.applying(look), to: "out." + format.fileExtension, as: format) }
/// ```
extension Recipe {
  /// Reads a recipe file; paths in it are relative to it.
  ///
  /// - Throws: ``HDRError`` `recipe` with file, line and column; of kind `.input` for a file that cannot be read.
  public init(contentsOf path: String) throws(HDRError) {
    let path = FilePath(path), bytes: [UInt8]
    do throws(FileFault) {
      bytes = try readWholeFile(path, maxBytes: RecipeNode.maxBytes + 1)
    } catch {
      throw HDRError(opening: error, limit: RecipeNode.maxBytes).about(path)
    }
    let folder = path.parent
    try self.init(
      yaml: bytes, name: path.display, folder: folder == FilePath(".") ? "" : folder.text ?? folder.display)
  }

  /// Reads the text of a recipe, YAML or JSON.
  ///
  /// - Parameters:
  ///   - text: the text.
  ///   - folder: the base of relative paths in it; empty for the working folder.
  public init(_ text: String, folder: String = "") throws(HDRError) {
    try self.init(yaml: Array(text.utf8), name: "recipe", folder: folder)
  }

  private init(yaml bytes: [UInt8], name: String, folder: String) throws(HDRError) {
    do throws(UsageError) {
      self = try RecipeText(parsing: bytes, file: name, folder: folder).recipe
    } catch {
      throw HDRError(code: "recipe", message: error.message)
    }
  }

  /// The recipe's outputs, each with its own settings and steps.
  public var formats: [HDRFormat] {
    outputs.map { output in
      var format = HDRFormat(kind: output.kind)
      format.options.values = output.settings
      format.steps = output.steps
      return format
    }
  }
}

extension HDRFormat {
  /// The file extension without the dot.
  public var fileExtension: String { KindNames.fileExtension(of: name) }
}
