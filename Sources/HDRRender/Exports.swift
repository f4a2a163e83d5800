// The door's calls take and give values of these rooms (colours, LUTs, settings, recipes): one import is enough.
@_exported import HDRCore
@_exported import HDRPlan
@_exported import HDRRecipe
