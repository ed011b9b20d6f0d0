import { existsSync, globSync, readFileSync } from "node:fs"
import { expect, it } from "vitest"
import { article } from "../../src/docs/Markdown.ts"

const files = globSync("{src,test,scripts}/**/*.ts").map((name) => ({ name, text: readFileSync(name, "utf8") }))

/** Comments cite a rule by its file and heading; a citation may go over the end of a line. */
const cited = /rules\/([\w-]+)\.md,\s+(?:(?:\*|\/\/)\s+)?([A-Z][\w\s/*-]*?)(?=[).:;]|$)/gm

const headingsOf = (rules: string): ReadonlyArray<string> =>
  existsSync(rules) ? article(readFileSync(rules, "utf8")).sections.map(({ title }) => title) : []

it("leads each citation of a rule to its file and heading", () => {
  const citations = files.flatMap(({ name, text }) =>
    [...text.matchAll(cited)].map(([, file = "", heading = ""]) => ({
      name,
      file: `src/docs/rules/${file}.md`,
      heading: heading.replaceAll(/\s*(?:\*|\/\/)?\s+/g, " ")
    }))
  )
  expect(citations.filter(({ file, heading }) => !headingsOf(file).includes(heading))).toEqual([])
  expect(citations.length).toBeGreaterThan(60)
  const mentions = files.flatMap(({ text }) => text.match(/\brules\/[\w-]+\.md,/g) ?? [])
  expect(citations).toHaveLength(mentions.length)
})

it("cites no document that the repository does not have", () => {
  const foreign = files.flatMap(({ name, text }) =>
    (text.match(/^\s*(?:\/?\*|\/\/).*(?:\bSpec, |[Cc]ontract sections? \d|\b[Tt]he spec\b).*/gm) ?? []).map(
      (line) => `${name}: ${line}`
    )
  )
  expect(foreign).toEqual([])
})
