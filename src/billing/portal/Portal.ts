import { Context, Effect, Layer, Option, type Scope } from "effect"
import type { DocumentKey } from "../../kernel/DocumentKind.ts"
import { type AttachmentId, type QuoteId, TokenId } from "../../kernel/Ids.ts"
import { actingAs } from "../../organizations/AsSystem.ts"
import { Logos } from "../../organizations/logo/Logos.ts"
import type { Organization } from "../../organizations/profile/Organization.ts"
import { Organizations } from "../../organizations/Organizations.ts"
import { hashToken } from "../../platform/crypto/Opaque.ts"
import type { PdfRefused } from "../../platform/documents/pdf/PdfErrors.ts"
import { AuditLog } from "../../platform/events/AuditLog.ts"
import type { Download } from "../../platform/http/answers/Download.ts"
import { Database } from "../../platform/sql/Database.ts"
import type { StorageUnavailable } from "../../platform/storage/StorageUnavailable.ts"
import type { DocumentFile } from "../correspondence/Correspondence.ts"
import { type DocumentLink, DocumentLinksRepo } from "../sending/DocumentLinksRepo.ts"
import { MailRetriesRepo } from "../sending/retries/MailRetriesRepo.ts"
import { QuoteDecisions } from "../quotes/QuoteDecisions.ts"
import { type PortalDocument, PortalDocuments } from "./PortalDocuments.ts"
import { AnswerRefused, PortalClosed } from "./PortalErrors.ts"
import type { DocumentRef } from "./PortalState.ts"

interface Opened {
  readonly link: DocumentLink
  readonly organization: Organization
}

interface Answer {
  readonly accepted: boolean
  /** Version of the quote that the page showed, because customers agree only to what they have seen. */
  readonly version: number
  readonly reason: string | null
}

const token_pattern = /^doc_[A-Za-z0-9_-]{43}$/

export interface PortalView extends PortalDocument {
  readonly organization: Organization
  readonly logo: Uint8Array | null
}

/**
 * Lets a person with a link use the document of the link, and other open documents of the same customer
 * (rules/portal.md, Links).
 */
export class Portal extends Context.Service<
  Portal,
  {
    readonly view: (token: string, asked?: DocumentRef) => Effect.Effect<PortalView, PortalClosed>
    readonly file: (
      token: string,
      asked: DocumentRef | undefined,
      form: "pdf" | "xml" | "receipt"
    ) => Effect.Effect<DocumentFile, PortalClosed | PdfRefused>
    readonly attachment: (
      token: string,
      asked: DocumentRef | undefined,
      id: AttachmentId
    ) => Effect.Effect<Download<StorageUnavailable>, PortalClosed | StorageUnavailable, Scope.Scope>
    readonly answer: (
      token: string,
      asked: DocumentRef | undefined,
      answer: Answer
    ) => Effect.Effect<void, PortalClosed | AnswerRefused>
    /**
     * Revokes every link to a document, and returns their number. Gives up the document's deferred messages. The audit
     * chain records `actor`.
     */
    readonly revoke: (document: DocumentKey, actor: string) => Effect.Effect<number>
  }
