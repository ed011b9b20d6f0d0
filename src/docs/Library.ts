import { namesIn, textFile } from "../platform/pages/TextFiles.ts"
import { type Article, article } from "./Markdown.ts"

interface Volume extends Article {
  readonly path: string
}

export interface Shelf {
  readonly title: string
  readonly volumes: ReadonlyArray<Volume>
}

/** The order in which a reader should read these guides. All other guides follow, sorted by name. */
const guides_in_order = [
  "first-invoice",
  "authentication",
  "errors-and-retries",
  "lists-and-syncing",
  "amounts-and-taxes",
  "sending-and-the-portal",
  "webhooks",
  "bank-files",
  "receipts",
  "e-invoicing",
  "archive",
  "moving-in",
  "accountants",
  "limits",
  "administration",
  "configuration",
  "going-live",
  "backup-and-upgrade",
  "runbooks"
]

/** Represents the root of the repository while relative links are resolved. */
const root = "file:///"

/** Files of pages that are neither guides nor rules, by the URL of their page. */
const others: Readonly<Record<string, string>> = {
  "/docs/client": "src/client/README.md",
  "/docs/countries": "COUNTRIES.md",
  "/docs/changelog": "CHANGELOG.md"
}

const place = (name: string) =>
  guides_in_order.includes(name) ? guides_in_order.indexOf(name) : guides_in_order.length

const guidesOf = (folder: string) =>
  namesIn(`src/docs/${folder}`)
    .filter((file) => file.endsWith(".md"))
    .map((file) => file.replace(/\.md$/, ""))
    .toSorted((a, b) => place(a) - place(b) || (a < b ? -1 : 1))

/** Converts the path of a file of the repository into the URL of its page. */
const linked = (folder: string) => (href: string) => {
  if (/^(?:https?:|mailto:|#|\/)/.test(href)) return href
  const url = new URL(href, root + folder)
  const file = url.href.slice(root.length, url.href.length - url.hash.length)
  const other = Object.entries(others).find(([, name]) => name === file)?.[0]
  const page = /^src\/docs\/(guides|rules)\/([\w-]+)\.md$/.exec(file)
  return `${other ?? (page === null ? "/docs" : `/docs/${page[1]}/${page[2]}`)}${url.hash}`
}

const volume = (path: string, file: string): ReadonlyArray<Volume> => {
  const text = textFile(file)
  return text === undefined ? [] : [{ path, ...article(text, linked(file)) }]
}

const shelf = (title: string, folder: string): Shelf => ({
  title,
  volumes: guidesOf(folder).flatMap((name) => volume(`/docs/${folder}/${name}`, `src/docs/${folder}/${name}.md`))
})

/** Reads the guides, the rules and `others`, of which the installation may lack some. */
export const readShelves = (): ReadonlyArray<Shelf> => [
  shelf("Guides", "guides"),
  { title: "More", volumes: Object.entries(others).flatMap(([path, file]) => volume(path, file)) },
  shelf("Rules", "rules")
]
