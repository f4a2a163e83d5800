# Shared by the scripts of this folder: 60 small gain-map JPEGs, a plan of them, and what a single run makes of it.
# To be sourced. Leaves a new temporary folder in $work, gone at the end, and hdrbatch in $hdrbatch.

set -euo pipefail
repository=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
hdrbatch=${HDRBATCH:-$repository/.build/release/hdrbatch}

say() { printf '== %s\n' "$*"; }
fail() { echo "$script: $*" >&2; exit 1; }
skip() { echo "skipped: $*"; exit 0; }

[ -x "$hdrbatch" ] || skip "$hdrbatch is not built"

# Readable by the daemons' user wherever it is.
work=$(mktemp -d "${TMPDIR:-/tmp}/hdrbatch-farm.XXXXXX")
trap 'rm -rf "$work"' EXIT
chmod 755 "$work"

# 60 gain-map JPEGs of 320 pixels, each another picture: three examples, exposed 20 times.
make_items() {
  local options=(--to adaptive-jpeg --journal none --backend cpu --progress none --durability none) index
  mkdir "$work/small"
  for index in temple.heic lamps.jpg citadel.avif; do
    "$hdrbatch" render "$repository/Examples/$index" --out "$work/small" --filter thumbnail=size:320 "${options[@]}"
  done
  for index in {0..19}; do
    "$hdrbatch" render "$work/small" --out "$work/in" --name "{stem}-$index.{ext}" \
      --filter "exposure=ev:$((index / 10)).$((index % 10))" "${options[@]}"
  done
}

digests() { (cd "$1" && find . -type f ! -path './.hdrbatch/*' -print0 | sort -z | xargs -0 sha256sum); }

# The plan for $work/out, and the digests that a single run gives.
plan_and_reference() {
  "$hdrbatch" plan "$work/in" --to pq-png --out "$work/out" -o "$work/m.jsonl"
  "$hdrbatch" run --manifest "$work/m.jsonl" --out "$work/single" --backend cpu --progress none
  digests "$work/single" >"$work/single.sha256"
  [ "$(wc -l <"$work/single.sha256")" = 60 ] || fail "a single run made $(wc -l <"$work/single.sha256") files, 60 expected"
}

# The farm's outputs are a single run's, and status knows all.
compare() {
  digests "$work/out" >"$work/out.sha256"
  cmp "$work/single.sha256" "$work/out.sha256" || fail "digests differ from a single run's"
  local status
  status=$("$hdrbatch" status --manifest "$work/m.jsonl")
  echo "$status"
  case $status in "60 of 60 done"*) ;; *) fail "status does not say 60 of 60 done" ;; esac
}
