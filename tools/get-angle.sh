#!/usr/bin/env bash
# Fetches ANGLE and SwiftShader, the WebGL2 of Chromium, for the tests that compile and run shaders.
#
#   tools/get-angle.sh [DIR]      DIR: $ANGLE_DIR, else third_party/angle of this repository
#
# The libraries come out of an npm package. Later versions of it hold stubs in their place, so the version and the
# sums below go together. Needs npm, node and tar; does nothing when the libraries are already there.
set -euo pipefail

package='@sparticuz/chromium@149.0.0'
sums='7fcf30e76b3cd6afc8831b42399a6a77e3af04697f49a9bb42e57b57a751f211  libEGL.so
ab09c04c6c6e5e9ae65e5487fc5d90ee9b4484117374dee0a64ee5c985ff2c17  libGLESv2.so
cbaae39d935d6bf37cc83f825b00a346d332ecf75fd106e5f06351ad0bf740b0  libvk_swiftshader.so
1dc3ea70bae736554c65afe3c512fc58664fe9222ba760f276abbe22e5b659b2  libvulkan.so.1
c9eef28b6b984fec220ef0abfecc40b502d46946706e47bfe97707027cb818bd  vk_swiftshader_icd.json'

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
dir=${1:-${ANGLE_DIR:-$root/third_party/angle}}

verify() { (cd "$1" 2>/dev/null && sha256sum --check --quiet --strict <<<"$sums"); }

if verify "$dir" >/dev/null 2>&1; then
    echo "ANGLE is already in $dir"
    exit 0
fi

for tool in npm node tar sha256sum; do
    command -v "$tool" >/dev/null || { echo "get-angle.sh: $tool is needed and not on PATH" >&2; exit 1; }
done

mkdir -p "$dir"
# Unpacked beside its destination, so that the final move is one of names only.
work=$(mktemp -d "$dir/.fetch.XXXXXX")
trap 'rm -rf "$work"' EXIT

# `npm pack` and not `npm install`: the latter picks another version to suit the version of node.
archive=$(cd "$work" && npm pack --silent "$package")
tar -xzf "$work/$archive" -C "$work" package/bin/swiftshader.tar.br
node -e '
    const { createReadStream, createWriteStream } = require("fs");
    const { createBrotliDecompress } = require("zlib");
    const { pipeline } = require("stream");
    const [from, to] = process.argv.slice(1);
    pipeline(createReadStream(from), createBrotliDecompress(), createWriteStream(to), error => {
        if (error) { console.error(error.message); process.exit(1); }
    });
' "$work/package/bin/swiftshader.tar.br" "$work/libraries.tar"
mkdir "$work/libraries"
tar -xf "$work/libraries.tar" -C "$work/libraries" --no-same-owner

verify "$work/libraries" || { echo "get-angle.sh: the libraries of $package are not the ones expected" >&2; exit 1; }
while read -r _ name; do
    mv -f "$work/libraries/$name" "$dir/$name"
done <<<"$sums"
echo "ANGLE is in $dir"
