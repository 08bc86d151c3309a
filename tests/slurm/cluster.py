#!/usr/bin/python3
"""A throw-away Slurm cluster: several pretend nodes on this machine, all state in one folder, nothing else touched.

    cluster.py start FOLDER [NODES]     then: export SLURM_CONF=FOLDER/slurm.conf
    cluster.py stop FOLDER              ends the processes it started, and only those

It has its own munge daemon and its own ports, so it runs beside other clusters. Root only: slurmd insists.
"""
import ctypes
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch")
CONFIGURATION = """\
ClusterName=mixlabtest
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={port}
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge/socket,cred_expire=10
CredType=cred/munge
StateSaveLocation={folder}/state
SlurmctldPidFile={folder}/run/slurmctld.pid
SlurmctldLogFile={folder}/log/slurmctld.log
SlurmdPidFile={folder}/run/%n.pid
SlurmdLogFile={folder}/log/%n.log
SlurmdSpoolDir={folder}/spool/%n
SlurmdParameters=config_overrides
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
MailProg=/bin/true
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=batch_sched_delay=0,sched_interval=2,bf_interval=2,sched_min_interval=0
PreemptType=preempt/partition_prio
PreemptMode=REQUEUE
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/filetxt
JobCompLoc={folder}/finished.txt
ReturnToService=2
KillWait=5
MinJobAge=3600
SlurmdTimeout=30
MaxArraySize={max_array_size}
"""


def missing():
    """Why there can be no cluster here; empty if there can."""
    if os.geteuid() != 0:
        return "the Slurm test cluster needs root"
    absent = [name for name in PROGRAMS if shutil.which(name) is None]
    return f"no {', '.join(absent)} (cmake/install-deps slurm)" if absent else ""


def free_ports(n):
    holders = [socket.socket() for _ in range(n)]
    for holder in holders:
        holder.bind(("127.0.0.1", 0))
    ports = [holder.getsockname()[1] for holder in holders]
    for holder in holders:
        holder.close()
    return ports


