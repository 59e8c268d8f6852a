#!/bin/sh
# Fills the fuzzers' corpora from the committed fixtures.
set -eu
cd "$(dirname "$0")"
mkdir -p corpus/container corpus/decoder corpus/translator
python3 - <<'PY'
import glob, hashlib, os, struct
def put(target, data):
    open(os.path.join("corpus", target, hashlib.sha1(data).hexdigest()), "wb").write(data)
for path in glob.glob("../fixtures/dxbc/*.dxbc"):
    data = open(path, "rb").read()
    put("container", data)
    put("translator", bytes([len(data) & 255]) + data)
    count, = struct.unpack_from("<I", data, 28)
    for offset in struct.unpack_from(f"<{count}I", data, 32):
        if data[offset:offset + 4] in (b"SHDR", b"SHEX"):
            size, = struct.unpack_from("<I", data, offset + 4)
            put("decoder", data[offset + 8:offset + 8 + size])
PY
