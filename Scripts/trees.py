"""Makes content for measurements, the same in each run."""
import os, random, shutil


def make_zeros(path, size):
    with open(path, "wb") as file:
        for start in range(0, size, 1_000_000):
            file.write(bytes(min(1_000_000, size - start)))


def make_noise(path, size):
    source = random.Random(1)
    with open(path, "wb") as file:
        for start in range(0, size, 1_000_000):
            file.write(source.randbytes(min(1_000_000, size - start)))


def make_code(path, size):
    with open(path, "wb") as file:
        file.write(b"code of this machine\n")
        programs = os.path.dirname(os.path.realpath(shutil.which("swift") or "/usr/bin/env"))
        for folder in (programs, os.path.join(programs, "../lib/swift/linux"), "/usr/bin", "/usr/lib"):
            for entry in sorted(os.scandir(folder), key=lambda entry: entry.name):
                if file.tell() < size and entry.is_file() and os.access(entry.path, os.R_OK):
                    with open(entry.path, "rb") as source:
                        file.write(source.read(size - file.tell()))


def make_tree(path, count, size):
    source = random.Random(1)
    words = [bytes(source.choices(b"abcdefghijklmnopqrstuvwxyz", k=source.randint(2, 9))) for _ in range(5000)]
    text = b" ".join(source.choices(words, k=max(size, 1_000_000) // 4))
    for number in range(count):
        folder = os.path.join(path, f"{number // 500:04}")
        os.makedirs(folder, exist_ok=True)
        with open(os.path.join(folder, f"{number:06}.bin"), "wb") as file:
            start = source.randrange(len(text) - size) if len(text) > size else 0
            file.write(source.randbytes(size) if number % 3 else text[start:start + size])


def change_some(tree):
    """Changes 1 % of the files, and returns their paths."""
    source = random.Random(1)
    files = sorted(path for path in (os.path.join(folder, name) for folder, _, names in os.walk(tree) for name in names)
                   if os.path.isfile(path) and not os.path.islink(path) and os.path.getsize(path) > 0)
    chosen = source.sample(files, max(1, len(files) // 100))
    for path in chosen:
        with open(path, "r+b") as file:
            content = bytearray(file.read())
            for _ in range(max(1, len(content) // 1000)):
                content[source.randrange(len(content) // 2, len(content))] ^= source.randrange(1, 256)
            file.seek(0)
            file.write(content)
    return {os.path.relpath(path, tree) for path in chosen}
