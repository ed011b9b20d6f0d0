/**
 * Completes package-lock.json after `npm install`: a registry mirror may lack optional packages of other platforms,
 * which npm then omits, so that `npm ci` refuses the file.
 */
import { readFileSync, writeFileSync } from "node:fs"

interface LockEntry {
  readonly version?: string
  readonly optionalDependencies?: Record<string, string>
}

const platforms = ["aix", "android", "darwin", "freebsd", "linux", "netbsd", "openbsd", "openharmony", "sunos", "win32"]
const architectures = ["arm64", "arm", "ia32", "loong64", "mips64el", "ppc64", "riscv64", "s390x", "x64"]

const lock: { packages: Record<string, LockEntry> } = JSON.parse(readFileSync("package-lock.json", "utf8"))
const added: Array<string> = []
for (const entry of Object.values(lock.packages)) {
  for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
    const path = `node_modules/${name}`
    if (path in lock.packages || !/^\d/.test(version)) continue
    const words = name.split(/[-/]/)
    const system = platforms.find((platform) => words.includes(platform))
    if (system === undefined) throw new Error(`${name} names no platform, so the lock file cannot be completed for it`)
    const cpu = architectures.find((architecture) => words.includes(architecture))
    lock.packages[path] = {
      version,
      ...(cpu === undefined ? {} : { cpu: [cpu] }),
      optional: true,
      os: [system]
    } as LockEntry
    added.push(name)
  }
}
lock.packages = Object.fromEntries(Object.entries(lock.packages).toSorted(([a], [b]) => (a < b ? -1 : 1)))
writeFileSync("package-lock.json", JSON.stringify(lock, null, 2) + "\n")
console.log(`package-lock.json: ${added.length} packages of other platforms added`)
