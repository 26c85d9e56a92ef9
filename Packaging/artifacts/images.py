"""Container images from scratch, as OCI layouts (image-spec 1.0) in a tar archive.

An image holds the program, the C library and the certificates of this Debian, and ssh-keygen for signing. It has no shell.
"""
import hashlib
import json
import os
import platform
import re
import shutil
from pathlib import Path

from . import archives
from .commands import output
from .parts import Part

USER = 65532
# Licences of the Debian packages whose files may be copied (SPDX).
LICENCES = {"libc6": "LGPL-2.1-or-later", "ca-certificates": "MPL-2.0", "openssh-client": "SSH-OpenSSH",
            "libssl3": "Apache-2.0", "zlib1g": "Zlib", "libpcre2-8-0": "BSD-3-Clause",
            "libselinux1": "LicenseRef-public-domain", "libgcc-s1": "GPL-3.0-or-later WITH GCC-exception-3.1"}
SIGNER = Path("/usr/bin/ssh-keygen")
CERTIFICATES = Path("/usr/share/ca-certificates/mozilla")


def shared_libraries(program):
    """The shared libraries that the loader finds for a program, with the loader."""
    return sorted(set(map(Path, re.findall(r"(/\S+) \(0x", output("ldd", program)))))


def debian_part(file):
    # /lib is a link to /usr/lib, and a package names its files in one way only.
    packages = [line for path in [file, Path("/usr") / file.relative_to("/")]
                for line in output("sh", "-c", 'dpkg-query --search "$0" 2>/dev/null || true', path).splitlines()]
    package = packages[0].split(":")[0]
    version = output("dpkg-query", "--show", "--showformat", "${Version}", package)
    return Part(package, version, LICENCES[package], f"deb/debian/{package}",
                (Path("/usr/share/doc") / package / "copyright",))


def make_root(root, tree, name):
    """Fills the root folder of an image with the content of a release archive, and returns the Debian parts."""
    shutil.copytree(tree, root / "usr")
    libraries = shared_libraries(tree / "bin" / name)
    # The C library opens it when a thread ends (pthread_exit), so that no program names it.
    unwinder = next(file for file in libraries if file.name.startswith("libc.so")).with_name("libgcc_s.so.1")
    copied = [SIGNER, unwinder, *libraries, *shared_libraries(SIGNER)]
    for file in copied:
        target = root / file.relative_to("/")
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, target)
        target.chmod(0o755)
    debian = {debian_part(file) for file in [*copied, CERTIFICATES]}
    for part in debian:
        texts = root / "usr/share/doc" / part.name
        texts.mkdir(parents=True)
        shutil.copyfile(part.texts[0], texts / "copyright")
    texts = {
        "etc/passwd": f"root:x:0:0::/:/sbin/nologin\n{name}:x:{USER}:{USER}::/home/{name}:/sbin/nologin\n",
        "etc/group": f"root:x:0:\n{name}:x:{USER}:\n",
        "etc/nsswitch.conf": "hosts: files dns\n",
        # Not the file in /etc, to which the owner of this machine may have added certificates.
        "etc/ssl/certs/ca-certificates.crt": "".join(
            file.read_text() for file in sorted(CERTIFICATES.glob("*.crt"))),
    }
    for path, text in texts.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    for folder in ["dev", "proc", "sys", "work", f"home/{name}", f"var/lib/{name}", "tmp"]:
        (root / folder).mkdir(parents=True)
    (root / "tmp").chmod(0o1777)
    return sorted(debian, key=lambda part: part.name)


def configuration(name):
    """The part of an image's configuration that differs between the programs."""
    if name == "iapkg":
        return {"Entrypoint": ["/usr/bin/iapkg"], "Cmd": ["--help"], "WorkingDir": "/work"}
    return {
        "Entrypoint": ["/usr/bin/iapkg-server"], "Cmd": ["run"], "WorkingDir": f"/var/lib/{name}",
        "ExposedPorts": {"8080/tcp": {}}, "Volumes": {f"/var/lib/{name}": {}}, "StopSignal": "SIGTERM",
        # Docker and containerd read it; Kubernetes has probes of its own.
        "Healthcheck": {"Test": ["CMD", "/usr/bin/iapkg-server", "health"], "Interval": 10_000_000_000,
                        "Timeout": 6_000_000_000, "StartPeriod": 5_000_000_000, "Retries": 3},
    }


def write_image(tree, name, version, commit, time, moment, folder, place):
    """Writes the image of a program, and returns its file and its Debian parts.

    tree    the unpacked release archive
    folder  gets the image
    place   a temporary folder
    """
    root, layout = place / f"{name}.root", place / f"{name}.oci"
    root.mkdir()
    parts = make_root(root, tree, name)
    owned = {path: USER for path in ["work", f"home/{name}", f"var/lib/{name}"]}
    blobs = layout / "blobs" / "sha256"
    blobs.mkdir(parents=True)

    def blob(data, kind):
        digest = hashlib.sha256(data).hexdigest()
        (blobs / digest).write_bytes(data)
        return {"mediaType": f"application/vnd.oci.image.{kind}", "digest": f"sha256:{digest}", "size": len(data)}

    def document(value, kind):
        return blob(json.dumps(value, separators=(",", ":"), sort_keys=True).encode(), kind)

    annotations = {f"org.opencontainers.image.{key}": value for key, value in {
        "title": name, "version": version, "revision": commit, "created": moment, "licenses": "MIT",
        "description": (Path(__file__).parents[1] / "debian" / name / "description").read_text().split("\n")[0],
        "ref.name": version}.items()}
    layer = archives.tar(root, "", time, owned)
    architecture = {"x86_64": "amd64", "aarch64": "arm64"}[platform.machine()]
    config = document({
        "created": moment, "architecture": architecture, "os": "linux",
        "config": {"User": f"{USER}:{USER}", "Env": ["PATH=/usr/bin", f"HOME=/home/{name}"] + (
            ["IAPKG_LISTEN=0.0.0.0:8080"] if name == "iapkg-server" else []),
            "Labels": annotations, **configuration(name)},
        "rootfs": {"type": "layers", "diff_ids": ["sha256:" + hashlib.sha256(layer).hexdigest()]},
        "history": [{"created": moment, "created_by": "make dist"}],
    }, "config.v1+json")
    manifest = document({
        "schemaVersion": 2, "mediaType": "application/vnd.oci.image.manifest.v1+json", "config": config,
        "layers": [blob(archives.compressed(layer), "layer.v1.tar+gzip")], "annotations": annotations,
    }, "manifest.v1+json")
    manifest["annotations"] = {"org.opencontainers.image.ref.name": version}
    manifest["platform"] = {"architecture": architecture, "os": "linux"}
    (layout / "index.json").write_text(json.dumps({
        "schemaVersion": 2, "mediaType": "application/vnd.oci.image.index.v1+json", "manifests": [manifest]}))
    (layout / "oci-layout").write_text('{"imageLayoutVersion": "1.0.0"}')
    image = folder / f"{name}-{version}-linux-{platform.machine()}.oci.tar"
    image.write_bytes(archives.tar(layout, "", time))
    os.chmod(image, 0o644)
    return image, parts
