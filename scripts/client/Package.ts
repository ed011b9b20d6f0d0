import { execFileSync } from "node:child_process"
import { createHash } from "node:crypto"
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { rolldown } from "rolldown"
import { openApiText } from "../openapi.ts"
import { writeDeclarations } from "./Declarations.ts"
import { writeTypes } from "./Types.ts"

const entries = { fetch: "src/client/Invoicing.ts", effect: "src/client/effect/EffectClient.ts" }
const build_folder = "node_modules/.cache"

export const buildPackage = async (): Promise<string> => {
  mkdirSync(build_folder, { recursive: true })
  // The folder is on the same disk as the finished tarball, so that a rename can move it.
  const folder = mkdtempSync(resolve(build_folder, "client-"))
  try {
    await writeTypes()
    const packages = await writeJavaScript(join(folder, "dist"))
    writeDeclarations(Object.values(entries), join(folder, "dist/types"))
    writeFileSync(join(folder, "package.json"), JSON.stringify(manifest(), null, 2))
    writeFileSync(join(folder, "THIRD-PARTY-LICENSES"), licences([...packages, "openapi-typescript-helpers"]))
    copyFileSync("LICENSE", join(folder, "LICENSE"))
    copyFileSync("src/client/README.md", join(folder, "README.md"))
    const options = { cwd: folder, encoding: "utf8" } as const
    const name = execFileSync("npm", ["pack", "--ignore-scripts", "--silent"], options).trim()
    const tarball = `${folder}.tgz`
    copyFileSync(join(folder, name), tarball)
    return tarball
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Functions whose calls have no side effects; without this list the bundler would keep unused values of the server. */
const pure_functions = [
  "compiled",
  "refusal",
  "BigDecimal",
  "Context",
  "Data",
  "DateTime",
  "Effect",
  "HttpApiEndpoint"
].concat(["HttpApiGroup", "HttpApiMiddleware", "HttpApiSchema", "Schema", "SchemaGetter", "Stream", "Struct"])

/** Bundler plugin that leaves out the code that completes the OpenAPI document, which the client never needs. */
const withoutDocument = {
  name: "without-document",
  load: (id: string) =>
    id.endsWith("/src/ApiDocument.ts") ? "export const completed = (document) => document" : undefined
}

/** Bundles the entry files, and returns the names of the npm packages that the bundles contain. */
const writeJavaScript = async (dir: string): Promise<ReadonlyArray<string>> => {
  const bundle = await rolldown({
    input: entries,
    platform: "neutral",
    resolve: { mainFields: ["module", "main"] },
    external: /^effect(?:\/|$)/,
    treeshake: { moduleSideEffects: false, manualPureFunctions: pure_functions },
    plugins: [withoutDocument],
    logLevel: "warn"
  })
  const { output } = await bundle.write({ dir, format: "esm", chunkFileNames: "[name].js" })
  await bundle.close()
  const modules = output.flatMap((file) => (file.type === "chunk" ? Object.keys(file.modules) : []))
  const names = modules.map((path) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1])
  return [...new Set(names.filter((name) => name !== undefined))].toSorted()
}

/**
 * Makes the package.json of the client. The version changes with the API, because npm caches packages by name and
 * version.
 */
const manifest = () => {
  const own = JSON.parse(readFileSync("package.json", "utf8"))
  const contract = createHash("sha256").update(openApiText()).digest("hex").slice(0, 12)
  return {
    name: "invoicing-client",
    version: `${own.version}-contract-${contract}`,
    description: "A typed client of the invoicing service, on plain fetch or for Effect.",
    license: own.license,
    type: "module",
    sideEffects: false,
    exports: {
      ".": { types: "./dist/types/client/Invoicing.d.ts", default: "./dist/fetch.js" },
      "./effect": { types: "./dist/types/client/effect/EffectClient.d.ts", default: "./dist/effect.js" },
      "./package.json": "./package.json"
    },
    files: ["dist", "THIRD-PARTY-LICENSES"],
    engines: { node: ">=20" },
    peerDependencies: { effect: `^${own.dependencies.effect}` },
    peerDependenciesMeta: { effect: { optional: true } }
  }
}

const licences = (packages: ReadonlyArray<string>): string =>
  packages.map((name) => `${name}\n\n${licenceOf(`node_modules/${name}`)}`).join(`\n${"-".repeat(80)}\n\n`)

const licence_files = ["LICENSE", "LICENSE.md", "license", "LICENSE.txt", "LICENCE"]

const licenceOf = (folder: string): string => {
  for (const file of licence_files) {
    try {
      return readFileSync(join(folder, file), "utf8")
    } catch {
      // The package has no licence file of this name, so the next name is tried.
    }
  }
  const { author, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))
  return `${license}, ${typeof author === "string" ? author : (author?.name ?? "")}\n`
}
