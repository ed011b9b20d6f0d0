import { createHash } from "node:crypto"
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync
} from "node:fs"
import { dirname, join, resolve } from "node:path"
import { pathToFileURL } from "node:url"
import { rolldown } from "rolldown"

/** The bundle imports some packages, so it must be in a folder from which Node finds them. */
const cache = resolve("node_modules/.cache/service")
/** Minimum age at which an outdated bundle is removed, because a running process loads some of its files late. */
const kept_ms = 3_600_000

/** Packages that become part of the bundle, because their many modules are loaded at the start. */
const bundled = /^(effect|@effect\/(platform-node|platform-node-shared|sql-pg))($|\/)/

/** Keeps the original path of each module, because a module finds files and programs by paths relative to its own. */
const withPlaces = {
  name: "with-places",
  transform: {
    filter: { code: /import\.meta\.(url|dirname)/ },
    handler: (code: string, id: string) =>
      code
        .replaceAll("import.meta.url", JSON.stringify(pathToFileURL(id).href))
        .replaceAll("import.meta.dirname", JSON.stringify(dirname(id)))
  }
}

const state = () => {
  const digest = createHash("sha256")
  const files = globSync(["package.json", "package-lock.json", "src/**/*.{ts,json}"]).toSorted()
  for (const file of [import.meta.filename, ...files]) {
    digest.update(`${file}\n`).update(readFileSync(file)).update("\n")
  }
  return digest.digest("hex").slice(0, 32)
}

const build = async (folder: string) => {
  mkdirSync(cache, { recursive: true })
  const dir = mkdtempSync(join(cache, "unfinished-"))
  const bundle = await rolldown({
    input: "src/main.ts",
    platform: "node",
    external: (id) => !/^[./]/.test(id) && !bundled.test(id),
    // Keeps modules that are imported only for their side effects, even if their package claims to have none.
    treeshake: { moduleSideEffects: true },
    plugins: [withPlaces],
    logLevel: "warn"
  })
  await bundle.write({ dir, format: "esm", entryFileNames: "[name].mjs", chunkFileNames: "[name]-[hash].mjs" })
  await bundle.close()
  // The rename is atomic, so no process reads half a bundle. It fails if another process has already made this bundle.
  try {
    renameSync(dir, folder)
  } catch (error) {
    rmSync(dir, { recursive: true })
    if (!existsSync(folder)) throw error
  }
  for (const name of readdirSync(cache)) {
    const other = join(cache, name)
    if (other !== folder && Date.now() - statSync(other).mtimeMs > kept_ms) rmSync(other, { recursive: true })
  }
}

/**
 * Bundles most of the 1,600 modules that the service loads, which halves the processor time of its start. Returns the
 * path of the bundle. An unchanged service is not bundled again.
 */
export const bundledService = async (): Promise<string> => {
  const folder = join(cache, state())
  if (!existsSync(folder)) await build(folder)
  return join(folder, "main.mjs")
}
