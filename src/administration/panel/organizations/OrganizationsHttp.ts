import { Effect, Layer, Option, Schema } from "effect"
import { Users } from "../../../identity/Users.ts"
import { OrganizationId } from "../../../kernel/Ids.ts"
import { ValidationFailed } from "../../../kernel/Refusal.ts"
import { Line, Name } from "../../../kernel/Text.ts"
import { Organizations } from "../../../organizations/Organizations.ts"
import { Opening } from "../../Opening.ts"
import { OrganizationOpener } from "../../OrganizationOpener.ts"
import { formPage, type PanelRequest, showPage } from "../Panel.ts"
import { at, decoded, idOf, pageOf, textOf } from "../PanelInput.ts"
import { archivePage, openingPage, organizationPage, organizationsPage, planPage } from "./OrganizationsPage.ts"

const isLine = Schema.is(Line)

/** Loads the organization that the address names. */
export const organizationOf = Effect.fnUntraced(function* ({ params }: PanelRequest) {
  const id = yield* idOf(OrganizationId, params["organization_id"])
  return yield* (yield* Organizations).get(id)
})

const list = showPage(
  "/admin/organizations",
  Effect.fnUntraced(function* ({ query }) {
    const asked = textOf(query, "search") ?? ""
    const search = isLine(asked) ? asked : ""
    const request = { ...pageOf(query), search }
    const slice = yield* (yield* Organizations).listAll(search === "" ? pageOf(query) : request)
    return organizationsPage(slice, request)
  })
)

const show = showPage("/admin/organizations/:organization_id", (asked) =>
  Effect.map(organizationOf(asked), organizationPage)
)

const open = formPage("/admin/organizations/new", {
  load: () => Effect.void,
  page: (_, typed) => openingPage(typed),
  submit: Effect.fnUntraced(function* (_, fields, { actor }) {
    const opening = yield* decoded(Opening, {
      name: textOf(fields, "name") ?? "",
      country: textOf(fields, "country") ?? "",
      currency: textOf(fields, "currency")?.toUpperCase() ?? "",
      timezone: textOf(fields, "timezone") ?? "",
      language: textOf(fields, "language")?.toLowerCase() ?? "",
      owner_email: textOf(fields, "owner_email") ?? "",
      owner_name: textOf(fields, "owner_name"),
      // A password may begin or end with a space.
      owner_password: fields.get("owner_password") || undefined
    })
    const known = yield* (yield* Users).findByEmail(opening.owner_email)
    if (Option.isNone(known) && opening.owner_password === undefined) {
      // Without a password they could never log in, because an owner is not invited.
      return yield* ValidationFailed.of({ owner_password: ["Nobody has this address yet: they need a password."] })
    }
    const { organization } = yield* (yield* OrganizationOpener).open(opening, actor).pipe(
      Effect.catchTags({
        EmailTaken: () => at("owner_password")({ message: "This person has a password already: leave it empty." }),
        PasswordUnacceptable: at("owner_password")
      })
    )
    return `/admin/organizations/${organization.id}?done=opened`
  })
})

const setPlan = formPage("/admin/organizations/:organization_id/plan", {
  load: organizationOf,
  page: planPage,
  submit: Effect.fnUntraced(function* ({ id }, fields, { actor }) {
    const { plan } = yield* decoded(Schema.Struct({ plan: Name }), { plan: textOf(fields, "plan") ?? "" })
    yield* (yield* Organizations).setPlan(id, plan, actor)
    return `/admin/organizations/${id}?done=plan`
  })
})

const archive = formPage("/admin/organizations/:organization_id/archive", {
  load: organizationOf,
  page: archivePage,
  submit: Effect.fnUntraced(function* ({ id }, _, { actor }) {
    yield* (yield* Organizations).archive(id, actor)
    return `/admin/organizations/${id}?done=archived`
  })
})

export const OrganizationsRoutes = Layer.mergeAll(list, show, open, setPlan, archive)
