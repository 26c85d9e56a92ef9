"""The size of a minimal app with the library AppContent and what Apple's SDKs have."""
import os, re, subprocess, tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
# The symbols of the C libraries of the command-line tool.
LIBRARIES = re.compile(r" (archive_|libdeflate_|XXH|curl_|yaml_)\w*$", re.MULTILINE)


def app_size():
    """Links the example of an app with static libraries of Swift, and prints its size and that of its own code."""
    scratch = os.path.join(ROOT, ".build-app")
    build = ["swift", "build", "-c", "release", "--package-path", f"{ROOT}/Examples/App", "--scratch-path", scratch]
    sizes = {}
    for name, flags in ("shared", []), ("static", ["--static-swift-stdlib"]):
        subprocess.check_call([f"{ROOT}/Scripts/without-libraries", *build, *flags], stdout=subprocess.DEVNULL)
        program = f"{scratch}/release/app-content"
        with tempfile.NamedTemporaryFile() as stripped:
            subprocess.check_call(["strip", "-o", stripped.name, program])
            sizes[name] = os.path.getsize(stripped.name)
        # Linked with static libraries, Foundation of Linux brings a libcurl of its own, which no device has.
        found = set(LIBRARIES.findall(subprocess.check_output(["nm", program], text=True)))
        if name == "shared" and found:
            raise SystemExit(f"bench: the app has symbols of libraries that a device lacks: {sorted(found)}")
    print(f"a minimal app: {sizes['shared'] / 1e6:.1f} MB without Swift's libraries, {sizes['static'] / 1e6:.1f} MB with them")
    return sizes
