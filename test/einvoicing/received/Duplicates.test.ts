import { describe, expect, it } from "vitest"
import { crossIndustryInvoice, ublInvoice } from "../../expenses/receipts/extraction/embedded/EmbeddedInvoices.ts"
import { useEinvoicing } from "../documents/Submitting.ts"
import { arrivalOf, collecting } from "./Arriving.ts"
import { fatturaPa } from "./Fatture.ts"

const { app, open } = useEinvoicing()

/** Lets documents arrive one after the other, each in a transmission of its own. Returns them, the oldest first. */
const received = async (contents: ReadonlyArray<string>) => {
  const books = await open()
  for (const content of contents) await app.run(collecting([arrivalOf(books, content)]))
  const found: ReadonlyArray<{ id: number; duplicate_of: number | null }> = await books.made(
    "GET",
    "/einvoicing/received?sort=id"
  )
  return { books, found }
}

describe("a document that arrives again in another transmission", () => {
  it.each([
    ["in the same bytes", ublInvoice(), ublInvoice()],
    ["in another syntax", ublInvoice(), crossIndustryInvoice()],
    ["in the same bytes, which cannot be read", "Dear Sir or Madam", "Dear Sir or Madam"]
  ])("%s is stored as a duplicate of the first one", async (_, first, second) => {
    const { books, found } = await received([first, second, second])
    const [original, duplicate, third] = found
    expect(found).toHaveLength(3)
    expect([original?.duplicate_of, duplicate?.duplicate_of]).toEqual([null, original?.id])
    expect(third?.duplicate_of).toBe(original?.id)
    expect(await books.made("GET", `/einvoicing/received/${duplicate?.id}`)).toEqual(duplicate)
    const events: ReadonlyArray<{ type: string; data: { attributes: { duplicate_of: number | null } } }> = (
      await books.call("GET", "/events?per_page=100")
    ).body.data
    const announced = events.filter(({ type }) => type === "einvoice.received").map(({ data }) => data.attributes)
    expect(announced.filter(({ duplicate_of }) => duplicate_of === null)).toHaveLength(1)
    expect(announced.filter(({ duplicate_of }) => duplicate_of === original?.id)).toHaveLength(2)
  })

  it.each([
    ["number", ublInvoice().replace(">000123<", ">000124<")],
    ["date", ublInvoice().replace("2026-02-27", "2026-02-26")],
    ["type", ublInvoice().replace(">380<", ">381<")],
    ["supplier", ublInvoice().replace("Café Zürich &amp; Söhne", "Gamma")]
  ])("is no duplicate of one with another %s", async (_, other) => {
    const { found } = await received([ublInvoice(), other])
    expect(found.map(({ duplicate_of }) => duplicate_of)).toEqual([null, null])
  })

  it("is no duplicate if it is another document of the same file, or of another organization", async () => {
    const { found } = await received([fatturaPa({ documents: 2 }).replace("FT/7", "FT/6")])
    expect(found.map(({ duplicate_of }) => duplicate_of)).toEqual([null, null])
    const unreadable = fatturaPa({ documents: 2, type: "TD17" })
    const [first, second, third, fourth] = (await received([unreadable, unreadable])).found
    expect([first?.duplicate_of, second?.duplicate_of]).toEqual([null, null])
    expect([third?.duplicate_of, fourth?.duplicate_of]).toEqual([first?.id, first?.id])
    expect((await received([ublInvoice()])).found).toMatchObject([{ duplicate_of: null }])
  })
})
