import { serveJobs } from "../../../src/platform/children/ChildEntry.ts"
import { openDocumentReader } from "../../../src/platform/ocr/DocumentReader.ts"
import { full_effort } from "../../../src/platform/ocr/PageImage.ts"

// A job is the path of a file, and perhaps a word. If the first page contains the word, the place of the word and the
// head of the page are read again.
serveJobs(async () => {
  const [folder = "", engine] = process.argv.slice(2)
  const read = await openDocumentReader(folder, engine === "paddle")
  return async (job) => {
    const [path = "", wanted = ""] = String(job).split(" ")
    const { again, reading } = await read({
      path,
      languages: ["deu", "eng"],
      effort: full_effort
    })
    const words = reading.pages[0]?.passes[0]?.lines.flatMap(({ words }) => words) ?? []
    const word = words.find(({ text }) => text === wanted)
    if (word === undefined || again === undefined) return { reading, again: [] }
    return { reading, again: await again.reread(0, word), heads: await again.readHead?.() }
  }
})
