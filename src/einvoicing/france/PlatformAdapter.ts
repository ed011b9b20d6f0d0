import { Effect, Schema } from "effect"
import { described } from "../../kernel/Described.ts"
import type { OrganizationId } from "../../kernel/Ids.ts"
import { Outbound } from "../../platform/outbound/Outbound.ts"
import { adapter, HttpUrl } from "../providers/Adapter.ts"
import { NetworkRefused, NetworkUnavailable, type Provider } from "../providers/Provider.ts"
import { SubmissionsOnce } from "../providers/SubmissionsOnce.ts"
import { annuaireOf } from "./Annuaire.ts"
import { makeAnswers } from "./Answers.ts"
import { makeFlowInbox } from "./FlowInbox.ts"
import { makeFlowOutbox } from "./FlowOutbox.ts"
import { flowReports, reportingSettings } from "./FlowReports.ts"
import { flowService } from "./Flows.ts"
import { IncomingFlowsRepo } from "./IncomingFlowsRepo.ts"
import { accessTokens, Credentials, platformClient } from "./PlatformClient.ts"

const Settings = Schema.Struct({
  flow_url: described(HttpUrl, "Address of the platform's flow service, before `/v1`."),
  directory_url: described(HttpUrl, "Address of the platform's directory service, before `/v1`."),
  token_url: described(HttpUrl, "Address at which the platform issues access tokens (OAuth 2 client credentials)."),
  client_id: described(Schema.NonEmptyString, "Name of the organization's account."),
  client_secret: described(Schema.RedactedFromValue(Schema.NonEmptyString), "Secret of the account."),
  platform_organization: described(
    Schema.optionalKey(Schema.NonEmptyString),
    "The organization (`Organization-Id`), for an account with several organizations."
  ),
  environment: described(
    Schema.optionalKey(Schema.Literals(["production", "sandbox"])),
    "`sandbox` for the platform's test environment. Default: `production`."
  ),
  ...reportingSettings
})

/** The interface of every approved French platform: the flow and directory services of XP Z12-013. */
export const platformAdapter = Effect.gen(function* () {
  const outbound = yield* Outbound
  const once = yield* SubmissionsOnce
  const tokens = yield* accessTokens(outbound)
  const told = yield* IncomingFlowsRepo
  const inboxOf = yield* makeFlowInbox
  const outboxOf = yield* makeFlowOutbox
  const answersOf = yield* makeAnswers

  const connect = (organization_id: OrganizationId, settings: typeof Settings.Type): Provider => {
    const { client_id, client_secret, directory_url, environment = "production", flow_url, token_url } = settings
    const credentials = new Credentials({ token_url, client_id, client_secret })
    const organization = settings.platform_organization ?? null
    const client = platformClient(outbound, tokens, { credentials, organization })
    const flows = flowService(client, once, { flow_url, organization_id })
    const annuaire = annuaireOf(client, directory_url)
    const { arrivals, collect } = inboxOf(flows, organization_id)

    return {
      name: environment === "production" ? "Plateforme agréée" : "Plateforme agréée (test)",
      environment,
      offline: ["withdraw", "confirm"],
      check: client.authorize.pipe(
        Effect.catchTags({
          Unanswered: ({ message }) => Effect.fail(new NetworkUnavailable({ message })),
          Unexpected: ({ message }) => Effect.fail(new NetworkRefused({ code: "refused", message }))
        }),
        Effect.andThen(flows.health),
        Effect.andThen(annuaire.health)
      ),
      lookup: annuaire.lookup,
      enroll: annuaire.requireLines,
      update: annuaire.requireLines,
      // The organization's addresses stay in the directory, so that documents on their way still arrive.
      withdraw: () => Effect.void,
      ...outboxOf({ annuaire, collect, flows, once }, organization_id),
      arrivals,
      ...answersOf(flows, organization_id, settings.vat_on_debits ?? "no"),
      reporting: flowReports({ flows, once, told }, organization_id, settings)
    }
  }

  const account = ({ client_id, flow_url, platform_organization }: typeof Settings.Type) =>
    [new URL(flow_url).host, client_id, ...(platform_organization === undefined ? [] : [platform_organization])].join(
      "/"
    )
  const code = "xp_z12_013"
  return adapter({ code, network: "fr_ctc", name: "XP Z12-013", settings: Settings, account, connect })
}).pipe(Effect.provide(IncomingFlowsRepo.layer))
