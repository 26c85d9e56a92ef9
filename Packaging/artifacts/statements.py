"""The bill of materials of an artifact (CycloneDX 1.5), and the provenance of a release (in-toto, SLSA 1.0)."""
import hashlib
import json
import uuid
from pathlib import Path


def digest(file):
    return hashlib.sha256(Path(file).read_bytes()).hexdigest()


def write(file, document):
    file.write_text(json.dumps(document, indent=2) + "\n")


def bill_of_materials(artifact, name, version, moment, parts):
    """Lists the parts of an artifact, a file of a release."""
    reference = f"pkg:generic/{name}@{version}"
    components = [
        {"type": "library", "bom-ref": f"{part.url}#{part.name}", "name": part.name, "version": part.version,
         "purl": part.url, "licenses": [{"expression": part.licence}]}
        for part in parts
    ]
    return {
        "bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1,
        "serialNumber": "urn:uuid:" + str(uuid.uuid5(uuid.NAMESPACE_URL, reference + digest(artifact))),
        "metadata": {
            "timestamp": moment,
            "component": {
                "type": "application", "bom-ref": reference, "name": name, "version": version,
                "licenses": [{"expression": "MIT"}], "hashes": [{"alg": "SHA-256", "content": digest(artifact)}],
                "properties": [{"name": "iapkg:file", "value": artifact.name}],
            },
        },
        "components": components,
        "dependencies": [{"ref": reference, "dependsOn": [one["bom-ref"] for one in components]}],
    }


def provenance(artifacts, parts, commit):
    """States which files were made of which commit and inputs."""
    inputs = [{"uri": f"git+iapkg@{commit}", "digest": {"gitCommit": commit}}]
    for part in sorted(set(parts), key=lambda one: (one.url, one.name)):
        inputs.append({"uri": part.url, "name": part.name,
                       **({"digest": {"gitCommit": part.commit}} if part.commit else {})})
    return {
        "_type": "https://in-toto.io/Statement/v1",
        "subject": [{"name": file.name, "digest": {"sha256": digest(file)}} for file in artifacts],
        "predicateType": "https://slsa.dev/provenance/v1",
        "predicate": {
            "buildDefinition": {
                "buildType": "https://slsa.dev/container-based-build/v0.1?draft",
                "externalParameters": {"command": "make dist"},
                "resolvedDependencies": inputs,
            },
            "runDetails": {"builder": {"id": "make dist"}},
        },
    }
