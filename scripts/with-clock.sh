#!/bin/sh
# Runs a command and its child processes with a shifted clock and in another time zone. Requires root on Linux.
#   scripts/with-clock.sh +7h Asia/Kolkata npm test -- FILE
# Programs started with an empty environment (the database, the command line in tests) need the shift too. So
# libfaketime is preloaded through /etc/ld.so.preload, in a mount namespace that only this command sees.
set -eu
OFFSET=$1 ZONE=$2
shift 2
LIBRARY=$(ls /usr/lib/*/faketime/libfaketimeMT.so.1 2>/dev/null) || {
  echo 'Install libfaketime: apt-get install faketime.' >&2
  exit 1
}
[ -e "/usr/share/zoneinfo/$ZONE" ] || { echo "There is no time zone $ZONE." >&2; exit 1; }
FOLDER=$(mktemp -d)
trap 'rm -rf "$FOLDER"' EXIT
cp -a /etc/. "$FOLDER/"
printf '%s\n' "$LIBRARY" > "$FOLDER/ld.so.preload"
printf '%s\n' "$OFFSET" > "$FOLDER/faketimerc"
ln -sf "/usr/share/zoneinfo/$ZONE" "$FOLDER/localtime"
unshare --mount --propagation private sh -c 'mount --bind "$0" /etc && exec "$@"' "$FOLDER" env -u TZ "$@"
