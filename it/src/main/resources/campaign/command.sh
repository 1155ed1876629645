oriel=@ORIEL@
if ! command -v -- "$oriel" >/dev/null; then
  echo "no such command on this host: $oriel; install it, or write its path into this script" >&2
  exit 3
fi
