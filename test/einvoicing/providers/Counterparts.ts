import { afterAll } from "vitest"
import type { App } from "../../support/App.ts"
import { useEinvoicing } from "../documents/Submitting.ts"
import { toBuyer, usePlatform } from "../france/Seller.ts"
import { useAccessPoint } from "../peppol/PointSeller.ts"
import { makeSigner } from "../received/SignedFile.ts"
import { hasDovecot } from "../sdi/Dovecot.ts"
import { office, recipient, useSdi } from "../sdi/ItalianSellers.ts"
import { spanish, useTaxAgency } from "../verifactu/SpanishSellers.ts"

/** With the faults that end in `_after`, the provider accepts the document but does not confirm it. */
export type Fault =
  | "refused"
  | "busy"
  | "down"
  | "garbage"
  | "reset_before"
  | "reset_after"
  | "garbage_after"
  | "error_after"
  | "stopped_after"

type Books = Awaited<ReturnType<ReturnType<typeof useEinvoicing>["open"]>>

/** The requests of an organization about its documents, the same for all providers. */
interface Seller extends Pick<Books, "id" | "call" | "at" | "transmit"> {
  /** Submits a draft; the fault happens in the next request that submits the document. */
  readonly submitted: (fault?: Fault) => Promise<{ readonly id: number; readonly invoice_id: number }>
  readonly resubmitted: (invoice_id: number) => Promise<{ readonly id: number }>
  /** Reads the provider's messages about the document. */
  readonly follow: (id: number) => Promise<unknown>
  readonly held: () => number
}

interface Counterpart {
  readonly name: string
  readonly provider: string
  readonly isThere: boolean
  readonly faults: ReadonlyArray<Fault>
  /** True if the service does not submit a document again immediately after an attempt with an unknown outcome. */
  readonly isAsked: boolean
  /** The statuses of a document that the provider accepted, and of one that it refused. */
  readonly taken: string
  readonly refused: string
  readonly seller: () => Promise<Seller>
  /** Counts the attempts to submit, including those with a fault. */
  readonly attempts: () => number
  /** Sets the function that runs instead of an answer to a submission with the fault `stopped_after`. */
  readonly onStop: (stop: () => void) => void
}

/** Runs one service with every adapter, and simulates a provider (the counterpart) for each adapter. */
export const useCounterparts = async () => {
  const service = useEinvoicing({ production: true })
  const officer = makeSigner()
  afterAll(officer.close)
  const counterparts = [
    accessPoint(useAccessPoint(service)),
    platform(await usePlatform(service)),
    mailbox("SdI over PEC", useSdi(service), async (books, draft) => books.submitted(draft, recipient)),
    mailbox("SdI over PEC, signed (FPA12)", useSdi(service), async (books, draft) => {
      const { id } = await books.submitted(draft, office)
      await books.transmit(id)
      // Removes the job of a transmission that has just run, so that the worker does not run it again.
      await service.app.inDatabase(`delete from jobs where queue_name = 'einvoices.transmission' and id = '${id}'`)
      return (await books.handIn(id, officer.p7m(await books.unsigned(id)))).body.data
    }),
    agency(useTaxAgency(service))
  ]
  return { app: service.app, counterparts, elapse: elapseIn(service.app) }
}

/** Ends all pauses and leases, and moves the time past the moment from which an unknown outcome counts as a failure. */
const elapseIn = (app: App) => async (organization_id: number) => {
  const of = `where organization_id = ${organization_id}`
  await app.inDatabase(`update provider_submissions set attempted_at = attempted_at - interval '11 minutes' ${of}`)
  await app.inDatabase(`update provider_connections set paused_until = null ${of}`)
  await app.inDatabase(`update verifactu_chains set next_send_at = null, leased_until = null ${of}`)
}

/** The names that a simulated provider uses for the faults that it can have. */
type Native<F> = Partial<Readonly<Record<Fault, F>>>

const faultsOf = <F>(native: Native<F>) =>
  // Boundary: TypeScript types the keys of an object as strings.
  Object.keys(native) as ReadonlyArray<Fault>

const armed = <F>(faults: Array<F>, native: Native<F>, fault: Fault | undefined) => {
  const named = fault === undefined ? undefined : native[fault]
  if (named !== undefined) faults.push(named)
}

