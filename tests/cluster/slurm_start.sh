# Starts a private Slurm for a test; sourced. Runs Debian's slurmctld, slurmd and munged in a temporary
# folder, with four processors on any machine. Unpacks missing packages in build/slurm without installing
# them. Needs root, because slurmd does. If Slurm cannot start, slurm_lacks has the reason.
# shellcheck disable=SC2034 # for who sources this
slurm_lacks=
slurm_packages="slurmctld slurmd slurm-client munge"

# slurm_get: gets the programs in $slurm_root (empty if they are installed).
slurm_get() {
    [ "$(id -u)" = 0 ] || { slurm_lacks="needs root"; return 1; }
    slurm_root=
    if ! { command -v slurmctld && command -v slurmd && command -v munged && command -v sbatch; } > /dev/null; then
        command -v apt-get > /dev/null || { slurm_lacks="no slurmctld, and no apt-get for it"; return 1; }
        slurm_root=$PWD/build/slurm/root
    fi
    [ -n "$slurm_root" ] && [ ! -e "$slurm_root/complete" ] || return 0
    rm -rf build/slurm
    mkdir -p build/slurm/debs/partial "$slurm_root"
    slurm_fetch || { apt-get -q update >> build/slurm/log 2>&1 && slurm_fetch; } || {
        slurm_lacks="apt-get cannot get $slurm_packages: $(grep '^E:' build/slurm/log | tail -n 1)"
        return 1
    }
    for package in build/slurm/debs/*.deb; do
        dpkg -x "$package" "$slurm_root" || { slurm_lacks="$package cannot be unpacked"; return 1; }
    done
    rm -rf "${slurm_root:?}/etc" # unused, and make would read folders there as its own files (*.d)
    : > "$slurm_root/complete"
}

slurm_fetch() {
    # shellcheck disable=SC2086
    apt-get install -q -y --no-install-recommends --download-only -o Debug::NoLocking=true \
        -o "Dir::Cache::archives=$PWD/build/slurm/debs" $slurm_packages >> build/slurm/log 2>&1
}

# slurm_program NAME: prints its path. Debian adds -wlm to some names.
slurm_program() {
    for path in "$slurm_root/usr/sbin/$1" "$slurm_root/usr/sbin/$1-wlm" "$slurm_root/usr/bin/$1"; do
        [ -x "$path" ] && echo "$path" && return
    done
}

# slurm_start: starts the daemons and puts the commands in PATH. The host of a task is nodeN, so that
# tasks count as different hosts for leases. A requeued job waits until credentials expire: a few
# seconds.
slurm_start() {
    slurm=$(mktemp -d) && chmod 711 "$slurm" && mkdir "$slurm/state" || return 1
    library=$slurm_root/usr/lib/x86_64-linux-gnu
    if [ -n "$slurm_root" ]; then
        PATH=$slurm_root/usr/bin:$PATH
        LD_LIBRARY_PATH=$library:$library/slurm-wlm
        export PATH LD_LIBRARY_PATH
    fi
    SLURM_CONF=$slurm/slurm.conf
    export SLURM_CONF
    slurm_host=$(uname -n)
    slurm_host=${slurm_host%%.*}
    slurm_port=$((20000 + $$ % 10000 * 2))
    cat > "$slurm/prolog" << 'END'
#!/bin/sh
echo "export SANLAB_HOST=node$SLURM_ARRAY_TASK_ID"
END
    chmod 755 "$slurm/prolog"
    cat > "$SLURM_CONF" << END
ClusterName=test
SlurmctldHost=$slurm_host(127.0.0.1)
SlurmctldPort=$slurm_port
AuthType=auth/munge
AuthInfo=socket=$slurm/munge.socket,cred_expire=5
CredType=cred/munge
SlurmUser=root
SlurmdUser=root
PluginDir=$library/slurm-wlm
StateSaveLocation=$slurm/state
SlurmdSpoolDir=$slurm/spool
SlurmctldPidFile=$slurm/slurmctld.pid
SlurmdPidFile=$slurm/slurmd.pid
SlurmctldLogFile=$slurm/slurmctld.log
SlurmdLogFile=$slurm/slurmd.log
TaskProlog=$slurm/prolog
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
ReturnToService=2
KillWait=10
SchedulerParameters=batch_sched_delay=0,sched_interval=2,sched_min_interval=0
NodeName=$slurm_host NodeAddr=127.0.0.1 Port=$((slurm_port + 1)) CPUs=4 State=UNKNOWN
PartitionName=p Nodes=ALL Default=YES MaxTime=INFINITE State=UP
END
    head -c 128 /dev/urandom > "$slurm/munge.key" && chmod 600 "$slurm/munge.key"
    "$(slurm_program munged)" --key-file="$slurm/munge.key" --socket="$slurm/munge.socket" \
        --pid-file="$slurm/munged.pid" --log-file="$slurm/munge.log" --seed-file="$slurm/munge.seed" &&
        "$(slurm_program slurmctld)" > "$slurm/log" 2>&1 &&
        "$(slurm_program slurmd)" -d "$(slurm_program slurmstepd)" -N "$slurm_host" >> "$slurm/log" 2>&1 &&
        wait_for slurm_idle
}
slurm_idle() {
    sinfo -h -o %T 2> /dev/null | grep -q idle
}

# slurm_end: stops jobs, then each daemon by its PID file; removes the folder.
slurm_end() {
    [ -n "${slurm:-}" ] || return 0
    scancel --user=root 2> /dev/null
    for _ in $(seq 60); do
        [ -n "$(squeue -h 2> /dev/null)" ] || break
        sleep 0.25
    done
    for name in slurmd slurmctld munged; do
        process=$(cat "$slurm/$name.pid" 2> /dev/null) || continue
        kill "$process"
        for _ in $(seq 40); do
            kill -0 "$process" 2> /dev/null || break
            sleep 0.25
        done
    done
    rm -rf "$slurm"
}
