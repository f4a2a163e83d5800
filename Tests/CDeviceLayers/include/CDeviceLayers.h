#pragma once
#include <vulkan/vk_layer.h>

/// Two Vulkan layers for tests, in one library: a manifest for each names its function. Either may lie above the other.

/// A layer that makes devices fail as real ones do. The environment's FAULTY_DEVICE says how:
///
/// - `lost:vkQueueSubmit:6`: the sixth such call loses the device, and it stays lost;
/// - `memory:vkCreateBuffer:9`: the ninth such call and all later ones find no memory;
/// - `flip:result:3`: bits are flipped in the third result that the host can read, and in all later ones. A device's
///   self-test has the first;
/// - `bounds:vkCreateDevice:1`: no device is made that does not check the bounds of buffers.
///
/// A fourth part selects one of the devices that the process opens, from 0; without it, all. Other texts let no
/// instance be made.
VkResult hdrbatch_fault_layer(VkNegotiateLayerInterface *interface);

/// A layer that makes software devices look and behave like graphics cards: memory that the host cannot see, copies of
/// what it can see, queues that overtake each other, limits. The environment's EMULATED_CARD names the card (`nvidia`,
/// `amd`, `intel`, `mobile` or `moltenvk`), and more behind commas, as in `nvidia,late=1,delay=1000`:
///
/// - delay=300: each submission begins up to so many microseconds after it could; seed=7: with other random numbers;
/// - late=1: what the host wrote reaches the card when a submission begins, and else when it is submitted. Vulkan
///   allows both, so a program that writes at the wrong time shows;
/// - heap=1024MiB, bar=256MiB: the card's memory, and the part of it that the host sees. The host has 16 GiB;
/// - range=128MiB: the largest storage buffer; granule=16: copy queues copy blocks of so many pixels of images;
/// - uncached=1: no type of memory is cached; noncoherent=1: the cached type wants flushes;
/// - oom=9: the ninth allocation and all later ones fail; oom=64MiB: those that make the sum of all larger fail,
///   whatever the heaps say;
/// - imports=3: the fourth import of pages of the host and all later ones fail; imports=0: there are none at all
///   (VK_EXT_external_memory_host);
/// - budget=64MiB: what other programs leave of the card's memory (VK_EXT_memory_budget);
/// - lost=6: the device is lost when the sixth submission begins;
/// - at=jpeg_codes: lost and hang count the submissions that run this kernel, and no others;
/// - hang=6: the sixth submission and all later ones never end. With clock=100 waits for them take a hundredth of the
///   time asked for; log=FILE gets a line for each, the thread and the nanoseconds asked for;
/// - stay=1: at the end of the process the library of a card that hangs waits for it, as NVIDIA's does; for a minute,
///   and then it ends the process with a signal;
/// - stats=1: a line of counts when the process ends, behind "emulated card: ".
///
/// Faults that a test must notice: nohost=1, barriers for the host do nothing; noflush=1, no memory is coherent.
///
/// Other texts let no instance be made. A call that Vulkan forbids and software devices bear ends the process with a
/// line. Calls that would go around the layer, as vkQueueSubmit2, are absent. Software is slow: waits for a card that
/// works take up to thirty times the time asked for.
VkResult hdrbatch_card_layer(VkNegotiateLayerInterface *interface);
