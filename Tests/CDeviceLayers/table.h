#pragma once
#include <stddef.h>
#include <stdint.h>

/// Records by a handle of Vulkan's. The caller holds the lock of the layer that owns the table.
struct table {
  int count, room;
  struct row *rows;
  /// Frees what a record holds; NULL where records hold nothing.
  void (*empty)(void *record);
};

/// The record of a handle, or NULL. It stays where it is until it is removed.
void *table_find(const struct table *table, uint64_t handle);

/// A new record of a handle, all zero; an older one of the same handle is gone. `owner` is another handle, or 0.
void *table_add(struct table *table, uint64_t handle, uint64_t owner, size_t bytes);

void table_remove(struct table *table, uint64_t handle);

/// Removes all records with this owner.
void table_remove_owned(struct table *table, uint64_t owner);

/// Memory for one more item behind `count` of them.
void *array_with_room(void *items, int count, int *room, size_t item_bytes);

/// Handles are pointers or numbers.
#define NUMBER(handle) ((uint64_t)(handle))
