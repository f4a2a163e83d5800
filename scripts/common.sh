# Shared by the scripts in bash: looks for Swift, installs what is missing, builds once.
# To be sourced. Leaves the repository's root as the working folder.

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# One crash of a test must not print pages.
export SWIFT_BACKTRACE=enable=no

# Every script builds the same configuration in the same folder, so that the second one finds all done.
# Without the last flag an incremental build may keep objects that know an older layout of a
# struct (Swift 6.3).
configuration=(-c release --scratch-path .build -Xswiftc -disable-incremental-imports)

say() { printf '\n== %s\n' "$*"; }

need_swift() {
  if ! command -v swift >/dev/null; then
    cat >&2 <<'TEXT'
hdrbatch needs the Swift toolchain, 6.3 or later, and found no `swift` in PATH.
Get it from https://www.swift.org/install/linux/ (Debian 12, x86-64), unpack it, and put its usr/bin into PATH:
  tar xzf swift-*-debian12.tar.gz -C /opt && export PATH=/opt/swift-*/usr/bin:$PATH
TEXT
    exit 69
  fi
}

# Installs the missing packages of scripts/packages with one apt line; asks for nothing when all is there.
need_packages() {
  local wanted missing=() root=()
  wanted=$(grep -v '^#' scripts/packages)
  if ! command -v dpkg-query >/dev/null; then
    echo "note: no dpkg here; make sure that these libraries are installed:" $wanted >&2
    return
  fi
  for package in $wanted; do
    [ "$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || missing+=("$package")
  done
  [ ${#missing[@]} -gt 0 ] || return 0
  if [ "$(id -u)" != 0 ]; then
    command -v sudo >/dev/null || {
      echo "missing packages, and neither root nor sudo; run as root: apt-get install ${missing[*]}" >&2
      exit 69
    }
    root=(sudo)
  fi
  say "installing ${#missing[@]} packages: ${missing[*]}"
  "${root[@]}" sh -c 'apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "$@"' \
    sh "${missing[@]}" </dev/null
}

# The toolchain itself needs libraries on a bare system, so packages come before the first `swift`.
prepare() {
  need_swift
  need_packages
  say "$(swift --version 2>/dev/null | head -n 1)"
}

# Two libraries are built in the other programs' pauses, one after the other: FFmpeg's HEVC decoder, without which HEIC is
# read by libde265, at half the speed, and a LibRaw newer than Debian's. `--without-hevc` of scripts/test and scripts/demo
# leaves out the first, `--without-raw` the second.
start_libraries() {
  local name start
  mkdir -p .build
  rm -f .build/{avcodec,raw}.{log,time}
  for name in avcodec raw; do
    case $name in
      avcodec) [ "${without_hevc:-}" != 1 ] || continue ;;
      raw) [ "${without_raw:-}" != 1 ] || continue ;;
    esac
    start=$SECONDS
    nice -n 10 "scripts/$name" >".build/$name.log" 2>&1 </dev/null && echo "$((SECONDS - start)) s" >".build/$name.time" || true
  done &
  libraries=$!
}
finish_libraries() {
  wait "$libraries"
  report_library avcodec "no fast HEIC decoder, libde265 is used"
  report_library raw "no LibRaw of today, Debian's is used"
}
report_library() { # script, what is so without its library
  [ -f ".build/$1.log" ] || return 0
  if [ -f ".build/$1.time" ]; then
    echo "$(tail -n 1 ".build/$1.log"), $(cat ".build/$1.time")"
  else
    echo "note: $2: $(tail -n 1 ".build/$1.log") (.build/$1.log)" >&2
  fi
}

# Runs a command and says how long it took.
timed() {
  local start=$SECONDS
  "$@"
  echo "-- $((SECONDS - start)) s"
}

# Links programs into .build/static with Swift's runtime in them. The objects are those of every other build here.
link_static() { # product...
  local product objects link
  for product; do timed swift build "${configuration[@]}" --product "$product" </dev/null; done
  objects=$(swift build "${configuration[@]}" --show-bin-path </dev/null)
  mkdir -p .build/static
  for product; do
    # SwiftPM's own line of the link, one argument a line.
    mapfile -t link < <(grep -F -- "\"-o\",\"$objects/$product\"," .build/release.yaml | grep -F -- '"-emit-executable"' |
      sed 's/^ *args: \["//; s/"\]$//; s/","/\n/g')
    [ ${#link[@]} -gt 1 ] || { echo "$0: .build/release.yaml does not say how $product is linked" >&2; exit 1; }
    timed "${link[@]/#"$objects/$product"/.build/static/$product}" -static-stdlib
  done
}
