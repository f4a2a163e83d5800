#pragma once

/// Returns the file that this code was loaded from, the library or the program; NULL if the system does not say.
const char *hdr_own_file(void);
