import { expect } from "vitest"
import type { Parts } from "../../support/App.ts"
import type { Books } from "../../support/Billing.ts"
import { useArchive } from "../DocumentArchiver.ts"

/** Runs the service with at most three objects in each export, and returns helpers for tests of exports. */
export const useExports = (parts?: Parts) => {
  const archive = useArchive(
    { archive: { plans: ["business"], retentionDays: 3650, exportDays: 7, exportObjectsMax: 3 } },
    parts
  )
  const { app, archiveAll, open, order } = archive
  return {
    ...archive,
    filled: async (count: number) => {
      const ours = await open()
      for (let index = 0; index < count; index++) await ours.issued({ issue_date: `2026-0${index + 1}-10` })
      await archiveAll(ours)
      return ours
    },
    ordered: async (ours: Books, filters?: object): Promise<number> => {
      const { body, status } = await order(ours, filters)
      expect(status).toBe(202)
      return body.data.id
    },
    collect: async (ours: Books, id: number) => {
      const response = await fetch(`${app.url}/api/v1/archive/exports/${id}/download`, {
        headers: { authorization: `Bearer ${ours.owner.token}`, "x-organization-id": String(ours.id) },
        signal: AbortSignal.timeout(20_000)
      })
      return { response, bytes: new Uint8Array(await response.arrayBuffer()) }
    },
    status: async (ours: Books, id: number) => (await ours.made("GET", `/archive/exports/${id}`)).status
  }
}
