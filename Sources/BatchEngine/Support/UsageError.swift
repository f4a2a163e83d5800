import HDRRecipe

/// A command line that cannot be carried out. Exit code 64.
package typealias UsageError = HDRRecipe.UsageError
