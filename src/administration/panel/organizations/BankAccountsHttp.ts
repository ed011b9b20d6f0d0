import { Effect, Layer } from "effect"
import { AccountAdministration } from "../../../banking/accounts/AccountAdministration.ts"
import { BankAccountDraft, ProviderBalance } from "../../../banking/accounts/BankAccount.ts"
import { BankAccountId } from "../../../kernel/Ids.ts"
import { formPage, type PanelRequest, showPage } from "../Panel.ts"
import { at, decoded, idOf, pageOf, textOf } from "../PanelInput.ts"
import { archiveAccountPage, balancePage, bankAccountsPage, newAccountPage } from "./BankAccountsPage.ts"
import { organizationOf } from "./OrganizationsHttp.ts"

const list = showPage(
  "/admin/organizations/:organization_id/bank-accounts",
  Effect.fnUntraced(function* (asked) {
    const organization = yield* organizationOf(asked)
    const request = pageOf(asked.query)
    return bankAccountsPage(organization, yield* (yield* AccountAdministration).list(organization.id, request), request)
  })
)

const add = formPage("/admin/organizations/:organization_id/bank-accounts/new", {
  load: organizationOf,
  page: newAccountPage,
  submit: Effect.fnUntraced(function* ({ id }, fields, { actor }) {
    const draft = yield* decoded(BankAccountDraft, {
      name: textOf(fields, "name") ?? "",
      // People type an IBAN as banks print it, in groups of four.
      iban: textOf(fields, "iban")?.replaceAll(" ", "").toUpperCase(),
      account_number: textOf(fields, "account_number"),
      bank_code: textOf(fields, "bank_code"),
      bic: textOf(fields, "bic")?.toUpperCase(),
      currency: textOf(fields, "currency")?.toUpperCase() ?? ""
    })
    yield* (yield* AccountAdministration).open(id, draft, actor).pipe(Effect.catchTag("IbanTaken", at("iban")))
    return `/admin/organizations/${id}/bank-accounts?done=account`
  })
})

const accountOf = Effect.fnUntraced(function* (asked: PanelRequest) {
  const organization = yield* organizationOf(asked)
  const id = yield* idOf(BankAccountId, asked.params["bank_account_id"])
  return { organization, account: yield* (yield* AccountAdministration).find(organization.id, id) }
})

const setBalance = formPage("/admin/organizations/:organization_id/bank-accounts/:bank_account_id/balance", {
  load: accountOf,
  page: balancePage,
  submit: Effect.fnUntraced(function* ({ account, organization: { id } }, fields, { actor }) {
    const balance = yield* decoded(ProviderBalance, {
      balance: textOf(fields, "balance")?.replace(",", ".") ?? "",
      at: textOf(fields, "at") ?? ""
    })
    yield* (yield* AccountAdministration).setProviderBalance(id, account.id, balance, actor)
    return `/admin/organizations/${id}/bank-accounts?done=balance`
  })
})

const archive = formPage("/admin/organizations/:organization_id/bank-accounts/:bank_account_id/archive", {
  load: accountOf,
  page: archiveAccountPage,
  submit: Effect.fnUntraced(function* ({ account, organization: { id } }, _, { actor }) {
    yield* (yield* AccountAdministration).archive(id, account.id, actor)
    return `/admin/organizations/${id}/bank-accounts?done=account_archived`
  })
})

export const BankAccountsRoutes = Layer.mergeAll(list, add, setBalance, archive)
