#!/bin/sh
# Runs a command and its child processes with a shifted clock and in another time zone. Requires root on Linux, and cc.
#   scripts/with-clock.sh +7h Asia/Kolkata npm test -- FILE
# Programs started with an empty environment (the database, the command line in tests) need the shift too. So
# shift-clock.c is preloaded through /etc/ld.so.preload, in a mount namespace that only this command sees.
set -eu
OFFSET=$1 ZONE=$2
shift 2
case $OFFSET in
  *d) UNIT=86400 ;; *h) UNIT=3600 ;; *m) UNIT=60 ;; *s) UNIT=1 ;;
  *) echo 'Give the shift in days, hours, minutes or seconds: +2d, -7h, +30m, +5s.' >&2; exit 1 ;;
esac
[ -e "/usr/share/zoneinfo/$ZONE" ] || { echo "There is no time zone $ZONE." >&2; exit 1; }
FOLDER=$(mktemp -d)
trap 'rm -rf "$FOLDER"' EXIT
cp -a /etc/. "$FOLDER/"
cc -shared -fPIC -O2 -DSHIFT="$((${OFFSET%?} * UNIT))" "$(dirname "$0")/shift-clock.c" -o "$FOLDER/shift-clock.so"
echo /etc/shift-clock.so > "$FOLDER/ld.so.preload"
ln -sf "/usr/share/zoneinfo/$ZONE" "$FOLDER/localtime"
unshare --mount --propagation private sh -c 'mount --bind "$0" /etc && exec "$@"' "$FOLDER" env -u TZ "$@"
