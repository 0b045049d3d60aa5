# An image for the sandbox: `sandbox: { backend: docker, image: miracle-sandbox }` in ~/.config/miracle/settings.yaml.
# Without an image a container shows this machine's own interpreters, read-only.
#   docker build -t miracle-sandbox .
FROM debian:12-slim
RUN apt-get update \
 && apt-get install -y --no-install-recommends \
      python3 python3-pytest python3-hypothesis python3-pandas nodejs golang-go git ca-certificates \
 && rm -rf /var/lib/apt/lists/*
# Nothing of ours is in it: the supervisor comes with each run, and the user is chosen there.
WORKDIR /workspace
