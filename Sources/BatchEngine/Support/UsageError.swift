import HDRRecipe

/// A command line that cannot be carried out. Exit code 64.
public typealias UsageError = HDRRecipe.UsageError
