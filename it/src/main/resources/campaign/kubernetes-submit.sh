#!/usr/bin/env bash
# Starts the parts. Written by @RELEASE@.
#
#   bash submit.sh [options of kubectl]

@FOLDER@

if ! command -v kubectl >/dev/null; then
  echo "no kubectl on this host: submit where kubectl reaches the cluster" >&2
  exit 3
fi

kubectl "$@" apply --server-side -k . || exit 3
echo "merge     kubectl create -f merge.yaml, when all parts have ended"
