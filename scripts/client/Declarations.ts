/** Writes the type declarations of the client package, and of every file that they import. */
import { execFileSync } from "node:child_process"
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join, relative, resolve } from "node:path"

/** The declaration files of bundled packages that the declarations of the client import. */
const vendored: Readonly<Record<string, string>> = {
  "openapi-fetch": "node_modules/openapi-fetch/dist/index.d.mts",
  "openapi-typescript-helpers": "node_modules/openapi-typescript-helpers/dist/index.d.mts"
}

/** Copies the declarations that the entry files need. The compiler writes the declarations of the whole program. */
export const writeDeclarations = (entries: ReadonlyArray<string>, target: string): void => {
  const scratch = mkdtempSync(join(tmpdir(), "client-types-"))
  try {
    compile(entries, scratch)
    cpSync("src/client/openapi.d.ts", join(scratch, "client/openapi.d.ts"))
    for (const [name, file] of Object.entries(vendored)) cpSync(file, join(scratch, "vendor", `${name}.d.ts`))
    const reached = new Set(entries.map((entry) => declarationOf(join(scratch, relative("src", entry)))))
    for (const file of reached) {
      const text = readFileSync(file, "utf8").replace(specifier, (all, before: string, name: string) => {
        const to = name in vendored ? join(scratch, "vendor", `${name}.d.ts`) : declarationOf(join(dirname(file), name))
        // There is no such file: the import is of the package `effect`, or it is part of an example in a comment.
        if (!existsSync(to)) return all
        reached.add(to)
        const path = relative(dirname(file), to).replace(/\.d\.ts$/, ".js")
        return `${before}"${path.startsWith(".") ? path : `./${path}`}"`
      })
      const copy = join(target, relative(scratch, file))
      mkdirSync(dirname(copy), { recursive: true })
      writeFileSync(copy, text)
    }
  } finally {
    rmSync(scratch, { recursive: true })
  }
}

const specifier = /(\bfrom\s*|\bimport\(\s*)["']([^"']+)["']/g

const declarationOf = (path: string): string => path.replace(/(?:\.d)?\.ts$/, ".d.ts")

const compile = (files: ReadonlyArray<string>, outDir: string) => {
  const config = join(outDir, "tsconfig.json")
  writeFileSync(
    config,
    JSON.stringify({
      extends: resolve("tsconfig.json"),
      compilerOptions: {
        noEmit: false,
        declaration: true,
        emitDeclarationOnly: true,
        removeComments: false,
        incremental: false,
        tsBuildInfoFile: null,
        rootDir: resolve("src"),
        outDir,
        typeRoots: [resolve("node_modules/@types")],
        plugins: []
      },
      include: [],
      files: files.map((file) => resolve(file))
    })
  )
  const compiler = execFileSync(resolve("node_modules/.bin/effect-tsgo"), ["get-exe-path"], { encoding: "utf8" }).trim()
  execFileSync(compiler, ["-p", config], { stdio: ["ignore", "inherit", "inherit"] })
  if (!existsSync(join(outDir, "client"))) throw new Error("The compiler wrote no declarations.")
}
