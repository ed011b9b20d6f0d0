import { Effect, Layer, Option, Struct } from "effect"
import { OrganizationSettings } from "../../../kernel/OrganizationSettings.ts"
import { Logos } from "../../../organizations/logo/Logos.ts"
import type { Organization } from "../../../organizations/profile/Organization.ts"
import { html } from "../../../platform/pages/Html.ts"
import { logoPicture } from "../../../platform/pages/PageFrame.ts"
import type { PanelRequest } from "../Panel.ts"
import { procedureForm } from "../ProcedureForm.ts"
import { organizationOf, organizationPlace, partOf } from "./OrganizationsPages.ts"

const profile = [
  "name",
  "address_line1",
  "address_line2",
  "postal_code",
  "city",
  "contact_name",
  "contact_email",
  "contact_phone",
  "website",
  "tax_number",
  "registration_number",
  "legal_form",
  "register_court",
  "share_capital",
  "managing_directors",
  "national_tax_number",
  "late_payment_penalty",
  "early_payment_discount",
  "language",
  "timezone"
] as const

/** Fields that must not be emptied. */
const needed: ReadonlySet<string> = new Set(["name", "language", "timezone"])

const hasLines: ReadonlySet<string> = new Set(["late_payment_penalty", "early_payment_discount"])

const editProfile = procedureForm("UpdateOrganization", organizationPlace, {
  path: "profile",
  load: organizationOf,
  title: "Name and address",
  submit: "Save",
  changesOnly: true,
  questions: Object.fromEntries(
    profile.map((name) => [
      name,
      {
        value: (organization: Organization) => organization[name],
        required: needed.has(name),
        ...(hasLines.has(name) ? { kind: "area" as const } : {})
      }
    ])
  )
})

/** The form omits the texts of messages, because they are edited and previewed through the API. */
const settings = Struct.keys(OrganizationSettings.fields).filter((key) => key !== "mail_texts")

const spaceless = (text: string) => text.replaceAll(" ", "").toUpperCase()

const editSettings = procedureForm("UpdateOrganization", organizationPlace, {
  path: "settings",
  load: organizationOf,
  title: "Settings",
  submit: "Save",
  changesOnly: true,
  before: () => html`<p class="muted">An empty field restores the default.</p>`,
  entriesOf: "settings",
  questions: Object.fromEntries(
    settings.map((key) => [
      key,
      {
        value: ({ settings }: Organization) => String(settings[key] ?? ""),
        ...(key === "it_tax_regime" ? { label: "Italian tax regime" } : {}),
        ...(key === "document_footer" ? { kind: "area" as const } : {}),
        ...(key === "payment_iban" || key === "payment_bic" ? { characters_max: 42, spelled: spaceless } : {})
      }
    ])
  )
})

const logo = partOf("logo", "the logo")

const logoOf = Effect.fnUntraced(function* (asked: PanelRequest) {
  const { id, name } = yield* organizationOf(asked)
  const stored = yield* (yield* Logos).current(id)
  return { name, png: Option.getOrUndefined(Option.map(stored, ({ png }) => png)) }
})

const setLogo = procedureForm("UpdateOrganization", organizationPlace, {
  path: "logo",
  load: logoOf,
  title: "Logo",
  submit: "Store the logo",
  before: ({ name, png }, home) =>
    png === undefined
      ? html`<p>${name} has no logo, so its name is printed instead.</p>`
      : html`<p>${logoPicture(`Logo of ${name}`, png)}</p>
          <p><a href="${home}/logo/remove">Remove the logo</a></p>`,
  questions: {
    logo: {
      kind: "file",
      hint: "PNG, JPEG or SVG, at most 512 KiB. It is printed on documents that are issued from then on.",
      required: true,
      accept: "image/png,image/jpeg,image/svg+xml"
    }
  }
})

const removeLogo = procedureForm("UpdateOrganization", logo, {
  path: "remove",
  load: logoOf,
  title: ({ name }) => `Remove the logo of ${name}?`,
  submit: "Remove the logo",
  danger: true,
  before: () => html`<p>Documents that were already issued keep it.</p>`,
  given: () => ({ logo: null })
})

export const ProfileRoutes = Layer.mergeAll(editProfile, editSettings, setLogo, removeLogo)
