"""Writes an OCI image: a layout (OCI Image Format 1.1) in one tar, with the standard library alone, the same bytes for the same files.

oci.py write OUTPUT --deb OWN --debs FOLDER --roots NAME… --configuration FILE --version VERSION --revision COMMIT
oci.py unpack LAYOUT FOLDER   checks every digest and size, writes the files into FOLDER/rootfs and the configuration to FOLDER/config.json

The first layer is a small Debian: the roots and what they depend on, without what only their maintainers' scripts need, documents and
translations. The second is Ostiary. No script of a package is run; what one would have made and the server needs is made here.
"""

import argparse
import datetime
import gzip
import hashlib
import io
import json
import os
import pathlib
import re
import subprocess
import sys
import tarfile

USER, NAME, HOME = 10001, "ostiary", "/var/lib/ostiary"
EPOCH = int(os.environ.get("SOURCE_DATE_EPOCH", "0"))
# Maintainers' scripts need these; the server doesn't.
LEFT_OUT = {"adduser", "awk", "debconf", "dpkg", "openssl", "passwd", "perl-base", "tar"}
# What only people at a terminal read. Copyrights stay.
UNREAD = re.compile(
    r"usr/share/(man|info|locale|lintian|bug|bash-completion|zsh|fish|menu|doc-base|debconf)(/|$)"
    r"|usr/share/doc/(?!.*/copyright$)|usr/lib/systemd/|usr/sbin/(ldconfig|update-ca-certificates)$")
MERGED = ("bin", "lib", "lib64", "sbin")
TYPES = {
    "index": "application/vnd.oci.image.index.v1+json",
    "manifest": "application/vnd.oci.image.manifest.v1+json",
    "config": "application/vnd.oci.image.config.v1+json",
    "layer": "application/vnd.oci.image.layer.v1.tar+gzip",
}


def as_json(value):
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode()


class Layer:
    """Files by their paths, as a tar that does not depend on their order or on the clock."""

    def __init__(self):
        self.members = {}

    def add(self, path, kind, *, mode, data=b"", link="", owner=0):
        info = tarfile.TarInfo(path)
        info.type, info.mode, info.linkname, info.size = kind, mode, link, len(data)
        info.uid = info.gid = owner
        info.mtime = EPOCH
        self.members[path] = (info, data)

    def folder(self, path, mode=0o755, owner=0):
        self.add(path, tarfile.DIRTYPE, mode=mode, owner=owner)

    def file(self, path, data, mode=0o644, owner=0):
        self.add(path, tarfile.REGTYPE, mode=mode, data=data, owner=owner)

    def link(self, path, target):
        self.add(path, tarfile.SYMTYPE, mode=0o777, link=target)

    def take(self, package):
        """All files of a Debian package that are needed to run what is in it."""
        listing = subprocess.run(["dpkg-deb", "--fsys-tarfile", package], check=True, capture_output=True).stdout
        with tarfile.open(fileobj=io.BytesIO(listing)) as archive:
            for member in archive:
                path = merged(member.name)
                # What an earlier package or this program has put there counts: /lib is a link, and a folder keeps its mode.
                if not path or UNREAD.search(path) or (member.isdir() and path in self.members):
                    continue
                data = archive.extractfile(member).read() if member.isreg() else b""
                link = merged(member.linkname) if member.islnk() else member.linkname
                self.add(path, member.type, mode=member.mode, data=data, link=link, owner=member.uid)
                self.members[path][0].gid = member.gid

    def tar(self):
        """Every folder before what is in it, links to files after the files."""
        for path in list(self.members):
            for parent in pathlib.PurePosixPath(path).parents:
                if str(parent) != "." and str(parent) not in self.members:
                    self.folder(str(parent))
        output = io.BytesIO()
        with tarfile.open(fileobj=output, mode="w", format=tarfile.PAX_FORMAT) as archive:
            for path in sorted(self.members, key=lambda path: (self.members[path][0].islnk(), path)):
                info, data = self.members[path]
                archive.addfile(info, io.BytesIO(data))
        return output.getvalue()


def merged(path):
    """A path of a package where /lib and the like are links into /usr."""
    parts = [part for part in path.split("/") if part not in ("", ".")]
    return "/".join((["usr"] if parts and parts[0] in MERGED else []) + parts)


def field(package, name):
    return subprocess.run(["dpkg-deb", "--field", package, name], check=True, capture_output=True, text=True).stdout.strip()


