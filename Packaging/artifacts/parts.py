"""The parts of a program: Swift packages, the Swift runtime and C libraries, with versions and licences."""
import json
import os
import re
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from .commands import output


@dataclass(frozen=True)
class Part:
    name: str
    version: str
    # An SPDX expression.
    licence: str
    # The part of a package URL between "pkg:" and the version.
    kind: str
    # The texts of the licence.
    texts: tuple
    # The commit of the sources; None if they are not from a repository.
    commit: str | None = None

    @property
    def url(self):
        return f"pkg:{self.kind}@{quote(self.version, safe='')}"


def licence_of(text):
    """Returns the SPDX name of a licence by its text; an unknown one is an error."""
    for pattern, name in [
        (r"Apache License\s+Version 2\.0.*Runtime Library Exception", "Apache-2.0 WITH Swift-exception"),
        (r"Apache License\s+Version 2\.0", "Apache-2.0"),
        (r"Permission is hereby granted, free of charge", "MIT"),
    ]:
        if re.search(pattern, text, re.DOTALL):
            return name
    raise SystemExit("dist: found an unknown licence, expected Apache-2.0 or MIT")


def swift_packages(program):
    """The Swift packages of which a program has objects."""
    release = program.resolve().parent
    objects = (release / f"{program.name}.product" / "Objects.LinkFileList").read_text()
    own = {folder.name for folder in (Path(__file__).parents[2] / "Sources").iterdir()}
    modules = set(re.findall(r"/([^/\s]+)\.build/", objects)) - own
    # Package.resolved may be of another build; the state of the build folder says what was built.
    scratch = next(folder for folder in release.parents if (folder / "workspace-state.json").exists())
    state = json.loads((scratch / "workspace-state.json").read_text())
    for dependency in sorted(state["object"]["dependencies"], key=lambda one: one["packageRef"]["identity"]):
        checkout = scratch / "checkouts" / dependency["subpath"]
        if not any((checkout / folder / module).is_dir() for folder in ["Sources", "."] for module in modules):
            continue
        texts = sorted(checkout.glob("LICENSE*"))[:1] + sorted(checkout.glob("NOTICE*"))
        revision = dependency["state"]["checkoutState"]
        name = dependency["packageRef"]["identity"]
        yield Part(name, revision["version"], licence_of(texts[0].read_text()), f"swift/{name}", tuple(texts),
                   revision["revision"])


def swift_runtime():
    swift = os.environ.get("SWIFT", "swift")
    version = re.search(r"Swift version (\S+)", output(swift, "--version")).group(1)
    folder = Path(output("sh", "-c", 'readlink -f "$(command -v "$0")"', swift)).parents[1]
    return Part("swift-runtime", version, "Apache-2.0 WITH Swift-exception", "generic/swift",
                (folder / "share" / "swift" / "LICENSE.txt",))


def c_libraries(libraries, link_map):
    """The static libraries of which the linker took objects."""
    taken = set(re.findall(r"/lib([^/\s]+)\.a\b", link_map.read_text(errors="replace")))
    for line in (libraries / "parts.tsv").read_text().splitlines():
        name, version, source, licence = line.split("\t")
        if name in taken:
            yield Part(name, version, licence, f"deb/debian/{source}", (libraries / "licences" / f"{name}.txt",))


def parts(program, libraries, link_map):
    """Everything that is linked into a program that SwiftPM has built and Packaging/link has linked again."""
    return [*swift_packages(program), swift_runtime(), *c_libraries(libraries, link_map)]
