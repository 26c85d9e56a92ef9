"""Archives with the same bytes for the same content."""
import gzip
import io
import os
import tarfile


def tar(folder, root, time, owners=None):
    """Returns a tar archive of a folder with sorted names, one time, and root as owner.

    root    the name of the folder in the archive; "" for an archive of its items
    owners  the user and group of items that belong to another user, by path
    """
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for path in [folder] * bool(root) + sorted(folder.rglob("*")):
            name = os.path.join(root, path.relative_to(folder)) if path != folder else root
            entry = archive.gettarinfo(path, name)
            entry.uid = entry.gid = (owners or {}).get(name, 0)
            entry.uname = entry.gname = ""
            entry.mtime = time
            # umask does not matter; a sticky folder stays one.
            entry.mode = entry.mode & 0o7000 | (0o755 if path.is_dir() or os.access(path, os.X_OK) else 0o644)
            if entry.mode & 0o1000:
                entry.mode |= 0o777
            # A second name of a file is written as a file.
            if path.is_file() and not path.is_symlink():
                entry.type, entry.linkname = tarfile.REGTYPE, ""
                entry.size = path.stat().st_size
                with path.open("rb") as file:
                    archive.addfile(entry, file)
            else:
                archive.addfile(entry)
    return buffer.getvalue()


def compressed(data):
    buffer = io.BytesIO()
    with gzip.GzipFile("", "wb", 9, buffer, mtime=0) as file:
        file.write(data)
    return buffer.getvalue()
