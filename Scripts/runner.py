"""Imitates a GitHub runner, for the action in Examples/github. Usage: runner.py PLACE

PLACE contains the root folder `system` with the repository in it, the folder `site` for a web server with a release, and
`key.pub`, the public key of the release. The script adds a program gh to the system, which stores comments as files.
"""
import functools
import hashlib
import http.server
import json
import re
import shutil
import subprocess
import sys
import threading
from pathlib import Path

import yaml

PLACE = Path(sys.argv[1])
SYSTEM = PLACE / "system"
# Instead of the filter of `gh api --jq`, the script itself selects the comment with the mark of the action.
GH = r"""#!/bin/bash
set -euo pipefail
all="$*"
[ -n "$GH_TOKEN" ] || exit 4
case "$all" in
  "api --paginate repos/owner/app/issues/7/comments --jq "*)
    for file in /comments/*; do [ ! -e "$file" ] || ! grep -q '^<!-- iapkg -->' "$file" || basename "$file"; done ;;
  "api --method POST repos/owner/app/issues/7/comments --raw-field body="*)
    printf '%s\n' "${all#*--raw-field body=}" >"/comments/$(($(ls /comments | wc -l) + 1))" ;;
  "api --method PATCH repos/owner/app/issues/comments/"*)
    printf '%s\n' "${all#*--raw-field body=}" >"/comments/$(sed -E 's|.*comments/([0-9]+) .*|\1|;q' <<<"$all")" ;;
  *) echo "gh: unexpected $all" >&2; exit 1 ;;
esac
"""


class Handler(http.server.SimpleHTTPRequestHandler):
    requests = []

    def log_request(self, code="-", size="-"):
        self.requests.append(self.path)

    def log_message(self, *_):
        pass


