import { Effect, FileSystem, Path } from "effect"
import { randomUUID } from "node:crypto"
import { createRequire } from "node:module"
import { dirname } from "node:path"

/** Languages that can be read (ISO 639-1), with tesseract's names for them. */
const names = { en: "eng", de: "deu", fr: "fra", nl: "nld", es: "spa", it: "ita" } as const

export type ReadableLanguage = keyof typeof names

export const isReadableLanguage = (code: string): code is ReadableLanguage => Object.hasOwn(names, code)

export const tesseractNames = (languages: ReadonlyArray<ReadableLanguage>): ReadonlyArray<string> =>
  languages.map((code) => names[code])

/** The small integer model of the neural engine. The other models are larger but do not read receipts better. */
const variant = "4.0.0_best_int"

/**
 * Makes a folder with links to the data, because tesseract.js expects one folder, but npm puts each language into a
 * package. Each start replaces the links atomically, so that they follow an update.
 */
export const languageFolder = Effect.fn("languageFolder")(function* (data_folder: string) {
  const files = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const folder = path.resolve(data_folder, "tessdata")
  yield* files.makeDirectory(folder, { recursive: true })
  yield* Effect.forEach(Object.values(names), (name) => {
    const file = `${name}.traineddata.gz`
    const link = path.join(folder, `${file}.${randomUUID()}`)
    return files
      .symlink(path.join(packageFolder(name), variant, file), link)
      .pipe(Effect.andThen(files.rename(link, path.join(folder, file))))
  })
  return folder
})

const { resolve } = createRequire(import.meta.url)
const packageFolder = (name: string) => dirname(resolve(`@tesseract.js-data/${name}/package.json`))
