import { assert, describe, it } from "vitest"
import { useBilling } from "../../support/Billing.ts"
import { ruleChildren } from "./RuleChildren.ts"

const { open } = useBilling()

/** Much longer than a request that waits for no process. */
const wait_max_ms = 10_000

describe("PUT /api/v1/bank-rules/{id} with unchanged conditions", () => {
  it("deactivates the rule while the process that checks regular expressions is busy", async () => {
    const books = await open()
    const rule = {
      name: "travel",
      conditions: [
        { type: "remittance_regex", value: "ticket \\d+" },
        { type: "amount_min", value: 2.5 }
      ],
      actions: { category: "travel" }
    }
    const { id } = await books.made("POST", "/bank-rules", rule)
    const [child] = ruleChildren()
    assert.isDefined(child)
    process.kill(child ?? 0, "SIGSTOP")
    const late = new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), wait_max_ms))
    const answer = await Promise.race([books.call("PUT", `/bank-rules/${id}`, { ...rule, is_active: false }), late])
    process.kill(child ?? 0, "SIGCONT")
    assert.deepEqual([answer?.status, answer?.body.data.is_active], [200, false])
    const invalid = { ...rule, conditions: [{ type: "remittance_regex", value: "(" }] }
    assert.equal((await books.call("PUT", `/bank-rules/${id}`, invalid)).status, 422)
  })
})
