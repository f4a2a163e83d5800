#pragma once
/// 1 when this machine runs x86-64-v3 code (AVX2, BMI2, F16C, FMA); 0 elsewhere.
int hdr_cpu_supports_v3(void);
/// CPU seconds (user + system) of the calling thread and of the whole process.
double hdr_thread_cpu_seconds(void);
double hdr_process_cpu_seconds(void);
/// Processors that this process may run on (its affinity mask), at least 1.
int hdr_allotted_processors(void);
/// Largest resident size of this process so far, in bytes.
unsigned long long hdr_peak_resident_bytes(void);
/// Renames unless the new name is taken. 0, or the error number (EEXIST when taken).
int hdr_rename_noreplace(const char *from, const char *to);
/// syncfs(2): 0, or -1 with errno.
int hdr_syncfs(int descriptor);
/// Names the calling thread for debuggers; the kernel keeps 15 bytes.
void hdr_name_thread(const char *name);
