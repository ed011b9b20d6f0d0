import { execFileSync } from "node:child_process"
import { expect, it } from "vitest"
import { blocksOf, folder, of_developers, of_operators } from "./CodeBlocks.ts"

const files = ["README.md", ...[...of_developers, ...of_operators].map((name) => `${folder}/${name}.md`)]

/** Options of GNU programs that the programs of macOS do not have. */
const gnu_only = /base64 -w|wc --|uniq --|date -d|sed -i |stat -c|readlink -f/

it.each(files)("the commands of %s suit any POSIX shell, on Linux and on macOS", (file) => {
  for (const { code } of blocksOf(file).filter(({ language }) => language === "sh")) {
    execFileSync("sh", ["-n"], { input: code })
    expect(code).not.toMatch(/<\(|\[\[|<<</)
    expect(code).not.toMatch(gnu_only)
  }
})
