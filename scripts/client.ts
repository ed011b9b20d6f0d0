/**
 * Prints the path of the client's tarball, and builds it first if it is missing or outdated. Docker images contain it.
 */
import { createHash } from "node:crypto"
import { existsSync, globSync, mkdirSync, readFileSync, renameSync } from "node:fs"
import { resolve } from "node:path"

const folder = "node_modules/.cache/invoicing-client"

const state = () => {
  const digest = createHash("sha256")
  const files = globSync(["package.json", "LICENSE", "src/**/*.{ts,md}", "scripts/openapi.ts", "scripts/client/*.ts"])
  for (const file of files.toSorted()) {
    if (!file.endsWith(".d.ts")) digest.update(`${file}\n`).update(readFileSync(file)).update("\n")
  }
  return digest.digest("hex").slice(0, 32)
}

process.chdir(resolve(import.meta.dirname, ".."))
const tarball = resolve(folder, `${state()}.tgz`)
if (!existsSync(tarball)) {
  const { buildPackage } = await import("./client/Package.ts")
  const built = await buildPackage()
  mkdirSync(folder, { recursive: true })
  // A rename is atomic, so another process never reads an incomplete tarball.
  renameSync(built, tarball)
}
console.log(tarball)
