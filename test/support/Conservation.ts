import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { expect } from "vitest"
import { verifiedAuditLog } from "./AuditLog.ts"
import { archiveInvariants } from "./books/ArchiveInvariants.ts"
import { bankInvariants } from "./books/BankInvariants.ts"
import { documentInvariants } from "./books/DocumentInvariants.ts"
import { submissionInvariants } from "./books/SubmissionInvariants.ts"
import { verifyTallies } from "./database/Tallies.ts"

const invariants = { ...documentInvariants, ...bankInvariants, ...archiveInvariants, ...submissionInvariants }

/** Checks what holds for every organization after any operations, including an unbroken audit chain. */
export const verifyBooks = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  for (const [invariant, violations] of Object.entries(invariants)) {
    expect(yield* sql.unsafe(violations), invariant).toEqual([])
  }
  yield* verifyTallies
  const organizations = yield* sql<{ organization_id: number }>`select organization_id from journals`
  yield* Effect.forEach(organizations, ({ organization_id }) => verifiedAuditLog(organization_id), { discard: true })
})
