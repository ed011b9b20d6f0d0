import { Effect, Layer, Option, Schema } from "effect"
import { Approvals } from "../../../einvoicing/registrations/Approvals.ts"
import { RegistrationStatus } from "../../../einvoicing/registrations/Registration.ts"
import { OrganizationId, RegistrationId } from "../../../kernel/Ids.ts"
import { Name } from "../../../kernel/Text.ts"
import { formPage, type PanelRequest, showPage } from "../Panel.ts"
import { at, decoded, idOf, pageOf, textOf } from "../PanelInput.ts"
import { approvePage, deregisterPage, registrationsPage, rejectPage, suspendPage } from "./RegistrationsPage.ts"

const statusOf = Schema.decodeUnknownOption(RegistrationStatus)

const list = showPage(
  "/admin/registrations",
  Effect.fnUntraced(function* ({ query }) {
    const request = pageOf(query)
    const status = Option.getOrUndefined(statusOf(query.get("status")))
    const slice = yield* (yield* Approvals).list(status === undefined ? request : { ...request, status })
    return registrationsPage(slice, request, status)
  })
)

const registrationOf = Effect.fnUntraced(function* ({ params }: PanelRequest) {
  const organization_id = yield* idOf(OrganizationId, params["organization_id"])
  const id = yield* idOf(RegistrationId, params["registration_id"])
  return yield* (yield* Approvals).find({ organization_id, id })
})

/** Somebody else has decided already, or the network refuses. */
const refusals = {
  RegistrationUndecidable: at("registration"),
  RegistrationRefused: at("registration"),
  ProviderNotConfigured: at("registration"),
  NetworkFailed: at("registration")
}

const approve = formPage("/admin/registrations/:organization_id/:registration_id/approve", {
  load: registrationOf,
  page: approvePage,
  submit: Effect.fnUntraced(function* (registration, _, { actor }) {
    yield* (yield* Approvals).approve(registration, actor).pipe(Effect.catchTags(refusals))
    return "/admin/registrations?done=approved"
  })
})

const reject = formPage("/admin/registrations/:organization_id/:registration_id/reject", {
  load: registrationOf,
  page: rejectPage,
  submit: Effect.fnUntraced(function* (registration, fields, { actor }) {
    const { reason } = yield* decoded(Schema.Struct({ reason: Name }), { reason: textOf(fields, "reason") ?? "" })
    yield* (yield* Approvals)
      .reject(registration, reason, actor)
      .pipe(Effect.catchTag("RegistrationUndecidable", at("registration")))
    return "/admin/registrations?done=rejected"
  })
})

const suspend = formPage("/admin/registrations/:organization_id/:registration_id/suspend", {
  load: registrationOf,
  page: suspendPage,
  submit: Effect.fnUntraced(function* (registration, _, { actor }) {
    yield* (yield* Approvals).suspend(registration, actor).pipe(Effect.catchTags(refusals))
    return "/admin/registrations?done=suspended"
  })
})

const deregister = formPage("/admin/registrations/:organization_id/:registration_id/deregister", {
  load: registrationOf,
  page: deregisterPage,
  submit: Effect.fnUntraced(function* (registration, _, { actor }) {
    yield* (yield* Approvals).deregister(registration, actor).pipe(Effect.catchTags(refusals))
    return "/admin/registrations?done=deregistered"
  })
})

export const RegistrationsRoutes = Layer.mergeAll(list, approve, reject, suspend, deregister)