>()("invoicing/billing/portal/Portal") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const links = yield* DocumentLinksRepo
      const retries = yield* MailRetriesRepo
      const documents = yield* PortalDocuments
      const logos = yield* Logos
      const decisions = yield* QuoteDecisions
      const organizations = yield* Organizations
      const auditLog = yield* AuditLog
      const { transaction } = yield* Database

      const open = Effect.fnUntraced(function* (token: string) {
        const found = token_pattern.test(token) ? yield* links.find(hashToken(token)) : Option.none()
        if (Option.isNone(found)) return yield* new PortalClosed({ reason: "unknown" })
        const link = found.value
        if (link.revoked) return yield* new PortalClosed({ reason: "revoked" })
        if (link.expired) return yield* new PortalClosed({ reason: "expired" })
        return { link, organization: yield* Effect.orDie(organizations.get(link.organization_id)) }
      })

      const view = Effect.fn("Portal.view")(function* (token: string, asked?: DocumentRef) {
        const opened = yield* open(token)
        const { link, organization } = opened
        const logo = yield* logos.current(organization.id)
        const document = Effect.flatMap(documents.find(link, asked), (found) => documents.view(found, link))
        return {
          ...(yield* onBehalf(opened)(document)),
          organization,
          logo: Option.getOrNull(Option.map(logo, ({ png }) => png))
        }
      })

      const file = Effect.fn("Portal.file")(function* (
        token: string,
        asked: DocumentRef | undefined,
        form: "pdf" | "xml" | "receipt"
      ) {
        const opened = yield* open(token)
        const write = { pdf: documents.file, xml: documents.xml, receipt: documents.receipt }[form]
        return yield* onBehalf(opened)(Effect.flatMap(documents.find(opened.link, asked), (found) => write(found)))
      })

      const attachment = Effect.fn("Portal.attachment")(function* (
        token: string,
        asked: DocumentRef | undefined,
        id: AttachmentId
      ) {
        const opened = yield* open(token)
        const found = documents.find(opened.link, asked)
        return yield* onBehalf(opened)(Effect.flatMap(found, (found) => documents.attachment(found, id)))
      })

      const decide = (id: QuoteId, { accepted, reason }: Answer) =>
        accepted ? decisions.accept(id, {}) : decisions.reject(id, { rejection_reason: reason })

      const answer = Effect.fn("Portal.answer")(function* (
        token: string,
        asked: DocumentRef | undefined,
        given: Answer
      ) {
        const opened = yield* open(token)
        const { link, organization } = opened
        const found = onBehalf(opened)(documents.find(link, asked))
        const { document, kind } = yield* found
        const isAsked = kind === "quote" && document.status === "sent" && document.version === given.version
        if (!isAsked || organization.archived_at !== null) return yield* unlessRepeated(found, given)
        yield* decide(document.id, given).pipe(
          // The quote may have changed while the answer waited for its lock.
          Effect.filterOrFail(
            ({ version }) => version === given.version + 1,
            () => new AnswerRefused()
          ),
          transaction,
          auditLog.underLatestLock,
          onBehalf(opened),
          Effect.catchTags({
            AnswerRefused: () => unlessRepeated(found, given),
            QuoteDecided: () => unlessRepeated(found, given),
            CustomerDeleted: () => new AnswerRefused(),
            NumberTaken: () => new AnswerRefused(),
            NotFound: () => new PortalClosed({ reason: "withdrawn" })
          })
        )
      })

      const revoke = Effect.fn("Portal.revoke")(function* (key: DocumentKey, actor: string) {
        const { organization_id, ...document } = key
        // A retry of an earlier message would mail a new link, so it is given up. A send under way makes no further link
        // once a link of its document is revoked.
        yield* retries.giveUpDeferred(key)
        const revoked = yield* links.revoke(key)
        const data = { ...document, links: revoked.length }
        yield* auditLog.append({ organization_id, actor, action: "document.links_revoked", data })
        return revoked.length
      }, transaction)

      return Portal.of({ view, file, attachment, answer, revoke })
    })
  ).pipe(
    Layer.provide([DocumentLinksRepo.layer, MailRetriesRepo.layer, PortalDocuments.layer, QuoteDecisions.layer]),
    Layer.provide([Organizations.layer, Logos.layer])
  )
}

/** Runs an effect with the link as its principal, without scopes. The audit chain names the link `link:` and its id. */
const onBehalf = ({ link, organization }: Opened) =>
  actingAs(organization, `link:${link.id}`, {
    token_id: TokenId.make(link.id),
    role: null,
    // The organization's currency is in use, because the document of the link exists.
    currency_in_use: true
  })

type Found = Effect.Success<ReturnType<PortalDocuments["Service"]["find"]>>

/** Refuses an answer, unless the quote has this answer already: a person may press the button twice. */
const unlessRepeated = Effect.fnUntraced(function* <R>(
  found: Effect.Effect<Found, PortalClosed, R>,
  { accepted }: Answer
) {
  const { document, kind } = yield* found
  const isRepeated = kind === "quote" && document.status === (accepted ? "accepted" : "rejected")
  if (!isRepeated) return yield* new AnswerRefused()
})
