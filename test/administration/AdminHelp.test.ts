import { assert, describe, it } from "@effect/vitest"
import { execFile } from "node:child_process"
import { forPeople } from "../../src/administration/cli/Output.ts"

/** Runs a command that calls no server. */
const admin = (...line: ReadonlyArray<string>) =>
  new Promise<{ readonly failed: boolean; readonly stdout: string; readonly stderr: string }>((done) => {
    execFile(process.execPath, ["scripts/admin.ts", ...line], (error, stdout, stderr) =>
      done({ failed: error !== null, stdout, stderr })
    )
  })

describe("the help of npm run admin", () => {
  it("says which flags a command needs", async () => {
    const { stdout } = await admin("organization", "create", "--help")
    assert.match(stdout, /--name string +Name of the organization \(required\)/)
    assert.match(stdout, /--owner-name string +Name of a new owner\n/)
  })

  it.each([
    ["token", "issue-organization", /--scope choice .*webhooks:write\)\n/],
    ["client", "create", /--scope choice .*webhooks:write, \*\)\n/]
  ])("offers %s %s no scope that is refused, and needs none", async (group, command, scopes) => {
    const { stdout } = await admin(group, command, "--help")
    assert.match(stdout, scopes)
    assert.notMatch(stdout, /--scope choice .*may be repeated.*\(required\)/)
  })

  it("suggests a command for the word that begins its name, after a short help", async () => {
    const { failed, stderr } = await admin("token", "list")
    assert.isTrue(failed)
    assert.match(stderr, /Did you mean this\?\n +list-organization\n\nDESCRIPTION/)
    assert.notInclude(stderr, "--log-level")
  })
})

describe("an answer for people", () => {
  it("says that a list is empty", () => {
    assert.strictEqual(forPeople({ incidents: [], total: 0 }), "incidents  none\ntotal      0")
  })
})
