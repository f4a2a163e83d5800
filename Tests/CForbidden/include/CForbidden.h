#pragma once
/// Tries what a locked-in process must not do: 0 when it could, else the error number, -1 behind the last attempt. It
/// may not come back. 0 to 9: open a file, open a folder, make a socket, start a process, run a program, look into
/// another process, make the memory (descriptor 4) smaller, write a new file, signal another process, make the memory
/// larger. 10 to 13: start a process by clone, as vfork does, by clone3, by vfork. 14 to 20: read another's limits, set
/// them, set its own, read another's processors, priority and scheduler, set its processors. 21 to 24: ask for a file
/// by name, make code, signal a thread of another process, remove a file.
int try_forbidden(int what);
