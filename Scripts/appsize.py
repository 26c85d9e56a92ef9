"""Measures the size of a minimal app with the library AppContent and only the libraries of Apple's SDKs."""
import os, re, subprocess, tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
# The symbols of the C libraries of the command-line tool.
LIBRARIES = re.compile(r" (archive_|libdeflate_|XXH|curl_|yaml_)\w*$", re.MULTILINE)


def app_size():
    """Builds the example of an app with shared and with static Swift libraries, and prints both sizes."""
    scratch = os.path.join(ROOT, ".build-app")
    build = ["swift", "build", "-c", "release", "--package-path", f"{ROOT}/Examples/App", "--scratch-path", scratch]
    sizes = {}
    for name, flags in ("shared", []), ("static", ["--static-swift-stdlib"]):
        subprocess.check_call([f"{ROOT}/Scripts/without-libraries", *build, *flags], stdout=subprocess.DEVNULL)
        program = f"{scratch}/release/app-content"
        with tempfile.NamedTemporaryFile() as stripped:
            subprocess.check_call(["strip", "-o", stripped.name, program])
            sizes[name] = os.path.getsize(stripped.name)
        # With static libraries, Foundation on Linux includes its own libcurl, which no device has.
        found = set(LIBRARIES.findall(subprocess.check_output(["nm", program], text=True)))
        if name == "shared" and found:
            raise SystemExit(f"bench: the app has symbols of libraries that a device lacks: {sorted(found)}")
    print(f"a minimal app: {sizes['shared'] / 1e6:.1f} MB without Swift's libraries, {sizes['static'] / 1e6:.1f} MB with them")
    return sizes
