import { Layer } from "effect"
import { Browser } from "../identity/session/Browser.ts"
import { Users } from "../identity/users/Users.ts"
import { InvitationPages } from "./invitations/InvitationsHttp.ts"
import { InvitationMailsPurgeWorker } from "./invitations/InvitationMailsPurge.ts"
import { InvitationMailWorker } from "./invitations/InvitationMailWorker.ts"
import { Invitations } from "./invitations/Invitations.ts"
import { Members } from "./members/Members.ts"
import { Logos } from "./logo/Logos.ts"
import { MembersHttp } from "./MembersHttp.ts"
import { OrganizationBindingLive } from "./OrganizationBindingLive.ts"
import { Organizations } from "./Organizations.ts"
import { OrganizationsHttp } from "./OrganizationsHttp.ts"

const OrganizationsServices = Layer.mergeAll(
  Organizations.layer,
  Logos.layer,
  Members.layer,
  Invitations.layer,
  OrganizationBindingLive
)

export const OrganizationsLayer = Layer.mergeAll(OrganizationsHttp, MembersHttp).pipe(
  Layer.provide(OrganizationsServices)
)

export const OrganizationsPages = InvitationPages.pipe(Layer.provide([Invitations.layer, Users.layer, Browser.layer]))

export const OrganizationsWorkers = Layer.merge(InvitationMailWorker, InvitationMailsPurgeWorker)
