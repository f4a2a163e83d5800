// The public calls use types of these modules (colours, LUTs, settings, recipes), so that one import is enough.
@_exported import HDRCore
@_exported import HDRPlan
@_exported import HDRRecipe
