"""Compares first fetches and updates with other programs, from nginx on loopback and behind a slow connection."""
import base64, collections, contextlib, json, os, re, shutil, socket, statistics, subprocess, tempfile, time, zlib

from measuring import measure, spread
from nginx import Server
from packing import IDENTITY, pack_acceptable
from trees import change_some


def fetch(iapkg, corpus, root, runs):
    """Compares first fetches and updates of 1 % of the files with other programs, from nginx on loopback and behind a line
    of 100 Mbit/s with a round trip of 50 ms."""
    rows = []
    for tree in corpus:
        folder = tempfile.mkdtemp(dir=root)
        content, fresh = os.path.join(folder, "content"), os.path.join(folder, "fresh")
        shutil.copytree(os.path.realpath(tree), content, symlinks=True)
        pack_acceptable(iapkg, content, folder)
        shutil.copytree(content, fresh, symlinks=True)
        changed = change_some(fresh)
        packages = [os.path.join(folder, name) for name in ("old.pkg", "new.pkg")]
        os.rename(os.path.join(folder, "bench.pkg"), packages[0])
        measure([iapkg, "create", "--quiet", "--contents", fresh, *IDENTITY[:3], "1.1", "-o", packages[1]], folder)
        measure([iapkg, "publish", "--quiet", *packages, "--to", "store"], folder)
        if shutil.which("zsyncmake"):
            shutil.copy(packages[1], os.path.join(folder, "store", "new.pkg"))
            measure(["zsyncmake", "-u", "new.pkg", "-o", "store/new.zsync", packages[1]], folder)
        measure([iapkg, "extract", "--quiet", "old.pkg", "--into", "installed", "--no-sync"], folder)
        entries, index = read_index(os.path.join(folder, "store"), "1.1")
        packed = sum(entry.get("packedSize", entry["size"]) for entry in entries
                     if entry["path"].removeprefix("Contents/") in changed)
        print(f"\n{tree}: a package of {os.path.getsize(packages[0]):,} bytes; {len(changed)} files of {packed:,} packed "
              f"bytes change; an index of {index:,} bytes\n")
        print("| line | job | program | seconds (min, median, max) | bytes | peak MB | ratio to the first program |")
        print("|---|---|---|---|---|---|---|")
        with Server(os.path.join(folder, "store"), folder) as server, rsync_server(folder) as rsync_port:
            rows += fetch_rows(iapkg, tree, "loopback", folder, server, server.port, rsync_port, runs)
            with slow_connection(server.port) as port, slow_connection(rsync_port) as slow_rsync:
                rows += fetch_rows(iapkg, tree, "100 Mbit/s, 50 ms", folder, server, port, slow_rsync, runs)
        shutil.rmtree(folder)
    return rows


def fetch_rows(iapkg, tree, line, folder, server, port, rsync_port, runs):
    """Measures the programs of both jobs; the ratios refer to the first program of a job. There are three times as many
    runs on loopback, which are so short that other work on the machine affects them."""
    address = f"http://127.0.0.1:{port}"
    package = next(os.path.relpath(os.path.join(place, name), os.path.join(folder, "store"))
                   for place, _, names in os.walk(os.path.join(folder, "store")) for name in names
                   if name.startswith("1.0-") and name.endswith(".pkg"))
    ours = [iapkg, "fetch", "--quiet", "com.example.bench", "--from", address, "--into", "made", "--no-sync"]
    curl = ["curl", "-sS", "-o", "made/bench.pkg", f"{address}/{package}"]
    first = [("curl -o", curl), ("iapkg fetch", [*ours, "--content-version", "1.0"]),
             ("curl -o, unzip", ["sh", "-c", '"$@" && unzip -q made/bench.pkg -d made/out', "sh", *curl])]
    if line == "loopback":
        first.insert(0, ("iapkg extract", [iapkg, "extract", "--quiet", "old.pkg", "--into", "made", "--no-sync"]))
    update = [("curl -o", curl), ("iapkg update", ours),
              ("zsync", ["zsync", "-q", "-i", "old.pkg", "-o", "made/new.pkg", f"{address}/new.zsync"]),
              ("rsync of the package", ["rsync", "--no-whole-file", f"rsync://127.0.0.1:{rsync_port}/all/new.pkg",
                                        "made/old.pkg"]),
              ("rsync -a of the files", ["rsync", "-a", "--delete", f"rsync://127.0.0.1:{rsync_port}/all/fresh/",
                                         "made/content/"])]
    rows = []
    for job, commands in (("first", first), ("update", update)):
        commands = [command for command in commands if shutil.which(command[1][0])]
        taken, sent = collections.defaultdict(list), {}
        for number in range((3 * runs if line == "loopback" else runs) + 1):
            for name, command in commands:
                prepare_update(folder, name if job == "update" else None)
                before = sent_bytes(server, folder)
                run = measure(command, folder)
                sent[name] = sent_bytes(server, folder) - before
                if number > 0:
                    taken[name].append(run)
        reference = statistics.median(run.seconds for run in taken[commands[0][0]])
        for name, _ in commands:
            times = spread([run.seconds for run in taken[name]])
            row = {"tree": tree, "line": line, "job": job, "program": name, "seconds": times,
                   "transferredBytes": sent[name], "peakBytes": max(run.memory for run in taken[name]),
                   "ratio": times["median"] / reference}
            rows.append(row)
            print(f"| {line} | {job} | {name} | {times['minimum']:.2f} {times['median']:.2f} {times['maximum']:.2f} "
                  f"| {sent[name]:,} | {row['peakBytes'] / 1e6:.0f} | {row['ratio']:.2f} |", flush=True)
    return rows


