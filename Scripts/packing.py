"""Makes packages and stores for measurements."""
import base64, hashlib, json, os, subprocess

from measuring import measure

IDENTITY = ["--product-id", "com.example.bench", "--content-version", "1.0"]


def pack_acceptable(iapkg, content, folder):
    """Makes bench.pkg. Removes refused files first, such as scripts and links out of the folder, and returns their paths."""
    command = [iapkg, "create", "--format", "json", "--contents", content, *IDENTITY, "-o", "bench.pkg"]
    run = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    refused = [finding["path"].removeprefix("Contents/") for finding in json.loads(run.stdout)["findings"]
               if finding["severity"] == "error"]
    for path in refused:
        os.remove(os.path.join(content, path))
    if refused:
        measure(command, folder)
    return refused


def make_store(path, products, releases):
    """Makes an unsigned store. Its packages and indexes are empty files, because publishing does not read them."""
    entries = {}
    for number in range(products):
        name = f"com.example.product{number:05}"
        os.makedirs(os.path.join(path, "products", name))
        os.makedirs(os.path.join(path, "releases", name))
        listed = []
        for minor in reversed(range(releases)):
            digest = hashlib.sha256(f"{name} {minor}".encode()).hexdigest()
            start = f"releases/{name}/1.{minor}-{digest[:16]}"
            references = {key: {"path": start + end, "sha256": digest, "size": 1000}
                          for key, end in (("package", ".pkg"), ("index", ".json"), ("pages", ".pages"))}
            for reference in references.values():
                open(os.path.join(path, reference["path"]), "w").close()
            listed.append({"contentVersion": f"1.{minor}", "channel": "stable", "minimumAppVersion": None,
                           "published": "2026-01-01T00:00:00Z", "withdrawn": None, "contentBytes": 1, "files": 1,
                           **references})
        document = json.dumps({"productIdentifier": name, "releases": listed}).encode()
        digest = hashlib.sha256(document).hexdigest()
        entries[name] = {"contentVersion": listed[0]["contentVersion"], "path": f"products/{name}/{digest}.json",
                         "sha256": digest, "size": len(document)}
        with open(os.path.join(path, entries[name]["path"]), "wb") as file:
            file.write(document)
    payload = json.dumps({"sequence": 1, "published": "2026-01-01T00:00:00Z", "expires": None, "products": entries})
    with open(os.path.join(path, "catalog.json"), "w") as file:
        json.dump({"format": "iapkg-catalog-2", "payload": base64.b64encode(payload.encode()).decode(),
                   "signature": None}, file)
