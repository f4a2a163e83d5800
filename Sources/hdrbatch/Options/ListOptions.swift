import HDRRecipe

/// Options for the form of input lists.
struct ListOptions: SettingGroup {
  var title: String { "Inputs" }

  let null = SettingKey(
    flag: "null", short: "0", rare: true,
    """
    Zero bytes end the paths of @LIST and @-, as find -print0 writes them, and nothing else does. Without it that is so \
    where a list has some.
    """)

  static let all = ListOptions()
}

/// Options for the places of outputs below the output folder.
struct PlaceOptions: SettingGroup {
  var title: String { "Inputs" }

  let relativeTo = SettingKey(
    "relative-to", .path("folder"), rare: true,
    """
    Outputs keep the folders that inputs have below this one, however they are given: @LIST, @- and single files too. An \
    input elsewhere ends with 64.
    """)

  static let all = PlaceOptions()
}

extension Invocation {
  /// Returns true if only zero bytes end the paths of lists.
  ///
  /// - Throws: `UsageError` if there is no list.
  func listsEndInZero() throws(UsageError) -> Bool {
    let isGiven = self[ListOptions.all.null]
    try refuse(isGiven && !arguments.contains { $0.hasPrefix("@") }, "--null is of lists: give @LIST or @-")
    return isGiven
  }
}
