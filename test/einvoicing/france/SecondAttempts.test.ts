import { DateTime, Duration } from "effect"
import { describe, expect, it } from "vitest"
import { toBuyer, usePlatform } from "./Seller.ts"

const { point, seller, told } = await usePlatform()

/** The present time, or one some days before it, in the form of a life cycle message. */
const stamp = (days_ago = 0) =>
  DateTime.formatIso(DateTime.subtractDuration(DateTime.nowUnsafe(), Duration.days(days_ago)))
    .replaceAll(/[-:T]/g, "")
    .slice(0, 14)

/** A seller whose first submission of an invoice was rejected, and who has submitted the invoice again. */
const again = async () => {
  const books = await seller()
  const { number, status, transmit } = await books.sent()
  await transmit()
  const { id: first, invoice_id } = await status()
  told({ number, code: "213", reason: "REJ_SEMAN", at: stamp(3) })
  await books.follow(first)
  expect(await status()).toMatchObject({ status: "rejected" })
  // The platform would refuse the same bytes as a duplicate.
  point.flows.find(({ flowDirection }) => flowDirection === "Out")?.file.fill(0)
  const { id } = await books.submitted({ id: invoice_id }, toBuyer)
  await books.transmit(id)
  const polled = async () => {
    await books.follow(id)
    return (await books.at(id)).body.data
  }
  return { number, polled }
}

describe("the second submission of an invoice to the French platform", () => {
  it("is not rejected by a late status of the first one, and takes its own statuses", async () => {
    const { number, polled } = await again()
    told({ number, code: "213", reason: "DEST_INC", at: stamp(3) })
    expect(await polled()).toMatchObject({ status: "submitted", network_status: "Ok", reason: null })
    told({ number, code: "205", phase: "23", at: stamp() })
    expect(await polled()).toMatchObject({ status: "accepted", network_status: "205" })
  })

  it.each([
    ["states no readable time", "2026-07-01"],
    ["states a year that the database does not have", "00000101000000"],
    ["states a day that does not exist", "20260231101010"],
    ["states the zone of another platform", stamp(0.5)]
  ])("takes a status that %s", async (_, at) => {
    const { number, polled } = await again()
    told({ number, code: "213", reason: "DEST_INC", at })
    expect(await polled()).toMatchObject({ status: "rejected", network_status: "213" })
  })
})
