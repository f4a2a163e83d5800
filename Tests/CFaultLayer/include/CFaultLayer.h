#pragma once
#include <vulkan/vk_layer.h>

/// A Vulkan layer that makes devices fail as real ones do. The environment's FAULTY_DEVICE says how:
///
/// - `lost:vkQueueSubmit:6`: the sixth such call loses the device, and it stays lost;
/// - `memory:vkCreateBuffer:9`: the ninth such call and all later ones find no memory;
/// - `flip:result:3`: bits are flipped in the third result that the host can read, and in all later ones. A device's
///   self-test has the first;
/// - `bounds:vkCreateDevice:1`: no device is made that does not check the bounds of buffers;
/// - `hang:vkQueueSubmit:6`: the sixth submission and all later ones are taken and never done.
///
/// A fourth part selects one of the devices that the process opens, from 0; without it, all. Other texts let no
/// instance be made.
///
/// More of the environment:
///
/// - FAULTY_TYPE=discrete: devices say that they are graphics cards;
/// - FAULTY_HEAP=8: their heaps have so many MiB;
/// - FAULTY_CLOCK=100: a wait for a device that hangs takes a hundredth of the time asked for;
/// - FAULTY_LOG=file: each such wait that timed out adds a line, the thread's number and the nanoseconds asked for.
VkResult vkNegotiateLoaderLayerInterfaceVersion(VkNegotiateLayerInterface *interface);
