#!/usr/bin/env bash
# Joins the results in parts/, and names each part that is missing or unfit. Written by @RELEASE@.
#
#   bash merge.sh
#
# Exit codes: 0 nothing found, 1 a violation was found, 2 parts are missing or unfit, 3 this host lacks something.
#SBATCH --job-name=@NAME@-merge
#SBATCH --cpus-per-task=1
#SBATCH --output=logs/merge.log

@FOLDER@

@COMMAND@

exec "$oriel" merge . --json merged.json
