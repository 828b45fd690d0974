#!/bin/sh
# Does what a commitment undertakes, once for each key: the order is written aside and put in its place in one step, so that it
# is there whole or not at all, and the same however often this is run.
set -eu
mkdir -p orders
cat > "orders/.$TERN_KEY.$$"
mv "orders/.$TERN_KEY.$$" "orders/$TERN_KEY.json"
