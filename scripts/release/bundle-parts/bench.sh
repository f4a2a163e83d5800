#!/bin/sh
# Measures this machine: ./bench.sh [FOLDER] [options of `hdrbatch bench all`]
# Writes what the machine is (doctor), that its devices and CPU give the same bits (verify), and how fast they are (bench all)
# into FOLDER, by default hdrbatch-HOST-DATE in the folder where it is called. Exit code: the first of the three that failed.
set -u
here=$(cd "$(dirname "$0")" && pwd) || exit 74
hdrbatch=$here/bin/hdrbatch
host=$(uname -n)
case "${1:-}" in
  "" | -*) folder=hdrbatch-$host-$(date -u +%Y%m%d-%H%M%S) ;;
  *) folder=$1; shift ;;
esac
mkdir -p "$folder" || exit 74
status=0

# Name of the step, then the command: its output on the terminal and in NAME.txt.
step() {
  name=$1
  shift
  echo
  echo "== $name"
  { "$@" 2>&1; echo "$?" >"$folder/status"; } | tee "$folder/$name.txt"
  code=$(cat "$folder/status")
  rm -f "$folder/status"
  if [ "$code" != 0 ]; then
    echo "$name ended with $code" | tee -a "$folder/$name.txt"
    [ "$status" != 0 ] || status=$code
  fi
}

machine() {
  echo "date     $(date -u +%Y-%m-%dT%H:%M:%SZ)"
  echo "host     $host"
  echo "kernel   $(uname -srm)"
  echo "bundle   $(cat "$here/VERSION")"
  sed -n 's/^model name[^:]*: /CPU      /p' /proc/cpuinfo | head -n 1
  echo "cores    $(getconf _NPROCESSORS_ONLN 2>/dev/null || echo unknown)"
  sed -n 's/^MemTotal: */memory   /p' /proc/meminfo
  if command -v nvidia-smi >/dev/null 2>&1; then
    nvidia-smi --query-gpu=name,driver_version,memory.total,pcie.link.gen.current,pcie.link.width.current \
      --format=csv,noheader | sed 's/^/NVIDIA   /'
  fi
  "$hdrbatch" doctor
}

step machine machine
"$hdrbatch" doctor --json >"$folder/doctor.json"
step verify "$hdrbatch" verify
step bench "$hdrbatch" bench all "$here/Examples/lamps.jpg" "$here/Examples/citadel-pq.heic" \
  --json "$folder/bench.json" --html "$folder/bench.html" "$@"
echo
echo "results are in $folder"
exit "$status"
