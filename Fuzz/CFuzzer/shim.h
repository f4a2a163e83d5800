#include <stddef.h>
#include <stdint.h>
int LLVMFuzzerRunDriver(int *count, char ***arguments, int (*test)(const uint8_t *data, size_t size));
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
