#!/bin/sh
# Fills the fuzzers' corpora from the committed fixtures and the templates of packs.
set -eu
cd "$(dirname "$0")"
for target in container decoder translator spirv pack_descriptor pack_shader; do
    mkdir -p "corpus/$target"
done
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
template = "../crates/renderpack/src/template"
for path in glob.glob("../fixtures/spirv/spv/*.spv") + glob.glob(template + "/shaders/*.spv"):
    data = open(path, "rb").read()
    put("spirv", data)
    # The first byte chooses role and stage.
    for choice in (0, 1, 4, 14, 128, 130, 134, 142):
        put("pack_shader", bytes([choice]) + data)
for path in glob.glob(template + "/*.json"):
    put("pack_descriptor", open(path, "rb").read())
PY
