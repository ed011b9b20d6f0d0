import { assert } from "@effect/vitest"
import { setTimeout as sleep } from "node:timers/promises"
import type { Service } from "../../support/service/Service.ts"
import { ask as askIn } from "./Transfers.ts"

interface Copy {
  readonly service: Service
  readonly ask: (statement: string) => Promise<ReadonlyArray<{ readonly state?: string }>>
  readonly hold: () => Promise<unknown>
  readonly resume: () => Promise<{ readonly background_work: string }>
}

/** Asserts that a due job of a restored copy waits until the operator lets the copy resume its work. */
export const assertHeld = async ({ ask, hold, resume, service }: Copy) => {
  assert.include(service.output(), "background work is held, because this is a restored copy")
  await ask(`
    insert into jobs (id, queue_name, element, state, attempts, visible_at, created_at, updated_at)
    values ('of-the-copy', 'timed.edge.purge', '{"payload":{"slot":1},"traceparent":null}', 'pending', 0, now(), now(), now())`)
  const state = async () => (await ask("select state from jobs where id = 'of-the-copy'"))[0]?.state
  assert.strictEqual((await fetch(`${service.url}/health/ready`)).status, 200)
  assert.strictEqual(await state(), "pending")
  assert.strictEqual((await resume()).background_work, "resumed")
  assert.strictEqual((await resume()).background_work, "was not held")
  // A copy that another tool has made has no row that marks it as a copy. `hold` adds the row, and a second call
  // changes nothing.
  for (let times = 0; times < 2; times++) await hold()
  assert.lengthOf(await ask("select from restored_copies where resumed_at is null"), 1)
  assert.strictEqual((await resume()).background_work, "resumed")
  while ((await state()) !== "completed") await sleep(100)
}

/** Makes the statement `analyze` fail, which a restore runs after it has committed all rows. */
export const refuseAnalyze = async (url: string) => {
  await askIn(
    url,
    `create function refuse_analyze(bigint) returns bigint immutable language plpgsql as $$
     begin
       if current_query() = 'analyze' then raise exception 'stopped'; end if;
       return $1;
     end $$`
  )
  await askIn(url, "create index on organizations (refuse_analyze(id))")
}
