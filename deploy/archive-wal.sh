#!/bin/sh
# Keeps PostgreSQL's log, one segment a call: archive_command = '/opt/trunkline/deploy/archive-wal.sh %p /mnt/wal/%f'
# A segment is there whole or not at all, and never replaces another. docs/backup.md, "To the second".
set -eu
from=$1 to=$2
# After a crash PostgreSQL hands over again what is there already.
if cmp -s "$from" "$to"; then exit 0; fi
if [ -e "$to" ]; then
  echo "$to is there already, with other content: is this the archive of another database?" >&2
  exit 1
fi
cp "$from" "$to.part"
sync "$to.part"
mv "$to.part" "$to"
