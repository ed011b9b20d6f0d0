import type { Delivery } from "../billing/sending/Send.ts"
import type { Channel, ItemResult } from "./Batch.ts"
import { type Refused, rolledBack } from "./BatchItems.ts"

/** The fields of an item that its result repeats. */
export interface Named {
  /** A second item with this id is a duplicate. Null if the item creates a record or has no valid id. */
  readonly id: number | null
  readonly external_id: string | null
}

export interface Done<A> {
  readonly data: A | null
  /** Result of each channel that was asked to send the invoice. */
  readonly channels?: ReadonlyArray<Way>
}

export interface Way {
  readonly channel: Channel["channel"]
  /** The reason why the channel sent nothing; null if it sent the invoice. */
  readonly refused: Refused | null
  readonly deliveries?: ReadonlyArray<Delivery>
}

export interface Identified {
  readonly id: number
}

export const firstPlaces = (items: ReadonlyArray<Pick<Named, "id">>) => {
  const places = new Map<number, number>()
  for (const [index, { id }] of items.entries()) if (id !== null && !places.has(id)) places.set(id, index)
  return places
}

export const duplicate = ({ external_id, id }: Named, index: number) => {
  const status = "duplicate" as const
  return { index, id, external_id, status, http_status: 208, data: null, error: null }
}

export const isFailed = ({ status }: ItemResult<unknown>) => status === "failed"

/** Derives an item's result from the results of its channels. */
export const resultFrom = <A extends Identified>(
  item: Pick<ItemResult<A>, "index" | "id" | "external_id">,
  { channels: ways, data }: Done<A>,
  http_status: number
): ItemResult<A> => {
  const channels = ways?.map(shown) ?? []
  const refused = ways?.find((way) => way.refused !== null)?.refused ?? null
  const status = statusOf(channels)
  return {
    ...item,
    status,
    http_status: refused === null ? http_status : status === "failed" ? refused.http_status : 207,
    id: data?.id ?? item.id,
    data,
    error: refused?.error ?? null,
    ...(ways === undefined ? {} : { channels })
  }
}

/** Returns the length of all texts in a record, which make up nearly all of a large one. */
export const charactersOf = (value: unknown): number => {
  if (typeof value === "string") return value.length
  if (Array.isArray(value)) return value.reduce<number>((sum, element) => sum + charactersOf(element), 0)
  // Decimals and times are objects of a class, and contain no text.
  const isRecord = typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype
  return isRecord ? charactersOf(Object.values(value)) : 0
}

const shown = ({ channel, deliveries, refused }: Way): Channel => {
  const recipients = deliveries === undefined ? {} : { deliveries }
  if (refused !== null) return { channel, status: "failed", ...recipients, error: refused.error }
  const isSent = deliveries?.some(({ status }) => status === "accepted") ?? true
  return { channel, status: isSent ? "sent" : "unknown", ...recipients }
}

const statusOf = (channels: ReadonlyArray<Channel>): ItemResult<unknown>["status"] => {
  const statuses = new Set(channels.map(({ status }) => status))
  if (statuses.has("sent")) return statuses.size === 1 ? "succeeded" : "partial"
  if (statuses.has("unknown")) return "unknown"
  return statuses.has("failed") ? "failed" : "succeeded"
}

export const undone = (result: ItemResult<unknown>, id: number | null): ItemResult<never> => ({
  ...result,
  id,
  data: null,
  ...(result.status === "succeeded" ? { status: "failed" as const, ...rolledBack } : {})
})
