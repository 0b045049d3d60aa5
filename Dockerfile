# One image for server and workers: Node, git, bubblewrap, Python with pytest, and nothing to build with.
FROM node:24-bookworm-slim AS build
WORKDIR /build
COPY package.json package-lock.json ./
# The build runs below; `node` is the image's own.
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
RUN node scripts/build.mjs && npm prune --omit=dev --ignore-scripts --no-audit --no-fund

FROM node:24-bookworm-slim
RUN apt-get update \
  && apt-get install -y --no-install-recommends \
    bubblewrap ca-certificates git python3 python3-hypothesis python3-pytest tini \
  && rm -rf /var/lib/apt/lists/* \
  && useradd --uid 10001 --create-home --home-dir /home/miracle miracle \
  && mkdir /data /projects \
  && chown miracle:miracle /data /projects
WORKDIR /opt/miracle
COPY --from=build /build/package.json ./
COPY --from=build /build/bin ./bin
COPY --from=build /build/config ./config
COPY --from=build /build/dist ./dist
COPY --from=build /build/node_modules ./node_modules
RUN ln -s /opt/miracle/bin/miracle.js /usr/local/bin/miracle
ENV MIRACLE_HOME=/data NODE_ENV=production
USER miracle
WORKDIR /projects
VOLUME ["/data", "/projects"]
EXPOSE 8000
# tini hands SIGTERM on and buries what sandboxes leave.
ENTRYPOINT ["tini", "--", "miracle"]
CMD ["serve", "--host", "0.0.0.0"]
