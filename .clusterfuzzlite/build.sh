#!/bin/bash -eu
# Builds all targets into $OUT, with seed corpora, dictionaries and libFuzzer's options, the way ClusterFuzzLite wants them.
source ci/tools
ci/setup fuzz
source fuzz/common
export RUSTUP_TOOLCHAIN=$rust
# Not with the image's flags for C++, which want its own standard library.
unset CFLAGS CXXFLAGS
build_targets . "$built"
make_seeds
for folder in fuzz/regressions/*; do
  target=$(basename "$folder")
  cp "$built/$triple/release/$target" "$OUT/"
  zip -q -j "$OUT/${target}_seed_corpus.zip" "fuzz/corpus/$target"/* "$folder"/*
  printf '[libfuzzer]\nmalloc_limit_mb = 32\ntimeout = 20\n' >"$OUT/$target.options"
  if [ -f "fuzz/dictionaries/$target.dict" ]; then cp "fuzz/dictionaries/$target.dict" "$OUT/"; fi
done
