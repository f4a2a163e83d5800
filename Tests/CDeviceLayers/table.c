#include "table.h"

#include <stdlib.h>

struct row {
  uint64_t handle, owner;
  void *record;
};

void *array_with_room(void *items, int count, int *room, size_t item_bytes) {
  if (count < *room) return items;
  *room = 2 * count + 16;
  items = realloc(items, (size_t)*room * item_bytes);
  if (!items) abort();
  return items;
}

void *table_find(const struct table *table, uint64_t handle) {
  /* Those that came last are asked for most. */
  for (int i = table->count - 1; i >= 0; i--)
    if (table->rows[i].handle == handle) return table->rows[i].record;
  return NULL;
}

void *table_add(struct table *table, uint64_t handle, uint64_t owner, size_t bytes) {
  table_remove(table, handle);
  table->rows = array_with_room(table->rows, table->count, &table->room, sizeof *table->rows);
  void *record = calloc(1, bytes);
  if (!record) abort();
  table->rows[table->count++] = (struct row){handle, owner, record};
  return record;
}

static void remove_row(struct table *table, int row) {
  void *record = table->rows[row].record;
  table->rows[row] = table->rows[--table->count];
  if (table->empty) table->empty(record);
  free(record);
}

void table_remove(struct table *table, uint64_t handle) {
  for (int i = 0; i < table->count; i++)
    if (table->rows[i].handle == handle) return remove_row(table, i);
}

void table_remove_owned(struct table *table, uint64_t owner) {
  for (int i = table->count - 1; i >= 0; i--)
    if (table->rows[i].owner == owner) remove_row(table, i);
}
