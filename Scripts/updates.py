"""Compares the bytes that updates receive from nginx on loopback with those of other programs that transfer differences."""
import os, random, shutil, subprocess, tempfile

from downloads import read_index, rsync_server, sent_bytes
from measuring import apart, measure
from nginx import Server
from packing import IDENTITY, pack_acceptable
from trees import change_some, make_code, make_noise, make_tree

MEGABYTE = 1_000_000


def updates(iapkg, corpus, root):
    """Each case has a limit of bytes. casync, which compresses its chunks, sets a limit only for incompressible files."""
    print("\n| update | changed, packed | program | bytes received | at most |")
    print("|---|---|---|---|---|")
    rows = []
    for name, make, change, limit in (
            ("a stored file of 300 MB", lambda tree: make_noise(os.path.join(tree, "large"), 300 * MEGABYTE), edit_large,
             lambda own, casync: min(3 * MEGABYTE, 1.5 * casync)),
            ("a deflated file of 300 MB", lambda tree: make_code(os.path.join(tree, "large"), 300 * MEGABYTE), edit_large,
             lambda own, casync: 3 * MEGABYTE),
            ("one of 5,000 files", lambda tree: make_tree(tree, 5_000, 20_000), edit_one,
             lambda own, casync: own + 40_000)):
        folder = tempfile.mkdtemp(dir=root)
        tree = os.path.join(folder, "content")
        os.mkdir(tree)
        apart(make, tree)
        rows += update(iapkg, name, folder, change, limit)
        shutil.rmtree(folder)
    for tree in corpus:
        folder = tempfile.mkdtemp(dir=root)
        shutil.copytree(os.path.realpath(tree), os.path.join(folder, "content"), symlinks=True)
        rows += update(iapkg, f"1 % of {os.path.basename(os.path.realpath(tree))}", folder, change_some,
                       lambda own, casync: 1.05 * own + 60_000)
        shutil.rmtree(folder)
    return rows


def update(iapkg, name, folder, change, limit):
    """Publishes the folder "content" before and after a change, and updates an installation with each program."""
    content, fresh, store = (os.path.join(folder, part) for part in ("content", "fresh", "store"))
    pack_acceptable(iapkg, content, folder)
    os.rename(os.path.join(folder, "bench.pkg"), os.path.join(folder, "old.pkg"))
    shutil.copytree(content, fresh, symlinks=True)
    changed = change(fresh)
    measure([iapkg, "create", "--quiet", "--contents", fresh, *IDENTITY[:3], "1.1", "-o", "new.pkg"], folder)
    measure([iapkg, "publish", "--quiet", "old.pkg", "new.pkg", "--to", "store"], folder)
    # The bytes of the changed files, which a client without chunks would receive.
    own = sum(entry.get("packedSize", entry["size"]) for entry in read_index(store, "1.1")[0]
              if entry["path"].removeprefix("Contents/") in changed)
    shutil.copy(os.path.join(folder, "new.pkg"), store)
    for program, command in (("zsyncmake", ["zsyncmake", "-u", "new.pkg", "-o", "store/new.zsync", "new.pkg"]),
                             ("casync", ["casync", "make", "--store=store/new.castr", "store/new.caidx", "fresh"])):
        if shutil.which(program):
            subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    received = {}
    with Server(store, folder) as server, rsync_server(folder) as rsync_port:
        measure([*fetch(iapkg, server.address), "--content-version", "1.0"], folder)
        for program, command in programs(iapkg, server.address, rsync_port):
            if shutil.which(command[0]):
                before = sent_bytes(server, folder)
                subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                received[program] = sent_bytes(server, folder) - before
    most = limit(own, received.get("casync", float("inf")))
    rows = []
    for program, count in received.items():
        goal = f"{most:,.0f}{'' if count <= most else ' (missed)'}" if program == "iapkg update" else ""
        print(f"| {name} | {own:,} | {program} | {count:,} | {goal} |", flush=True)
        rows.append({"update": name, "changedBytes": own, "program": program, "transferredBytes": count,
                     "limit": most if program == "iapkg update" else None})
    return rows


def programs(iapkg, address, rsync_port):
    """Each program with its command, which starts from the data of a client: the files, or the earlier package."""
    return [("iapkg update", fetch(iapkg, address)),
            ("casync", ["casync", "extract", f"--store={address}/new.castr", "--seed=content", f"{address}/new.caidx",
                        "casync-made"]),
            ("zsync of the package", ["zsync", "-i", "old.pkg", "-o", "zsync-made", f"{address}/new.zsync"]),
            ("rsync -a of the files", ["rsync", "-a", "--delete", "--no-whole-file",
                                       f"rsync://127.0.0.1:{rsync_port}/all/fresh/", "content/"])]


def fetch(iapkg, address):
    return [iapkg, "fetch", "--quiet", "com.example.bench", "--from", address, "--into", "Documents", "--no-sync"]


def edit_large(tree):
    """Ten scattered edits of 4 KB, and an insertion of 1 KB near the start."""
    source, path = random.Random(2), os.path.join(tree, "large")
    with open(path, "rb") as file:
        content = bytearray(file.read())
    for place in source.sample(range(len(content) - 4_000), 10):
        content[place:place + 4_000] = source.randbytes(4_000)
    content[10_000:10_000] = source.randbytes(1_000)
    with open(path, "wb") as file:
        file.write(content)
    return {"large"}


def edit_one(tree):
    """Changes some bytes of one file."""
    path = os.path.join("0005", "002500.bin")
    with open(os.path.join(tree, path), "r+b") as file:
        file.seek(10_000)
        file.write(b"a change")
    return {path}
