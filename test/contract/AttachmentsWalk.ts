import { race } from "../support/Billing.ts"
import { upload } from "./Upload.ts"
import type { walk } from "./Walk.ts"

/** Every answer about the attachments at `path`. */
export const walkAttachments = async (ask: ReturnType<ReturnType<typeof walk>["caller"]>, path: string) => {
  const file = await upload()
  const attachment = await ask(201, `POST ${path}`, undefined, file)
  await ask(200, `GET ${path}?per_page=1`)
  await ask(200, `GET ${path}/${attachment.id}/download`)
  await ask(400, `POST ${path}`, "", { headers: { "content-type": "multipart/form-data" } })
  await ask(422, `POST ${path}`, {})
  await race(99, () => ask(201, `POST ${path}`, undefined, file))
  await ask(422, `POST ${path}`, undefined, file)
  await ask(200, `DELETE ${path}/${attachment.id}`)
  await ask(404, `GET ${path}/${attachment.id}/download`)
}
