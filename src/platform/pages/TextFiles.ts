import { existsSync, readdirSync, readFileSync } from "node:fs"

const root = new URL("../../../", import.meta.url)

export const namesIn = (folder: string): ReadonlyArray<string> => readdirSync(new URL(`${folder}/`, root))

/** Undefined if the installation does not have the file. */
export const textFile = (path: string): string | undefined => {
  const file = new URL(path, root)
  return existsSync(file) ? readFileSync(file, "utf8") : undefined
}
