import JSZip from "jszip"

/** Returns the entries of a ZIP in the order of its directory. Fails if the checksum of an entry is wrong. */
export const unzipped = async (bytes: Uint8Array): Promise<ReadonlyMap<string, Buffer>> => {
  const { files } = await JSZip.loadAsync(bytes, { checkCRC32: true })
  const contents = Object.values(files).map(async (file) => [file.name, await file.async("nodebuffer")] as const)
  return new Map(await Promise.all(contents))
}