def start_time(pid):
    """Of a living process, in ticks; None if it is gone or a zombie. With the pid it names a process for ever."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    except OSError:
        return None
    return None if fields[0] == "Z" else fields[19]


def end_with_parent():
    """In a child: a signal when the parent dies, however it dies."""
    set_parent_death_signal = 1
    ctypes.CDLL(None).prctl(set_parent_death_signal, signal.SIGTERM)


def wait_until(condition, seconds, what):
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            raise TimeoutError(f"{what} not within {seconds} s")
        time.sleep(0.05)


class Cluster:
    """Daemons by name: munged, slurmctld and the nodes n1, n2, ..."""

    def __init__(self, folder, dies_with_us=False):
        self.folder = Path(folder).resolve()
        self.before_exec = end_with_parent if dies_with_us else None
        self.configuration = self.folder / "slurm.conf"
        self.record = self.folder / "daemons.json"
        self.environment = {**os.environ, "SLURM_CONF": str(self.configuration)}
        for name in [name for name in self.environment if name.startswith(("SLURM_JOB", "SBATCH_"))]:
            del self.environment[name]

    def start(self, nodes=3, cpus=2, max_array_size=1001):
        if self.record.exists():
            raise FileExistsError(f"a cluster runs already in {self.folder}")
        for name in ("state", "spool", "log", "run", "munge"):
            (self.folder / name).mkdir(parents=True, exist_ok=True)
        key = self.folder / "munge" / "key"
        key.write_bytes(os.urandom(128))
        key.chmod(0o600)
        names = [f"n{i}" for i in range(1, nodes + 1)]
        self.configure(names, cpus, max_array_size)
        try:
            self.start_daemon("munged")
            wait_until(lambda: self.call("munge", "-n", "--socket", self.folder / "munge" / "socket").returncode == 0,
                       10, "munge")
            for name in ["slurmctld", *names]:
                self.start_daemon(name)
            self.wait_for_nodes()
        except BaseException:
            self.stop()
            raise
        return self

    def configure(self, names, cpus, max_array_size):
        host = socket.gethostname().split(".")[0]
        port, *node_ports = free_ports(1 + len(names))
        text = CONFIGURATION.format(host=host, port=port, folder=self.folder, max_array_size=max_array_size)
        for name, node_port in zip(names, node_ports):
            text += (f"NodeName={name} NodeHostname={host} NodeAddr=127.0.0.1 Port={node_port} CPUs={cpus} "
                     f"RealMemory=1000 State=UNKNOWN\n")
        everywhere = f"Nodes={','.join(names)} MaxTime=60 State=UP"
        text += f"PartitionName=main {everywhere} Default=YES DefaultTime=10 PriorityTier=10\n"
        text += f"PartitionName=spare {everywhere} PriorityTier=1 GraceTime=5\n"
        text += f"PartitionName=urgent {everywhere} PriorityTier=100 PreemptMode=OFF\n"
        self.configuration.write_text(text)
        # slurmd loads a control group plugin although nothing here uses it; only this one starts everywhere.
        (self.folder / "cgroup.conf").write_text("CgroupPlugin=cgroup/v1\n")

    def start_daemon(self, name):
        munge = self.folder / "munge"
        commands = {
            "munged": ["munged", "--foreground", "--force", f"--key-file={munge}/key", f"--socket={munge}/socket",
                       f"--pid-file={munge}/pid", f"--log-file={self.folder}/log/munged.log",
                       f"--seed-file={munge}/seed"],
            "slurmctld": ["slurmctld", "-D", "-f", self.configuration],
        }
        command = commands.get(name, ["slurmd", "-D", "-N", name, "-f", self.configuration])
        with open(self.folder / "log" / f"{name}.out", "ab") as out:
            process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=out,
                                       env=self.environment, start_new_session=True, preexec_fn=self.before_exec)
        self.remember({**self.daemons(), name: [process.pid, start_time(process.pid)]})
        self.children = {**getattr(self, "children", {}), name: process}

    def daemons(self):
        return json.loads(self.record.read_text()) if self.record.exists() else {}

    def remember(self, daemons):
        self.record.write_text(json.dumps(daemons))

    def alive(self, name):
        child = getattr(self, "children", {}).get(name)
        if child:
            child.poll()  # reaps it
        pid, started = self.daemons().get(name, (0, None))
        return started is not None and start_time(pid) == started

    def end_daemon(self, name, how=signal.SIGTERM, seconds=10):
        """Ends a daemon that is still the process we started."""
        if self.alive(name):
            os.kill(self.daemons()[name][0], how)
        try:
            wait_until(lambda: not self.alive(name), seconds, f"end of {name}")
        except TimeoutError:
            self.end_daemon(name, signal.SIGKILL)

    def call(self, *command, timeout=30):
        return subprocess.run([*map(str, command)], env=self.environment, stdin=subprocess.DEVNULL, timeout=timeout,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def wait_for_nodes(self):
        n_nodes = len(self.daemons()) - 2

        def ready():
            dead = [name for name in self.daemons() if not self.alive(name)]
            if dead:
                raise RuntimeError(f"{dead[0]} died: {(self.folder / 'log' / (dead[0] + '.out')).read_text()[-2000:]}")
            states = self.call("sinfo", "-h", "-N", "-p", "main", "-o", "%T").stdout.split()
            return states == ["idle"] * n_nodes

        wait_until(ready, 30, "idle nodes")

    def clear(self):
        """Cancels all jobs and waits for their end."""
        self.call("scancel", "--quiet", "--full", "--user=root")
        wait_until(lambda: not self.call("squeue", "-h").stdout, 20, "empty queue")

    def stop(self):
        if self.alive("slurmctld"):
            try:
                self.clear()
            except (TimeoutError, subprocess.TimeoutExpired):
                pass  # what is left dies with its step daemons below
        nodes = [name for name in self.daemons() if name not in ("munged", "slurmctld")]
        for name in (*nodes, "slurmctld", "munged"):
            self.end_daemon(name)
        self.end_steps()
        self.record.unlink(missing_ok=True)

    def end_steps(self):
        """Step daemons that outlived their slurmd; ours have our configuration in their environment."""
        ours = f"SLURM_CONF={self.configuration}".encode()
        for process in Path("/proc").glob("[0-9]*"):
            try:
                environment = (process / "environ").read_bytes().split(b"\0")
                if (process / "comm").read_text() == "slurmstepd\n" and ours in environment:
                    os.kill(int(process.name), signal.SIGKILL)
            except (OSError, ValueError):
                pass


def main():
    if len(sys.argv) < 3 or sys.argv[1] not in ("start", "stop"):
        sys.exit(__doc__)
    cluster = Cluster(sys.argv[2])
    if sys.argv[1] == "stop":
        cluster.stop()
    elif missing():
        sys.exit(missing())
    else:
        cluster.start(int(sys.argv[3]) if len(sys.argv) > 3 else 3)
        print(f"export SLURM_CONF={cluster.configuration}")


if __name__ == "__main__":
    main()
