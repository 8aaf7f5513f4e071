#!/bin/bash
#SBATCH --job-name=graphdos
#SBATCH --array=1-16
#SBATCH --cpus-per-task=4
#SBATCH --mem-per-cpu=2G
#SBATCH --time=01:00:00
#
# Features of a data set by a job array, a shard a task:   sbatch docs/examples/features-array.sh DATA FOLDER
# When all tasks are done (sbatch --dependency=afterok:JOB):  graphdos merge FOLDER/features.npz FOLDER/*.part
#
# For a Gram matrix write `gram` for `features` and merge into FOLDER/gram.npy. Other batch systems name the two
# variables otherwise: PBS_ARRAY_INDEX, SGE_TASK_ID and SGE_TASK_LAST, LSB_JOBINDEX.
set -euo pipefail
data=$1
folder=$2
task=$SLURM_ARRAY_TASK_ID
tasks=$SLURM_ARRAY_TASK_COUNT
mkdir -p "$folder"
${GRAPHDOS:-graphdos} -q features "$data" --kernel ldos --workers "${SLURM_CPUS_PER_TASK:-1}" \
  --shard "$task/$tasks" -o "$folder/$task-of-$tasks.part"
