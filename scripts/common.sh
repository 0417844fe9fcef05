# Shared by the scripts of this directory: where things live, and how they speak.
# shellcheck shell=bash

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
data=${MARTLET_DATA:-${XDG_DATA_HOME:-$HOME/.local/share}/martlet}
cache=${XDG_CACHE_HOME:-$HOME/.cache}/martlet

say() { printf '%s\n' "$*" >&2; }

# fail REASON-AND-WHAT-TO-DO
fail() {
  printf 'error: %s\n' "$*" >&2
  exit 1
}

have() { command -v "$1" >/dev/null 2>&1; }

# sha256 FILE: prints the hash, nothing when the file is missing
sha256() {
  [ -f "$1" ] || return 0
  if have sha256sum; then sha256sum "$1"; else shasum -a 256 "$1"; fi | cut -d' ' -f1
}

# Free space in MiB of the file system that will hold DIRECTORY.
free_mib() {
  local at=$1
  while [ ! -d "$at" ]; do at=$(dirname "$at"); done
  df -Pm "$at" | awk 'NR == 2 { print $4 }'
}

# make_private DIRECTORY: what the user stores is the user's alone
make_private() {
  mkdir -p "$1" 2>/dev/null || fail "cannot create $1; make it writable or set MARTLET_DATA to another directory."
  chmod 700 "$1"
}