def needed(roots, debs):
    """The packages that the roots lead to, by their names: the first of several that is there."""
    known = {field(path, "Package"): path for path in debs}
    found, open_ = {}, list(roots)
    while open_:
        names = open_.pop()
        name = next((name for name in names.split("|") if name in known), None)
        if name is None:
            sys.exit(f"there is no package {names}")
        if name in found:
            continue
        found[name] = known[name]
        for depends in (field(known[name], "Pre-Depends"), field(known[name], "Depends")):
            for choice in filter(None, depends.split(",")):
                names = [re.sub(r"[ (:].*", "", part.strip()) for part in choice.split("|")]
                if not LEFT_OUT & set(names):
                    open_.append("|".join(names))
    return dict(sorted(found.items()))


def debian(packages):
    """The layer with the small Debian."""
    layer = Layer()
    for name in MERGED:
        layer.folder(f"usr/{name}")
        layer.link(name, f"usr/{name}")
    for folder in ("dev", "proc", "sys", "run", "home", "root", "etc", "var/lib"):
        layer.folder(folder, 0o700 if folder == "root" else 0o755)
    layer.folder("tmp", 0o1777)
    layer.folder("var/tmp", 0o1777)
    for name, path in packages.items():
        layer.take(path)
        # Scanners read there what is installed.
        layer.file(f"var/lib/dpkg/status.d/{name}", subprocess.run(
            ["dpkg-deb", "--field", path], check=True, capture_output=True).stdout)
    people = f"root:x:0:0:root:/root:/usr/sbin/nologin\n{NAME}:x:{USER}:{USER}:Ostiary:{HOME}:/usr/sbin/nologin\n"
    people += "nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin\n"
    layer.file("etc/passwd", people.encode())
    layer.file("etc/group", f"root:x:0:\n{NAME}:x:{USER}:\nnogroup:x:65534:\n".encode())
    layer.file("etc/nsswitch.conf", b"passwd: files\ngroup: files\nhosts: files dns\n")
    # As update-ca-certificates puts it together.
    authorities = sorted(path for path in layer.members if re.fullmatch(r"usr/share/ca-certificates/.*\.crt", path))
    bundle = b"".join(layer.members[path][1].rstrip(b"\n") + b"\n" for path in authorities)
    layer.file("etc/ssl/certs/ca-certificates.crt", bundle)
    return layer


def service(deb, configuration):
    """The layer with Ostiary."""
    layer = Layer()
    layer.take(deb)
    layer.file("etc/ostiary/ostiary.json", pathlib.Path(configuration).read_bytes())
    layer.folder(HOME.lstrip("/"), 0o700, USER)
    layer.folder("run/secrets")
    layer.file("var/lib/dpkg/status.d/ostiary", subprocess.run(
        ["dpkg-deb", "--field", deb], check=True, capture_output=True).stdout)
    return layer


