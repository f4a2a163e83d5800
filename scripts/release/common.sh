# Shared by the scripts that make packages. To be sourced after scripts/common.sh.

# Reads [ARCHIVE.tar.gz] [-o FOLDER] into $archive and $out; the archive is the newest of dist/ by default.
parse_archive() {
  archive= out=dist
  while [ $# -gt 0 ]; do
    case $1 in
      *.tar.gz) archive=$1 ;;
      -o) out=${2:?-o takes a folder}; shift ;;
      *) echo "usage: $0 [ARCHIVE.tar.gz] [-o FOLDER]" >&2; exit 64 ;;
    esac
    shift
  done
  [ -n "$archive" ] || archive=$({ ls -t dist/hdrbatch-*-linux-x86_64*.tar.gz 2>/dev/null || true; } | sed -n 1p)
  [ -f "$archive" ] || { echo "there is no bundle: scripts/bundle makes one" >&2; exit 66; }
}

# The version of an unpacked bundle, as 0.1.0, or 0.1.0+without.x265 of one without x265.
bundle_version() { # folder
  sed -nE '1s/^hdrbatch ([^ ]+) .*without x265.*/\1+without.x265/p; t; 1s/^hdrbatch ([^ ]+) .*/\1/p' "$1/VERSION"
}

# The section of CHANGELOG.md for a version; "Unreleased (0.1.0)" is that of 0.1.0.
changes() { # version
  awk -v version="${1%%+*}" '
    /^## / { inside = index($0, version) > 0 }
    inside { print; found = 1 }
    END { exit !found }
  ' CHANGELOG.md || { echo "CHANGELOG.md has no section for $1" >&2; exit 65; }
}

# The libraries that a program or library asks for.
needs() { readelf -dW "$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p'; }

# Where the dynamic linker of this system finds a library.
find_library() { /sbin/ldconfig -p | awk -v name="$1" '$1 == name && /x86-64/ && !found { print $NF; found = 1 }'; }

# The package of a file, whatever link to its folder the package was made with.
package_of() {
  local path
  path=$(readlink -f "$1")
  { dpkg-query -S "$path" 2>/dev/null || dpkg-query -S "${path#/usr}"; } | sed -n '1s/: .*//p'
}