const web = {
  refused: "refused",
  busy: "busy",
  down: "down",
  reset_before: "reset_before",
  reset_after: "reset_after",
  garbage_after: "garbage_after",
  error_after: "error_after",
  stopped_after: "stopped_after"
} as const

const accessPoint = ({ point, seller }: ReturnType<typeof useAccessPoint>): Counterpart => ({
  name: "Recommand",
  provider: "peppol",
  isThere: true,
  faults: faultsOf(web),
  isAsked: true,
  taken: "sent",
  refused: "failed",
  attempts: () => point().state.sends,
  onStop: (stop) => void (point().state.stop = stop),
  seller: async () => {
    const books = await seller()
    const submitted = (document: { readonly id: number }) => books.submitted(document, books.recipient)
    return {
      ...books,
      submitted: async (fault) => {
        armed(point().faults, web, fault)
        return submitted(await books.draft())
      },
      resubmitted: (id) => submitted({ id }),
      held: () => books.arrived().length
    }
  }
})

const platform_faults = { ...web, refused: "malformed" } as const

const platform = ({ point, seller }: Awaited<ReturnType<typeof usePlatform>>): Counterpart => ({
  name: "XP Z12-013",
  provider: "fr_ctc",
  isThere: true,
  faults: faultsOf(platform_faults),
  isAsked: true,
  taken: "submitted",
  refused: "failed",
  attempts: () => point.state.submissions,
  onStop: (stop) => void (point.state.stop = stop),
  seller: async () => {
    const books = await seller()
    return {
      ...books,
      submitted: async (fault) => {
        armed(point.faults, platform_faults, fault)
        return books.submitted(await books.drafted(), toBuyer)
      },
      resubmitted: (id) => books.submitted({ id }, toBuyer),
      held: () => point.sent("UBL").length
    }
  }
})

/** Mail servers send neither a Retry-After nor an answer that could be malformed. */
const mail_faults = {
  refused: "rejected",
  down: "busy",
  reset_before: "lost_before",
  reset_after: "lost_after",
  stopped_after: "stopped_after"
} as const

type SdiBooks = Awaited<ReturnType<ReturnType<typeof useSdi>["seller"]>>
type Submit = (
  books: SdiBooks,
  draft: { readonly id: number }
) => Promise<{ readonly id: number; readonly invoice_id: number }>

const mailbox = (name: string, { network, seller }: ReturnType<typeof useSdi>, submit: Submit): Counterpart => ({
  name,
  provider: "it_sdi",
  isThere: hasDovecot,
  faults: faultsOf(mail_faults),
  isAsked: true,
  taken: "submitted",
  refused: "failed",
  attempts: () => network().state.sends,
  onStop: (stop) => void (network().state.stop = stop),
  seller: async () => {
    const books = await seller()
    return {
      ...books,
      submitted: async (fault) => {
        const document = await submit(books, await books.draft({ purchase_order: "CIG Z1234567AB" }))
        armed(network().faults, mail_faults, fault)
        return document
      },
      resubmitted: (id) => submit(books, { id }),
      follow: books.news,
      held: () => books.issued().length
    }
  }
})

const agency_faults = {
  refused: "refused",
  busy: "busy",
  down: "fault",
  garbage: "garbage",
  reset_before: "reset_before",
  reset_after: "reset_after",
  garbage_after: "garbage_after",
  stopped_after: "stopped_after"
} as const

const agency = ({ required, seller }: ReturnType<typeof useTaxAgency>): Counterpart => ({
  name: "AEAT",
  provider: "es_verifactu",
  isThere: true,
  faults: faultsOf(agency_faults),
  isAsked: false,
  taken: "accepted",
  refused: "rejected",
  attempts: () => required().messages.length,
  onStop: (stop) => void (required().state.stop = stop),
  seller: async () => {
    const books = await seller()
    return {
      ...books,
      submitted: async (fault) => {
        armed(required().faults, agency_faults, fault)
        return books.submitted(await books.draft(), spanish)
      },
      resubmitted: (id) => books.submitted({ id }, spanish),
      held: () => [...required().kept.keys()].filter((name) => name.includes(books.nif)).length
    }
  }
})
