#pragma once
// Prototypes are off: the loader is opened at run time with dlopen, nothing links against it.
#define VK_NO_PROTOTYPES 1
#include <vulkan/vulkan_core.h>