def sent_bytes(server, folder):
    """Returns the bytes that nginx and the rsync daemon have sent so far."""
    with open(os.path.join(folder, "rsyncd.log"), "a+") as file:
        file.seek(0)
        return server.sent(0.1) + sum(int(match) for match in re.findall(r"sent (\d+) bytes ", file.read()))


def prepare_update(folder, program):
    """Makes the files that a program has before an update; none for a first fetch."""
    made = os.path.join(folder, "made")
    shutil.rmtree(made, ignore_errors=True)
    if program == "iapkg update":
        subprocess.check_call(["cp", "-a", os.path.join(folder, "installed"), made])
        return
    os.mkdir(made)
    if program == "rsync of the package":
        shutil.copy(os.path.join(folder, "old.pkg"), made)
    if program == "rsync -a of the files":
        subprocess.check_call(["cp", "-a", os.path.join(folder, "content"), os.path.join(made, "content")])


@contextlib.contextmanager
def slow_connection(port, *options):
    """Runs a slow connection to a server, and yields its port."""
    link = subprocess.Popen(
        [os.path.join(os.path.dirname(os.path.realpath(__file__)), "slow-connection"), str(port), *options],
        stdout=subprocess.PIPE, text=True)
    try:
        yield int(link.stdout.readline())
    finally:
        link.terminate()
        link.wait()


@contextlib.contextmanager
def rsync_server(folder):
    """Runs an rsync daemon on the folder, and yields its port; without rsync, no program listens there."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with open(os.path.join(folder, "rsyncd.conf"), "w") as file:
        file.write(f"use chroot = no\nlog file = {folder}/rsyncd.log\nuid = root\n[all]\npath = {folder}\n")
    if not shutil.which("rsync"):
        yield port
        return
    daemon = subprocess.Popen(["rsync", "--daemon", "--no-detach", "--address=127.0.0.1", f"--port={port}",
                               f"--config={folder}/rsyncd.conf"], stdin=subprocess.DEVNULL)
    try:
        time.sleep(0.5)
        yield port
    finally:
        daemon.terminate()
        daemon.wait()


def read_index(store, version):
    """Returns the entries of a release, and the size of its index."""
    parts = {}
    for place, _, names in os.walk(store):
        for name in names:
            if name.startswith(version + "-") and not name.endswith(".pkg"):
                with open(os.path.join(place, name), "rb") as file:
                    parts[os.path.splitext(name)[1]] = file.read()
    records = base64.b64decode(json.loads(parts[".json"])["pages"])
    entries, start = [], 0
    for record in range(0, len(records), 52):
        size = int.from_bytes(records[record + 32:record + 36], "little")
        entries += json.loads(zlib.decompress(parts[".pages"][start:start + size], -15))
        start += size
    return entries, sum(map(len, parts.values()))
