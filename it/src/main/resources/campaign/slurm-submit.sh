#!/usr/bin/env bash
# Submits the parts as a Slurm array, and the merge for when all of them have ended. Written by @RELEASE@.
#
#   bash submit.sh [options of sbatch]

@FOLDER@

if ! command -v sbatch >/dev/null; then
  echo "no sbatch on this host: submit on a host that has Slurm, or run bash part.sh I for each part, then bash merge.sh" >&2
  exit 3
fi

array=$(sbatch --parsable "$@" part.sh) || exit 3
# The answer is the job's number, then the cluster's name if there are several.
array=${array%%;*}
echo "parts     job $array, tasks 1 to @PARTS@"
# The merge is one job after the parts, whatever array and dependency these have.
one=()
while [ $# -gt 0 ]; do
  case $1 in
    --array | -a | --dependency | -d) shift ;;
    --array=* | -a?* | --dependency=* | -d?*) ;;
    *) one+=("$1") ;;
  esac
  [ $# -eq 0 ] || shift
done
if ! merge=$(sbatch --parsable ${one[@]+"${one[@]}"} --dependency="afterany:$array" merge.sh); then
  echo "the parts are submitted, but the merge is not: run bash merge.sh when they have ended" >&2
  exit 3
fi
echo "merge     job ${merge%%;*}, output in logs/merge.log"
