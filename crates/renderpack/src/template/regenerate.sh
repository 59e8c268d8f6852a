#!/bin/bash
# Compiles the sources of the templates again, against the header that the ABI's table gives.
# Needs glslangValidator and cargo.
set -eu
cd "$(dirname "$0")"
for source in src/*.vert src/*.frag; do [ -e "shaders/$(basename "$source").spv" ] || : >"shaders/$(basename "$source").spv"; done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp src/* "$work/"
cargo run -q -p shaderport-renderpack --example print_abi glsl >"$work/pack_abi.glsl"
for source in src/*.vert src/*.frag; do
    name=$(basename "$source")
    glslangValidator -V --target-env vulkan1.3 -I"$work" -o "shaders/$name.spv" "$work/$name" >"$work/log" || { cat "$work/log"; exit 1; }
done