def write(options):
    blobs = {}

    def blob(data, kind):
        digest = hashlib.sha256(data).hexdigest()
        blobs[digest] = data
        return {"mediaType": TYPES[kind], "digest": f"sha256:{digest}", "size": len(data)}

    debs = sorted(pathlib.Path(options.debs).glob("*.deb"))
    roots = set(options.roots)
    for choice in field(options.deb, "Depends").split(","):
        names = [re.sub(r"[ (:].*", "", part.strip()) for part in choice.split("|")]
        if not LEFT_OUT & set(names):
            roots.add("|".join(names))
    packages = needed(sorted(roots), debs)
    layers, descriptors, ids = [debian(packages).tar(), service(options.deb, options.configuration).tar()], [], []
    for tar in layers:
        ids.append("sha256:" + hashlib.sha256(tar).hexdigest())
        descriptors.append(blob(gzip.compress(tar, 6, mtime=0), "layer"))
    architecture = field(options.deb, "Architecture")
    created = datetime.datetime.fromtimestamp(EPOCH, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    labels = {
        "org.opencontainers.image.title": "ostiary",
        "org.opencontainers.image.description": "The server that signs users in",
        "org.opencontainers.image.licenses": "Apache-2.0",
        "org.opencontainers.image.version": options.version,
        "org.opencontainers.image.revision": options.revision,
        "org.opencontainers.image.created": created,
    }
    config = {
        "created": created, "architecture": architecture, "os": "linux",
        "config": {
            "User": f"{USER}:{USER}",
            "ExposedPorts": {"8080/tcp": {}},
            "Env": [
                "PATH=/usr/sbin:/usr/bin", "LANG=C.UTF-8", f"HOME={HOME}", f"OSTIARY_HOME={HOME}",
                # Secrets that are mounted there are taken as those that systemd hands over.
                "CREDENTIALS_DIRECTORY=/run/secrets",
            ],
            "Entrypoint": ["/usr/bin/ostiary"],
            "Cmd": ["serve", "--configuration", "/etc/ostiary/ostiary.json"],
            "Volumes": {HOME: {}},
            "WorkingDir": "/",
            "StopSignal": "SIGTERM",
            "Labels": labels,
        },
        "rootfs": {"type": "layers", "diff_ids": ids},
        "history": [
            {"created": created, "created_by": "Debian: " + " ".join(packages)},
            {"created": created, "created_by": f"ostiary {options.version}"},
        ],
    }
    described = blob(as_json(config), "config")
    manifest = {
        "schemaVersion": 2, "mediaType": TYPES["manifest"], "config": described, "layers": descriptors, "annotations": labels,
    }
    entry = blob(as_json(manifest), "manifest")
    tag = re.sub(r"[^A-Za-z0-9_.-]", "-", options.version)
    entry["platform"] = {"architecture": architecture, "os": "linux"}
    entry["annotations"] = {
        "org.opencontainers.image.ref.name": tag, "io.containerd.image.name": f"localhost/ostiary:{tag}",
    }
    layout = Layer()
    layout.file("oci-layout", as_json({"imageLayoutVersion": "1.0.0"}))
    layout.file("index.json", as_json({"schemaVersion": 2, "mediaType": TYPES["index"], "manifests": [entry]}))
    # `docker load` of before version 25 reads this file, and the same blobs.
    named = lambda descriptor: "blobs/sha256/" + descriptor["digest"].removeprefix("sha256:")
    layout.file("manifest.json", as_json([
        {"Config": named(described), "RepoTags": [f"localhost/ostiary:{tag}"], "Layers": [named(each) for each in descriptors]}]))
    for digest, data in blobs.items():
        layout.file(f"blobs/sha256/{digest}", data)
    pathlib.Path(options.output).write_bytes(layout.tar())
    print(entry["digest"], sum(len(tar) for tar in layers) >> 20, "MiB unpacked")


def unpack(options):
    with tarfile.open(options.layout) as archive:
        files = {member.name: archive.extractfile(member).read() for member in archive if member.isreg()}
    checked = set()

    def read(descriptor, kind):
        if descriptor["mediaType"] != TYPES[kind]:
            sys.exit(f"{descriptor['mediaType']} is no {kind}")
        digest = descriptor["digest"].removeprefix("sha256:")
        data = files[f"blobs/sha256/{digest}"]
        if hashlib.sha256(data).hexdigest() != digest or len(data) != descriptor["size"]:
            sys.exit(f"{descriptor['digest']} is not what the layout says of it")
        checked.add(f"blobs/sha256/{digest}")
        return data

    if json.loads(files["oci-layout"]) != {"imageLayoutVersion": "1.0.0"}:
        sys.exit("this is no layout")
    index = json.loads(files["index.json"])
    if len(index["manifests"]) != 1:
        sys.exit("one image was expected")
    manifest = json.loads(read(index["manifests"][0], "manifest"))
    config = json.loads(read(manifest["config"], "config"))
    if config["rootfs"]["type"] != "layers" or len(config["rootfs"]["diff_ids"]) != len(manifest["layers"]):
        sys.exit("the configuration has other layers than the manifest")
    folder = pathlib.Path(options.folder)
    for descriptor, identity in zip(manifest["layers"], config["rootfs"]["diff_ids"]):
        tar = gzip.decompress(read(descriptor, "layer"))
        if "sha256:" + hashlib.sha256(tar).hexdigest() != identity:
            sys.exit(f"{descriptor['digest']} does not unpack to {identity}")
        with tarfile.open(fileobj=io.BytesIO(tar)) as archive:
            names = archive.getnames()
            if names != list(dict.fromkeys(names)) or any(name.startswith("/") or ".." in name.split("/") for name in names):
                sys.exit("a layer has a name twice, or one that leads out of it")
            archive.extractall(folder / "rootfs", **({"filter": "tar"} if hasattr(tarfile, "tar_filter") else {}))
    left = {name for name in files if name.startswith("blobs/")} - checked
    if left:
        sys.exit(f"nothing leads to {sorted(left)}")
    (folder / "config.json").write_bytes(as_json(config))
    print(index["manifests"][0]["digest"])


def main():
    parser = argparse.ArgumentParser()
    commands = parser.add_subparsers(required=True)
    writing = commands.add_parser("write")
    writing.set_defaults(do=write)
    writing.add_argument("output")
    for name in ("deb", "debs", "configuration", "version", "revision"):
        writing.add_argument(f"--{name}", required=True)
    writing.add_argument("--roots", nargs="*", default=[])
    unpacking = commands.add_parser("unpack")
    unpacking.set_defaults(do=unpack)
    unpacking.add_argument("layout")
    unpacking.add_argument("folder")
    options = parser.parse_args()
    options.do(options)


main()
