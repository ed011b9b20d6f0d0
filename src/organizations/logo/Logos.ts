import { Context, Effect, Layer, Option } from "effect"
import type { OrganizationId } from "../../kernel/Ids.ts"
import { ValidationFailed } from "../../kernel/Refusal.ts"
import { sha256Hex } from "../../platform/crypto/Digest.ts"
import { Pictures } from "../../platform/images/Pictures.ts"
import { LogoUnavailable } from "../profile/OrganizationErrors.ts"
import { type Logo, LogosRepo } from "./LogosRepo.ts"

export type { Logo }

/** Maximum size of a logo in pixels. On paper, a logo has a box of 62 x 21 mm, so this is 304 dots per inch. */
const width_max = 744
const height_max = 252
const file_bytes_max = 512 * 1024
/** Maximum number of stored logos per organization. Replaced logos are kept for the documents that print them. */
const logos_max = 100

/** The logo that a request sets: a new PNG, null to remove the logo, or undefined to leave it unchanged. */
export type Drawn = Uint8Array | null | undefined

/** Stores the logos of organizations as PNG files, which the service draws from the clients' files. */
export class Logos extends Context.Service<
  Logos,
  {
    readonly current: (id: OrganizationId) => Effect.Effect<Option.Option<Logo>>
    /** Finds a logo that the organization has or had, by the hash of its file. */
    readonly find: (organization_id: OrganizationId, sha256: string) => Effect.Effect<Option.Option<Logo>>
    /** Draws the picture of a `data:` URL. The URL of the organization's current logo means no change. */
    readonly draw: (
      id: OrganizationId,
      sent: string | null | undefined
    ) => Effect.Effect<Drawn, ValidationFailed | LogoUnavailable>
    /** Stores the file, and returns the new value of the column `logo`; an empty object if nothing changes. */
    readonly store: (
      id: OrganizationId,
      drawn: Drawn
    ) => Effect.Effect<{ readonly logo_sha256?: string | null }, ValidationFailed>
  }
>()("invoicing/organizations/logo/Logos") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* LogosRepo
      const pictures = yield* Pictures

      const draw = Effect.fn("Logos.draw")(function* (id: OrganizationId, sent: string | null | undefined) {
        if (sent === undefined || sent === null) return sent
        if (sent === `/api/v1/organizations/${id}/logo`) return undefined
        const bytes = bytesOf(sent)
        if (bytes === undefined) return yield* refused("must be a data: URL of a PNG, JPEG or SVG file.")
        if (bytes.length > file_bytes_max) return yield* refused(`may not be larger than ${file_bytes_max} bytes.`)
        return yield* pictures.drawn({ bytes, width_max, height_max }, id).pipe(
          Effect.catchTags({
            PictureRefused: ({ problem }) => refused(problem),
            PicturesBusy: () => LogoUnavailable.of()
          })
        )
      })

      const store = Effect.fn("Logos.store")(function* (organization_id: OrganizationId, drawn: Drawn) {
        if (drawn === undefined) return {}
        if (drawn === null) return { logo_sha256: null }
        const sha256 = sha256Hex(drawn)
        const { logos } = yield* repo.count(organization_id)
        if (logos >= logos_max && Option.isNone(yield* repo.find({ organization_id, sha256 }))) {
          return yield* refused(
            `may not be changed more than ${logos_max} times, because issued documents keep their logo.`
          )
        }
        yield* repo.insert({ organization_id, sha256, png: drawn })
        return { logo_sha256: sha256 }
      })

      const { current } = repo
      const find = (organization_id: OrganizationId, sha256: string) => repo.find({ organization_id, sha256 })
      return Logos.of({ current, find, draw, store })
    })
  ).pipe(Layer.provide([LogosRepo.layer, Pictures.layer]))
}

const refused = (problem: string) => ValidationFailed.of({ logo: [`The logo field ${problem}`] })

/** Decodes a `data:` URL (RFC 2397), whose content is in base64 or percent-encoded. */
const bytesOf = (url: string): Uint8Array | undefined => {
  const comma = url.indexOf(",")
  const head = url.slice(0, Math.max(0, comma))
  if (!/^data:image\/(?:png|jpeg|svg\+xml)(?:;|$)/i.test(head)) return undefined
  const content = url.slice(comma + 1)
  if (/;base64$/i.test(head)) {
    return /^[A-Za-z0-9+/\s]*={0,2}$/.test(content) ? Buffer.from(content, "base64") : undefined
  }
  return Option.getOrUndefined(Option.map(decoded(content), (text) => Buffer.from(text)))
}

const decoded = Option.liftThrowable(decodeURIComponent)
