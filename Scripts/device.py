"""Compares the libraries of an app, which use only libraries of Apple's SDKs, with the command-line tool."""
import collections, contextlib, os, shutil, statistics, subprocess, tempfile

from downloads import slow_connection
from measuring import apart, measure
from nginx import Server
from packing import IDENTITY, pack_acceptable
from trees import change_some, make_tree

ROOT = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
PRODUCT = IDENTITY[1]
# Many more files than an app has.
FILES = 100_000


def device(iapkg, corpus, root, runs):
    """Measures first fetches and updates of 1 % of the files, on loopback and behind a line of 100 Mbit/s with a round trip
    of 50 ms; and the memory for 100,000 files."""
    scratch = f"{ROOT}/.build-device"
    subprocess.check_call(
        ["swift", "build", "-c", "release", "--static-swift-stdlib", "--package-path", ROOT, "--scratch-path", scratch,
         "--traits", "SystemLibraries", "--product", "iapkg-device"], env={**os.environ, "IAPKG_DEVICE": "1"},
        stdout=subprocess.DEVNULL)
    programs = {"iapkg": iapkg, "iapkg-device": f"{scratch}/release/iapkg-device"}
    print("\n| tree | line | job | program | seconds (median) | of the time of iapkg | peak MB |")
    print("|---|---|---|---|---|---|---|")
    rows = []
    for tree in corpus:
        folder = tempfile.mkdtemp(dir=root)
        shutil.copytree(os.path.realpath(tree), f"{folder}/content", symlinks=True)
        rows += compare(programs, os.path.basename(tree), folder, runs)
        shutil.rmtree(folder)
    folder = tempfile.mkdtemp(dir=root)
    apart(make_tree, f"{folder}/content", FILES, 100)
    rows += compare(programs, f"{FILES:,} files", folder, 1, isSlow=False)
    shutil.rmtree(folder)
    return rows


def compare(programs, tree, folder, runs, isSlow=True):
    iapkg = programs["iapkg"]
    pack_acceptable(iapkg, f"{folder}/content", folder)
    measure([iapkg, "publish", "--quiet", "bench.pkg", "--to", "store"], folder)
    shutil.copytree(f"{folder}/content", f"{folder}/fresh", symlinks=True)
    change_some(f"{folder}/fresh")
    measure([iapkg, "create", "--quiet", "--contents", "fresh", *IDENTITY[:3], "1.1", "-o", "new.pkg"], folder)
    rows = []
    with contextlib.ExitStack() as stack:
        server = stack.enter_context(Server(f"{folder}/store", folder))
        lines = {"loopback": server.port}
        if isSlow:
            lines["100 Mbit/s, 50 ms"] = stack.enter_context(slow_connection(server.port))
        for line, port in lines.items():
            rows += job(programs, tree, line, "fetch", folder, runs, lambda name: fetch(name, programs[name], port))
            for name in programs:
                os.rename(f"{folder}/made-{name}", f"{folder}/installed-{port}-{name}")
        measure([iapkg, "publish", "--quiet", "new.pkg", "--to", "store"], folder)
        for line, port in lines.items():
            rows += job(programs, tree, line, "update", folder, runs, lambda name: update(name, programs[name]),
                        lambda name: f"{folder}/installed-{port}-{name}")
    return rows


def fetch(name, program, port):
    address = f"http://127.0.0.1:{port}"
    if name == "iapkg":
        return [program, "fetch", "--quiet", PRODUCT, "--from", address, "--into", f"made-{name}"]
    return [program, f"made-{name}", "fetch", address, PRODUCT]


def update(name, program):
    if name == "iapkg":
        return [program, "update", "--quiet", PRODUCT, "--into", f"made-{name}"]
    return [program, f"made-{name}", "update", PRODUCT]


def job(programs, tree, line, name, folder, runs, command, installed=None):
    """The programs take turns; the first run of each does not count, unless it is the only one."""
    taken = collections.defaultdict(list)
    for number in range(runs + (runs > 1)):
        for program in programs:
            made = f"{folder}/made-{program}"
            shutil.rmtree(made, ignore_errors=True)
            if installed:
                subprocess.check_call(["cp", "-a", installed(program), made])
            run = measure(command(program), folder)
            if number > 0 or runs == 1:
                taken[program].append(run)
    reference = statistics.median(run.seconds for run in taken["iapkg"])
    rows = []
    for program, measured in taken.items():
        seconds = statistics.median(run.seconds for run in measured)
        rows.append({"tree": tree, "line": line, "job": name, "program": program, "seconds": seconds,
                     "ratio": seconds / reference, "peakBytes": max(run.memory for run in measured)})
        print(f"| {tree} | {line} | {name} | {program} | {seconds:.2f} | {seconds / reference:.2f} "
              f"| {rows[-1]['peakBytes'] / 1e6:.0f} |", flush=True)
    return rows
