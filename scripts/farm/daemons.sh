# Shared by slurm and slurm-video: munge, slurmctld and slurmd on the loopback, as children that end with the script. To be
# sourced behind common.sh.

PATH=$PATH:/usr/sbin:/sbin
for program in munged mungekey slurmctld slurmd sbatch scontrol sinfo squeue; do
  command -v "$program" >/dev/null || skip "$program is not installed (Debian: slurm-wlm, munge)"
done

# Daemons stay in the foreground, as children: none can be missed.
daemons=()
job=
start() {
  "$@" >>"$work/log/start.log" 2>&1 </dev/null &
  daemons+=($!)
}
stop() {
  local pid
  trap '' INT TERM HUP
  # Nothing of a job may outlive its daemons.
  if [ -n "$job" ]; then
    timeout 5 scancel "$job" 2>/dev/null || true
    for _ in {1..50}; do [ -z "$(timeout 5 squeue -h -j "$job" 2>/dev/null)" ] && break; sleep 0.1; done
  fi
  for pid in "${daemons[@]}"; do kill "$pid" 2>/dev/null || true; done
  for pid in "${daemons[@]}"; do
    for _ in {1..50}; do kill -0 "$pid" 2>/dev/null || break; sleep 0.1; done
    kill -9 "$pid" 2>/dev/null || true
  done
  wait
  rm -rf "$work"
}
trap stop EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

# Starts them; leaves an idle node.
start_slurm() {
  say "Slurm $(slurmd -V | cut -d' ' -f2) on the loopback, as $(id -un)"
  mkdir "$work/state" "$work/spool" "$work/log"
  mungekey --create --keyfile="$work/munge.key"
  start munged --foreground --socket="$work/munge.sock" --key-file="$work/munge.key" --pid-file="$work/munged.pid" \
    --seed-file="$work/munge.seed"
  for _ in {1..50}; do [ -S "$work/munge.sock" ] && break; sleep 0.1; done
  # Ports of our own: another Slurm may run here.
  port=$((20000 + $$ % 20000))
  cpus=$(nproc)
  # The path in full: Slurm expands no variables. Without NoInAddrAny the daemons would listen on every address.
  cat >"$work/slurm.conf" <<CONF
ClusterName=hdrbatch
SlurmctldHost=localhost(127.0.0.1)
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
AuthInfo=socket=$work/munge.sock
CommunicationParameters=NoInAddrAny,NoCtldInAddrAny
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/slurmd.pid
SlurmctldLogFile=$work/log/slurmctld.log
SlurmdLogFile=$work/log/slurmd.log
SlurmctldPort=$port
SlurmdPort=$((port + 1))
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerParameters=sched_interval=1,batch_sched_delay=0,bf_interval=1
ReturnToService=2
KillWait=5
RequeueExit=74,75
NodeName=localhost NodeAddr=127.0.0.1 CPUs=$cpus RealMemory=1000
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
CONF
  export SLURM_CONF=$work/slurm.conf
  start slurmctld -D
  start slurmd -D -N localhost
  for _ in {1..150}; do
    [ "$(sinfo -h -o %T 2>/dev/null || true)" = idle ] && break
    sleep 0.1
  done
  [ "$(sinfo -h -o %T)" = idle ] || { tail -n 20 "$work"/log/*.log >&2; fail "no idle node after 15 s"; }
}
