import { assert, describe, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import { lockOf } from "../../../src/administration/cli/commands/BackupCommands.ts"

describe("the lock of a backup", () => {
  it("names the flag when a recipient is not a key", async () => {
    const wrong = { passphrase: Option.none(), recipients: ["age1foo"] }
    const { userMessage } = await Effect.runPromise(Effect.flip(lockOf(wrong)))
    assert.match(String(userMessage), /^--recipient must be a public age key/)
  })

  it("refuses an empty or short passphrase, with which anybody could read the backup", async () => {
    for (const text of ["", "horse"]) {
      const wrong = { passphrase: Option.some(text), recipients: [] }
      const { userMessage } = await Effect.runPromise(Effect.flip(lockOf(wrong)))
      assert.match(String(userMessage), /^--passphrase-file must contain a passphrase of at least 8 characters/)
    }
  })
})
