#!/usr/bin/env bash
# Runs one part of a campaign. Written by @RELEASE@.
#
#   bash part.sh I    runs part I of @PARTS@
#   bash part.sh      runs the part that a Slurm array names
#
# The result is parts/part-I.json. It appears complete or not at all.
# Exit codes: 0 nothing found, 1 a violation was found, 2 wrong use, 3 this host lacks something.
#SBATCH --job-name=@NAME@
#SBATCH --array=1-@PARTS@
#SBATCH --cpus-per-task=1
#SBATCH --output=logs/part-%a.log

@FOLDER@

@COMMAND@

exec "$oriel" @WORDS@ --campaign . --shard "${1:-slurm}/@PARTS@"
