import { execFile, execFileSync } from "node:child_process"
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import { expect } from "vitest"

const isInstalled = (program: string) => {
  try {
    execFileSync("sh", ["-c", `command -v ${program}`], { env: { PATH } })
    return true
  } catch {
    return false
  }
}

/** Some servers that the guides use may be in /usr/sbin, which is not on every account's path. */
const PATH = `${process.env["PATH"]}:/usr/sbin`

/** The command that runs a file of each language, and the ending of the file. */
const languages: Readonly<Record<string, readonly [command: string, ending: string]>> = {
  sh: ["", "sh"],
  js: ["node", "mjs"],
  python: ["python3", "py"],
  php: ["php", "php"],
  sql: ["psql --quiet --set ON_ERROR_STOP=1 --file", "sql"],
  haproxy: ["haproxy -c -f", "cfg"]
}
/** A block with one of these words after the language in its first line is run by other tests, or by none. */
const reasons: Readonly<Record<string, string>> = {
  docker: "needs Docker",
  systemd: "needs systemd",
  certificate: "needs the certificate of a business",
  install: "installs the service or the client; the tests of processes and of the client do that"
}
/** A block with this word after the language in its first line runs while the service is stopped. */
const stopped = "stopped"

interface Block {
  readonly language: string
  readonly words: ReadonlyArray<string>
  readonly code: string
  readonly skipped: string | undefined
}

const skippedFor = (language: string, words: ReadonlyArray<string>) => {
  const [reason] = words.flatMap((word) => reasons[word] ?? [])
  if (reason !== undefined) return reason
  const [program = ""] = languages[language]?.[0].split(" ") ?? []
  const missing = [program, ...words].filter((name) => name !== "" && name !== stopped && !isInstalled(name))
  return missing.length > 0 ? `needs ${missing.join(", ")}` : undefined
}

export const blocksOf = (file: string): ReadonlyArray<Block> =>
  [...readFileSync(file, "utf8").matchAll(/^```(\S*) ?(.*)\n([\s\S]*?)^```$/gm)].map(
    ([, language = "", info = "", code = ""]) => {
      const words = info.split(" ").filter((word) => word !== "")
      return { language, words, code, skipped: skippedFor(language, words) }
    }
  )

export const folder = "src/docs/guides"

/** Guides for operators. Their commands need a separate installation. */
export const of_operators = ["configuration", "administration", "going-live", "runbooks", "backup-and-upgrade"]

export const of_developers = readdirSync(folder)
  .map((file) => file.replace(/\.md$/, ""))
  .filter((name) => !of_operators.includes(name))

const needed = ["bash", "curl", "jq", "openssl"].filter((program) => !isInstalled(program))
export const canRun = needed.length === 0
if (!canRun) process.stderr.write(`Not installed, so guides are not run: ${needed.join(", ")}.\n`)

const mark = (index: number) => `@@ block ${index} @@`

/** Makes one script of the blocks of a file, so that later ones use the variables of earlier ones. */
const scriptOf = (blocks: ReadonlyArray<Block>, home: string) => {
  const parts = blocks.map(({ code, language, skipped, words }, index) => {
    const [command, ending] = languages[language] ?? []
    if (command === undefined || skipped !== undefined) return ""
    const heading = `${words.includes(stopped) ? '"$STOP"\n' : ""}echo; echo '${mark(index)}'`
    if (command === "") return `${heading}\n${code}`
    const file = join(home, `block-${index}.${ending}`)
    writeFileSync(file, code)
    return `${heading}\n${command} ${file} < "\${INPUT:-/dev/null}"`
  })
  return `set -euo pipefail\nset -a\n${parts.join("\n")}`
}

/** Compares what a block printed with the text that the guide shows; `…` matches anything. */
const patternOf = (shown: string) =>
  new RegExp(
    `^${shown
      .trim()
      .split("…")
      .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
      .join("[\\s\\S]*?")}$`
  )

const run = promisify(execFile)

/** Runs the code blocks of a file one after the other, and compares what they print with the blocks of text. */
export const runBlocks = async (file: string, home: string, env: Readonly<Record<string, string>>, address = "") => {
  const blocks = blocksOf(file).map((block) => ({
    ...block,
    code: address === "" ? block.code : block.code.replaceAll("http://localhost:3000", address)
  }))
  const { NODE_COMPILE_CACHE } = process.env
  const options = { cwd: home, env: { ...env, PATH, NODE_COMPILE_CACHE, HOME: home }, timeout: 170_000 }
  const { stderr, stdout } = await run("bash", ["-c", scriptOf(blocks, home)], options).catch((failure: unknown) => {
    const { stderr, stdout } = { stderr: "", stdout: "", ...Object(failure) }
    throw new Error(`${file}: ${stdout}\n${stderr}`)
  })
  for (const [index, { code, language }] of blocks.entries()) {
    if (language !== "text" || blocks[index - 1]?.skipped !== undefined) continue
    const printed = stdout.split(`${mark(index - 1)}\n`)[1]?.split("\n@@ block ")[0] ?? ""
    expect({ file, index, printed: printed.trim(), stderr }).toMatchObject({
      printed: expect.stringMatching(patternOf(code))
    })
  }
  const programs = blocks.filter(({ language }) => language in languages)
  console.log(`guides: ${file} ran ${programs.filter(({ skipped }) => skipped === undefined).length} blocks`)
  for (const { language, skipped, words } of blocks) {
    if (skipped !== undefined)
      console.log(`guides: ${file} skipped a block (${[language, ...words].join(" ")}): ${skipped}`)
  }
  return stdout
}
