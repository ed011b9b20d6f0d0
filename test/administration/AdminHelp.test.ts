import { assert, describe, it } from "@effect/vitest"
import { forPeople } from "../../src/administration/cli/Output.ts"
import { runCommand } from "./CommandLine.ts"

describe("the help of npm run admin", () => {
  it("says which flags a command needs", async () => {
    const { stdout } = await runCommand(["organization", "create", "--help"])
    assert.match(stdout, /--name string +Name of the organization \(required\)/)
    assert.match(stdout, /--owner-name string +Name of a new owner\n/)
  })

  it.each([
    ["token", "issue-organization", /--scope choice .*webhooks:write\)\n/],
    ["client", "create", /--scope choice .*webhooks:write, \*\)\n/]
  ])("offers %s %s no scope that is refused, and needs none", async (group, command, scopes) => {
    const { stdout } = await runCommand([group, command, "--help"])
    assert.match(stdout, scopes)
    assert.notMatch(stdout, /--scope choice .*may be repeated.*\(required\)/)
  })

  it("suggests a command for the word that begins its name, after a short help", async () => {
    const { failure, stderr } = await runCommand(["token", "list"])
    assert.isDefined(failure)
    assert.match(stderr, /Did you mean this\?\n +list-organization\n\nDESCRIPTION/)
    assert.notInclude(stderr, "--log-level")
  })
})

describe("an answer for people", () => {
  it("says that a list is empty", () => {
    assert.strictEqual(forPeople({ incidents: [], total: 0 }), "incidents  none\ntotal      0")
  })
})
