#!/bin/sh
# Compares what the ranks of a job compiled, as a job array of Slurm: each task writes the digest of one rank's dumps,
# and the task that comes last compares all. Dumps of rank K are in DUMPS/rankK, on a disk that all machines see:
#   sbatch --array=0-7 slurm.sh DUMPS
# The last task's exit status is that of `hlolint ranks`: 0 all equal, 1 ranks differ, 2 unreadable dumps. If a task
# fails, nothing is compared until it has run again (`scontrol requeue`).
#SBATCH --job-name=hlolint-ranks
#SBATCH --output=hlolint-ranks-%A-%a.log
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=1
#SBATCH --time=00:10:00
set -eu
dumps=$1
rank=rank$SLURM_ARRAY_TASK_ID
digests=$dumps/digests-$SLURM_ARRAY_JOB_ID

mkdir -p "$digests"
"${HLOLINT:-hlolint}" digest --name "$rank" -o "$digests/$rank.part" "$dumps/$rank"
mv "$digests/$rank.part" "$digests/$rank.json"  # there at once and whole

set -- "$digests"/*.json
[ $# = "$SLURM_ARRAY_TASK_COUNT" ] || exit 0
mkdir "$digests/compared" 2>/dev/null || exit 0  # two may come last at the same time; one makes the folder
"${HLOLINT:-hlolint}" ranks "$@"
