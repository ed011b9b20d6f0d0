import { crc32, inflateRawSync } from "node:zlib"

const end_signature = 0x06054b50
const end64_signature = 0x06064b50
const entry_signature = 0x02014b50
const end_bytes = 22
const locator_bytes = 20
const entry_bytes = 46
const local_bytes = 30
const in_zip64 = 0xffffffff

/** Returns the entries of a ZIP in the order of its directory, read by APPNOTE.TXT without the writer's code. */
export const unzipped = (bytes: Uint8Array): ReadonlyMap<string, Buffer> => {
  const zip = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const end = zip.length - end_bytes
  if (zip.readUInt32LE(end) !== end_signature) throw new Error("no end of the directory")
  const end64 = Number(zip.readBigUInt64LE(Math.max(0, end - locator_bytes + 8)))
  const isZip64 = zip.readUInt16LE(end + 10) === 0xffff || zip.readUInt32LE(end + 16) === in_zip64
  if (isZip64 && zip.readUInt32LE(end64) !== end64_signature) throw new Error("no ZIP64 end of the directory")
  const count = isZip64 ? Number(zip.readBigUInt64LE(end64 + 32)) : zip.readUInt16LE(end + 10)
  let at = isZip64 ? Number(zip.readBigUInt64LE(end64 + 48)) : zip.readUInt32LE(end + 16)
  const entries = new Map<string, Buffer>()
  for (let index = 0; index < count; index++) {
    if (zip.readUInt32LE(at) !== entry_signature) throw new Error(`no entry ${index}`)
    const name_bytes = zip.readUInt16LE(at + 28)
    const name = zip.toString("utf8", at + entry_bytes, at + entry_bytes + name_bytes)
    if (entries.has(name)) throw new Error(`${name} is there twice`)
    entries.set(name, contentOf(zip, at))
    at += entry_bytes + name_bytes + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32)
  }
  return entries
}

/** Returns the content of the entry whose directory record begins at `at`; a test's ZIP is smaller than 4 GiB. */
const contentOf = (zip: Buffer, at: number): Buffer => {
  const size = zip.readUInt32LE(at + 20)
  const local = zip.readUInt32LE(at + 42)
  const start = local + local_bytes + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28)
  const stored = zip.subarray(start, start + size)
  const content = zip.readUInt16LE(at + 10) === 0 ? stored : inflateRawSync(stored)
  if (crc32(content) !== zip.readUInt32LE(at + 16)) throw new Error("another checksum")
  return content
}