class Runner:
    def __init__(self, address):
        self.address = address
        self.action = yaml.safe_load((SYSTEM / "repository/Examples/github/action.yml").read_text())
        for folder in ["workspace", "comments", "temporary"]:
            (SYSTEM / folder).mkdir()
        program = SYSTEM / "usr/local/bin/gh"
        program.write_text(GH)
        program.chmod(0o755)

    def run(self, **given):
        """Runs the steps, and returns the exit code of the first failed step, the printed text, and the outputs."""
        inputs = {name: str(one.get("default", "")) for name, one in self.action["inputs"].items()}
        inputs |= {name.replace("_", "-"): value for name, value in given.items()}
        values = {f"inputs.{name}": value for name, value in inputs.items()} | {
            "runner.temp": "/temporary", "runner.os": "Linux", "runner.arch": "X64", "github.token": "token",
            "github.event.pull_request.number": "7", "github.event_name": "pull_request"}
        for name in ["path", "output"]:
            (SYSTEM / "temporary" / name).write_text("")
        code, text, uploads = 0, "", []
        for step in self.action["runs"]["steps"]:
            if not self.applies(step.get("if", ""), values, code):
                continue
            if "uses" in step:
                uploads += [self.expand(value, values) for key, value in step["with"].items() if key == "sarif_file"]
                continue
            variables = {name: self.expand(str(value), values) for name, value in step.get("env", {}).items()}
            path = ":".join((SYSTEM / "temporary/path").read_text().split() + ["/usr/local/bin:/usr/bin:/bin"])
            variables |= {
                "PATH": path, "HOME": "/root", "GITHUB_ACTIONS": "true", "GITHUB_ACTION_PATH": "/repository/Examples/github",
                "GITHUB_PATH": "/temporary/path", "GITHUB_OUTPUT": "/temporary/output", "GITHUB_REPOSITORY": "owner/app",
                "GITHUB_STEP_SUMMARY": "/temporary/summary"}
            # The runner's shell: bash (GitHub, workflow syntax, jobs.<job_id>.steps[*].shell).
            done = subprocess.run(
                ["chroot", SYSTEM, "/usr/bin/env", "-i", "-C", "/workspace",
                 *(f"{name}={value}" for name, value in variables.items()),
                 "bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
            text += done.stdout
            code = code or done.returncode
        outputs = dict(line.split("=", 1) for line in (SYSTEM / "temporary/output").read_text().splitlines())
        for upload in uploads:
            # A job that failed before its report uploads no report.
            if not (SYSTEM / "workspace" / upload).exists() and code in (64, 69, 76):
                continue
            assert json.loads((SYSTEM / "workspace" / upload).read_text())["version"] == "2.1.0"
        return code, text, outputs

    @staticmethod
    def expand(text, values):
        return re.sub(r"\$\{\{ *([\w.-]+) *\}\}", lambda found: values[found[1]], text)

    @staticmethod
    def applies(condition, values, code):
        parts = [part.strip() for part in condition.split("&&") if part.strip()]
        if "always()" not in parts and code:
            return False
        for part in parts:
            if part != "always()":
                name, operator, value = re.fullmatch(r"([\w.-]+) (==|!=) '([^']*)'", part).groups()
                if (values[name] == value) != (operator == "=="):
                    return False
        return True

    def comments(self):
        return [file.read_text() for file in sorted((SYSTEM / "comments").iterdir())]


def expect(condition, *shown):
    if not condition:
        raise SystemExit("try-action: " + "\n".join(str(one) for one in shown))


def main():
    handler = functools.partial(Handler, directory=PLACE / "site")
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{server.server_port}"
    runner = Runner(address)
    signers = "release@example.com " + (PLACE / "key.pub").read_text().strip()
    release = {"release_url": f"{address}/release", "signers": signers}
    content = SYSTEM / "workspace/Content"
    for product in ["book", "atlas"]:
        (content / product / "Contents").mkdir(parents=True)
        (content / product / "Contents/text").write_text(product)
        (content / product / "ContentInfo.plist").write_text(
            '<?xml version="1.0" encoding="UTF-8"?>\n<plist version="1.0"><dict><key>ContentVersion</key><string>1.0</string>'
            f"<key>IAPProductIdentifier</key><string>com.example.{product}</string></dict></plist>\n")

    code, text, _ = runner.run(folders="Content/*", release_url=release["release_url"])
    expect(code == 64, "a release without a signature or digest was used", code, text)
    code, text, _ = runner.run(folders="Content/*", **release | {"signers": signers.replace("AAAAI", "AAAAJ")})
    expect(code == 76, "a release of another signer was used", code, text)
    expect(not runner.comments(), "there is a comment without a report")

    (SYSTEM / "root/.cache").exists() and shutil.rmtree(SYSTEM / "root/.cache")
    archive = next((PLACE / "site/release").glob("*.tar.gz"))
    good = archive.read_bytes()
    archive.write_bytes(good[:-100] + bytes(100))
    code, text, _ = runner.run(folders="Content/*", **release)
    expect(code == 76 and "is not what SHA256SUMS names" in text, "a changed archive was used", code, text)
    archive.write_bytes(good)

    code, text, outputs = runner.run(folders="Content/*", output="packages", **release)
    expect(code == 0, "the action failed", code, text)
    expect(outputs["packages"] == "packages/com.example.atlas-1.0.pkg packages/com.example.book-1.0.pkg", outputs)
    expect(len(runner.comments()) == 1 and runner.comments()[0].count("\n| com") == 2, runner.comments())
    expect((SYSTEM / "workspace/iapkg.html").exists(), "there is no page")
    fetched = [path for path in Handler.requests if path.endswith(".tar.gz")]

    # Publishes the packages. Then one product changes, and its version is not raised.
    (SYSTEM / "temporary/path").write_text("")
    program = next((SYSTEM / "root/.cache/iapkg").glob("*/*/bin/iapkg"))
    subprocess.run([
        "chroot", SYSTEM, "/" + str(program.relative_to(SYSTEM)), "publish", *(f"/workspace/{one}" for one in
                                                                             outputs["packages"].split()),
        "--to", "/workspace/store", "--quiet"], check=True)
    shutil.move(SYSTEM / "workspace/store", PLACE / "site/store")
    (content / "book/Contents/text").write_text("new")
    before = runner.comments()
    code, text, outputs = runner.run(folders="Content/*", store_url=f"{address}/store", **release)
    expect(code == 1 and "version/not-raised" in text, "changed content was accepted", code, text)
    expect(len(runner.comments()) == 1 and runner.comments() != before, "the comment was not updated", runner.comments())
    code, text, outputs = runner.run(
        folders="Content", store_url=f"{address}/store", version_policy="bump", sha256=hashlib.sha256(good).hexdigest(), **release)
    expect(code == 0 and "com.example.book-1.1.pkg" in outputs["packages"], "no version was raised", code, text)
    expect(fetched == [path for path in Handler.requests if path.endswith(".tar.gz")], "the archive was fetched again")
    print("try-action: all runs of the action had the expected results")


main()
