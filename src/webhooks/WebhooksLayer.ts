import { Layer } from "effect"
import { Deliveries } from "./deliveries/Deliveries.ts"
import { DeliveryWorker } from "./deliveries/DeliveryWorker.ts"
import { DisconnectionWorker } from "./disconnections/DisconnectionWorker.ts"
import { EventArchivingWorker } from "./events/EventArchivingWorker.ts"
import { Events } from "./events/Events.ts"
import { EventsHttp } from "./events/EventsHttp.ts"
import { WebhookNoticeWorker } from "./notices/WebhookNoticeMail.ts"
import { Webhooks } from "./Webhooks.ts"
import { WebhooksHttp } from "./WebhooksHttp.ts"

export const WebhooksLayer = Layer.mergeAll(WebhooksHttp, EventsHttp).pipe(
  Layer.provide([Webhooks.layer, Deliveries.layer, Events.layer])
)

export const WebhooksWorkers = Layer.mergeAll(
  DeliveryWorker.pipe(Layer.provide(Deliveries.layer)),
  DisconnectionWorker,
  EventArchivingWorker,
  WebhookNoticeWorker
)
