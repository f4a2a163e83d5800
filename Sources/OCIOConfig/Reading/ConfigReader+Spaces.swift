import YAML

extension ConfigReader {
  /// Reads spaces of displays and scenes, view transforms and named transforms.
  mutating func readSpaces(_ fields: inout ConfigFields) throws(ConfigError) {
    for item in try items(&fields, "display_colorspaces", tag: "ColorSpace") {
      config.spaces.append(try space(item.fields, .display))
    }
    for item in try items(&fields, "colorspaces", tag: "ColorSpace") {
      config.spaces.append(try space(item.fields, .scene))
    }
    for item in try items(&fields, "view_transforms", tag: "ViewTransform") {
      config.viewTransforms.append(try viewTransform(item.fields))
    }
    for item in try items(&fields, "named_transforms", tag: "NamedTransform") {
      config.namedTransforms.append(try namedTransform(item.fields))
    }
  }

  private mutating func space(
    _ given: ConfigFields, _ reference: Config.Reference
  ) throws(ConfigError) -> Config.Space {
    var fields = given
    let name = try fields.name("name"), place = fields.place.of("color space \"\(name)\"")
    var space = Config.Space(name: name, reference: reference, place: place)
    fields.skip("bitdepth", "allocation", "allocationvars", "equalitygroup", "categories", "interchange")
    space.aliases = try fields.texts("aliases")
    space.family = try fields.text("family") ?? ""
    space.description = try fields.text("description") ?? ""
    space.encoding = try fields.text("encoding") ?? ""
    space.interopID = try fields.text("interop_id")
    space.isData = try fields.flag("isdata") ?? false
    let (to, from) = try directions(
      &fields, reference == .scene ? ["reference", "scene_reference"] : ["display_reference"], place)
    (space.toReference, space.fromReference) = (to, from)
    finish(fields, of: place)
    return space
  }

  /// Reads the transforms to and from a reference, by the words that configs use for it.
  private mutating func directions(
    _ fields: inout ConfigFields, _ words: [String], _ place: ConfigPlace
  ) throws(ConfigError) -> (to: Transform?, from: Transform?) {
    var result: (to: Transform?, from: Transform?)
    for word in words {
      if let to = try transform(fields.take("to_\(word)"), place) { result.to = to }
      if let from = try transform(fields.take("from_\(word)"), place) { result.from = from }
    }
    return result
  }

  private mutating func viewTransform(_ given: ConfigFields) throws(ConfigError) -> Config.ViewTransform {
    var fields = given
    let name = try fields.name("name"), place = fields.place.of("view transform \"\(name)\"")
    let reference: Config.Reference =
      fields.has("to_display_reference") || fields.has("from_display_reference") ? .display : .scene
    guard reference == .scene || !fields.has("to_scene_reference") && !fields.has("from_scene_reference") else {
      throw ConfigError(.value, place, "a view transform starts from a scene or from a display, not from both")
    }
    var view = Config.ViewTransform(name: name, reference: reference, place: place)
    fields.skip("family", "categories", "interchange")
    view.description = try fields.text("description") ?? ""
    let (to, from) = try directions(
      &fields, [reference == .scene ? "scene_reference" : "display_reference"], place)
    guard to != nil || from != nil else { throw ConfigError(.value, place, "a view transform has a transform") }
    (view.toReference, view.fromReference) = (to, from)
    finish(fields, of: place)
    return view
  }

  private mutating func namedTransform(_ given: ConfigFields) throws(ConfigError) -> Config.NamedTransform {
    var fields = given
    let name = try fields.name("name"), place = fields.place.of("named transform \"\(name)\"")
    var named = Config.NamedTransform(name: name, place: place)
    fields.skip("categories", "interchange")
    named.aliases = try fields.texts("aliases")
    named.family = try fields.text("family") ?? ""
    named.description = try fields.text("description") ?? ""
    named.encoding = try fields.text("encoding") ?? ""
    named.forward = try transform(fields.take("transform"), place)
    named.inverse = try transform(fields.take("inverse_transform"), place)
    guard named.forward != nil || named.inverse != nil else {
      throw ConfigError(.value, place, "a named transform has a transform or an inverse_transform")
    }
    finish(fields, of: place)
    return named
  }

  mutating func readLooks(_ fields: inout ConfigFields) throws(ConfigError) {
    for item in try items(&fields, "looks", tag: "Look") {
      var fields = item.fields
      let name = try fields.name("name"), place = fields.place.of("look \"\(name)\"")
      var look = Config.Look(name: name, processSpace: try fields.name("process_space"), place: place)
      fields.skip("interchange")
      look.description = try fields.text("description") ?? ""
      look.forward = try transform(fields.take("transform"), place)
      look.inverse = try transform(fields.take("inverse_transform"), place)
      config.looks.append(look)
      finish(fields, of: place)
    }
  }

  /// Warns of the unknown keys of what has a name.
  mutating func finish(_ fields: ConfigFields, of place: ConfigPlace) { finish(fields.of(place.owner)) }
}
