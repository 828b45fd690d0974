#!/usr/bin/env bash
# Instructions a message, counted by callgrind: each way to read the mixed corpus, and ours of messages that are refused.
# They repeat, whatever else the machine does. Needs valgrind, which has no SHA instructions: what has digests counts more there
# than it takes.
set -euo pipefail
cd "$(dirname "$0")/.."
command -v valgrind >/dev/null || { echo "instructions.sh: needs valgrind" >&2; exit 2; }
messages=${1:-2000}
cargo build --quiet --release --package tern-benches --example instructions
program=${CARGO_TARGET_DIR:-target}/release/examples/instructions
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# WAY [DAMAGE]
count() {
    valgrind --tool=callgrind --callgrind-out-file="$scratch/out" --collect-atstart=no \
        --toggle-collect='*::reading::way_*' "$program" "$1" "$messages" ${2+"$2"} 2>&1 |
        awk -v messages="$messages" '/Collected/ { printf "%.0f", $NF / messages }'
}

peer=$(count 'serde_json::Value')
echo '| what | instructions a message | fewer than `serde_json::Value` |'
echo '|---|---|---|'
row() {
    awk -v name="$1" -v ours="$2" -v peer="$peer" 'BEGIN { printf "| %s | %d | %.2f x |\n", name, ours, peer / ours }'
}
for way in 'read' 'simd-json, typed' 'serde_json, typed' 'serde_json, skipped' 'simdutf8, is it text'; do
    row "$way" "$(count "$way")"
done
row 'serde_json::Value' "$peer"
for damage in cut trailing unknown twice version empty missing control; do
    row "refused: $damage" "$(count read "$damage")"
done
