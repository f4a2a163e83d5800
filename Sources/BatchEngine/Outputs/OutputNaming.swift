import CodecService
import Glibc
import HDRCore
import HDRRecipe
import HDRRender
import ImageFiles

/// The properties of outputs that their names depend on.
package struct NameTraits: Sendable, Hashable {
  package var fileExtension: String
  package var hasSidecar: Bool
  /// The word after `--to`.
  package var target: String

  package init(fileExtension: String, hasSidecar: Bool = false, target: String) {
    self.fileExtension = fileExtension
    self.hasSidecar = hasSidecar
    self.target = target
  }

  package init(_ kind: OutputKind) {
    self.init(fileExtension: kind.fileExtension, hasSidecar: kind.hasSidecar, target: kind.rawValue)
  }

  package init(_ container: AdaptiveContainer) {
    self.init(fileExtension: container.fileExtension, target: "adaptive-\(container.rawValue)")
  }
}

/// A rule that names one output of every input: its traits with a template.
package struct NameRule: Sendable, Hashable {
  package var traits: NameTraits
  package var template: NameTemplate
  /// True if `-{target}` stands before the extension, because another output of the input would have the same name.
  var namesTarget = false
  /// The facts about inputs, where the template asks for them.
  var facts: [InputReference: NameFacts] = [:]
  /// The digest of what decides the output.
  var settings: Digest?

  package init(_ traits: NameTraits, _ template: NameTemplate) {
    self.traits = traits
    self.template = template
  }

  /// Returns the template for an input; by default the pictures of a file have names of their own.
  func template(for input: InputReference) -> NameTemplate {
    let named = input.picture != nil && template.text == NameTemplate.standard.text ? .ofPictures : template
    return namesTarget ? named.withTarget : named
  }
}

extension [NameRule] {
  /// Outputs of different kinds that would share a name are told apart by their kinds.
  mutating func makeNamesDiffer() {
    let rules = self
    for index in indices {
      let sharing = rules.filter {
        $0.template == rules[index].template && $0.traits.fileExtension == rules[index].traits.fileExtension
      }
      self[index].namesTarget =
        sharing.count > 1 && sharing.count { $0.traits.target == rules[index].traits.target } == 1
    }
  }
}

/// Names all outputs before any work starts and refuses batches that would lose a file.
package enum OutputNaming {
  /// - Parameter partners: the second pictures of pairs, in the order of `inputs`; empty when there are none.
  /// - Throws: `UsageError` when two items would share an output (upper and lower case and Unicode forms counted as
  ///   one, as on the disks of other systems), when an output is an input, or when one exists under `OnExisting.fail`.
  package static func make(
    _ inputs: [InputReference], partners: [InputReference] = [], out folder: FilePath, traits: NameTraits,
    template: NameTemplate,
    onExisting: OnExisting
  ) throws(UsageError) -> [BatchItem] {
    try make(
      inputs, partners: partners, out: folder, outputs: [NameRule(traits, template)], onExisting: onExisting)
  }

  /// Plans several outputs of every input; those of an input follow each other.
  package static func make(
    _ inputs: [InputReference], partners: [InputReference] = [], out folder: FilePath, outputs: [NameRule],
    onExisting: OnExisting
  ) throws(UsageError) -> [BatchItem] {
    var items: [BatchItem] = []
    var owners: [String: (input: Int, variant: Int)] = [:]
    var sources: [FileIdentity: Int] = [:]
    for (index, input) in inputs.enumerated() {
      if let identity = FileIdentity(input.path) { sources[identity] = index }
      if index < partners.count, let identity = FileIdentity(partners[index].path) { sources[identity] = index }
    }
    var existing: [FilePath] = []
    for (number, input) in inputs.enumerated() {
      for (variant, output) in outputs.enumerated() {
        try add(output, output.template(for: input), variant, number, input)
      }
    }
    func add(
      _ rule: NameRule, _ template: NameTemplate, _ variant: Int, _ index: Int, _ input: InputReference
    ) throws(UsageError) {
      let traits = rule.traits
      let relative = try template.path(
        for: input, ext: traits.fileExtension, target: traits.target, facts: rule.facts[input],
        settings: rule.settings)
      let output = folder.appending(relative.bytes)
      if InputCollector.isRejected(relative.name) {
        throw UsageError("\(output.display) has the ending of files that were not accepted: give another --name")
      }
      let sidecar = traits.hasSidecar ? FilePath(bytes: output.bytes + Array(".json".utf8)) : nil
      for path in [output, sidecar].compactMap(\.self) {
        if let other = owners.updateValue((index, variant), forKey: path.folded),
          other != (index, variant)
        {
          guard other.input != index else {
            throw UsageError(
              "outputs \(other.variant + 1) and \(variant + 1) of \(input.display) would both become "
                + "\(path.display); nothing was done. Give them names that differ")
          }
          throw collision(inputs[other.input], input, output: path, template: template)
        }
        if let identity = FileIdentity(path), let source = sources[identity] {
          throw UsageError(
            "\(path.display) would be written over the input \(inputs[source].path.display); "
              + "choose another --out folder or a --name that differs")
        }
      }
      try refuseLinks(above: output, relative: relative)
      let isThere = somethingExists(at: output)
      if isThere { existing.append(output) }
      items.append(
        BatchItem(
          index: items.count, inputNumber: index, variant: variant, input: input, relativeOutput: relative,
          output: output,
          sidecar: sidecar,
          partner: index < partners.count ? partners[index] : nil, isSkipped: isThere && onExisting == .skip))
    }
    if onExisting == .fail, let first = existing.first {
      let more = existing.count > 1 ? " and \(existing.count - 1) more exist" : " exists"
      throw UsageError(
        "\(first.display)\(more) already; nothing was done. Say --on-existing replace to write again, "
          + "--on-existing skip to keep what is there, or choose another --out")
    }
    return items
  }

  /// - Throws: `UsageError` for a symbolic link between the output folder and an output.
  static func refuseLinks(above output: FilePath, relative: FilePath) throws(UsageError) {
    if let link = OutputFolders.link(above: output, relative: relative) {
      throw UsageError(
        "\(link.display) is a symbolic link, and \(output.display) would be written behind it; nothing was done. "
          + "Replace it by a folder or choose another --out")
    }
  }

  private static func collision(
    _ a: InputReference, _ b: InputReference, output: FilePath, template: NameTemplate
  ) -> UsageError {
    let both: Message = "\(a.display) and \(b.display) would both become \(output.display); nothing was done. "
    let sameFolder = a.path.parent == b.path.parent
    if sameFolder && (a.picture != nil || b.picture != nil) {
      let field = a.path == b.path ? "stem" : "name"
      return UsageError(both + "Say --name '{\(field)}-{image}.{ext}'")
    }
    if sameFolder && FilePath(bytes: a.path.name).folded == FilePath(bytes: b.path.name).folded {
      return UsageError(both + "Their names differ in case only: render them into two --out folders")
    }
    let differ = sameFolder ? "--name '{name}.{ext}'" : "--name '{parent}-\(template.text)'"
    let also = sameFolder ? "" : ", or give the folder that holds both instead of the files"
    return UsageError(both + "Say \(differ)\(also)")
  }
}
