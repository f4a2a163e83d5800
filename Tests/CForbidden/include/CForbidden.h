#pragma once
/// Tries what a locked-in process must not do: 0 when it could, else the error number. It may not come back.
/// 0 open a file, 1 open a folder, 2 make a socket, 3 start a process, 4 run a program, 5 look into another process,
/// 6 make the memory (descriptor 4) smaller, 7 write a new file, 8 signal another process, 9 make it larger.
int try_forbidden(int what);
