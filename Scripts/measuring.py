"""Measures programs as whole processes."""
import collections, os, statistics, subprocess, sys, time

Run = collections.namedtuple("Run", "seconds processor memory")


def measure(command, folder):
    """Runs a process with all its children. Returns its seconds, its seconds of processor time, and its peak memory in
    bytes."""
    start = time.perf_counter()
    process = subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"bench: {' '.join(command)} ended with {process.returncode}")
    return Run(seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024)


def apart(make, *arguments):
    """Calls `make` in a child process, because the peak memory of a process counts for the programs that it starts later."""
    process = os.fork()
    if process == 0:
        try:
            make(*arguments)
            os._exit(0)
        finally:
            os._exit(1)
    if os.waitpid(process, 0)[1]:
        sys.exit(f"bench: cannot make {arguments[0]}")


def spread(values):
    return {"minimum": min(values), "median": statistics.median(values), "maximum": max(values)}
