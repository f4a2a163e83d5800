#pragma once
#include <vulkan/vk_layer.h>

/// The loader's functions for the layer or driver below.
struct next_device {
  PFN_vkGetInstanceProcAddr get_instance;
  PFN_vkGetDeviceProcAddr get;
  /// Makes a dispatchable handle that a layer asked for itself fit for the layers below.
  PFN_vkSetDeviceLoaderData set_loader_data;
};

/// The function of what is below the layer whose vkCreateInstance gets `info`; NULL if the loader says nothing.
PFN_vkGetInstanceProcAddr next_instance(const VkInstanceCreateInfo *info);

/// The same for vkCreateDevice; `get` is NULL if the loader says nothing.
struct next_device next_device(const VkDeviceCreateInfo *info);

/// Begins the list at `next` with a struct of this type; NULL if there is none.
const void *find_struct(const void *next, VkStructureType type);

/// All handles of a device begin with its table of the loader's, and those of an instance with another.
static inline void *key_of(const void *handle) { return *(void *const *)handle; }
