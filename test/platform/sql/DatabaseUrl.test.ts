import { Effect, Redacted } from "effect"
import { describe, expect, it } from "vitest"
import { parseDatabaseUrl } from "../../../src/platform/sql/DatabaseUrl.ts"

const parsed = (url: string) => Effect.runPromise(parseDatabaseUrl("DATABASE_URL", Redacted.make(url), "read-write"))
const refusal = (url: string) =>
  Effect.runPromise(Effect.flip(parseDatabaseUrl("DATABASE_URL", Redacted.make(url), "read-write")))

describe("DATABASE_URL", () => {
  it("names one server, which is used whatever it is", async () => {
    const found = await parsed("postgres://me:p%40ss@db.example.com/books?sslmode=require&prepare=false")
    expect(found).toMatchObject({ host: "db.example.com", port: 5432, database: "books", username: "me" })
    expect(found).toMatchObject({ ssl: true, prepare: false })
    expect(Redacted.value(found.password)).toBe("p@ss")
    expect(found.choice).toBe(undefined)
  })

  it("names several servers, of which the one that accepts writes is used", async () => {
    const { choice, host, port } = await parsed("postgresql://me:secret@a:5433,[::1],c/books")
    const servers = [
      { host: "a", port: 5433 },
      { host: "::1", port: 5432 },
      { host: "c", port: 5432 }
    ]
    expect({ host, port, choice }).toEqual({ ...servers[0], choice: { servers, kind: "read-write" } })
  })

  it("says with target_session_attrs which server is wanted", async () => {
    const { choice } = await parsed("postgres://a,b/books?target_session_attrs=standby")
    expect(choice?.kind).toBe("standby")
    const { message } = await refusal("postgres://a,b/books?target_session_attrs=master")
    expect(message).toMatch(/^target_session_attrs of DATABASE_URL must be any, read-write, /)
  })

  it.each([
    ["sslmode=required", "sslmode of DATABASE_URL must be disable, allow, prefer, require, verify-ca, verify-full."],
    ["sslmode=", "sslmode of DATABASE_URL must be disable, allow, prefer, require, verify-ca, verify-full."],
    ["prepare=no", "prepare of DATABASE_URL must be true, false."],
    [
      "sslmod=require",
      "DATABASE_URL has the unknown parameter sslmod; known are sslmode, prepare, target_session_attrs."
    ]
  ])("is refused with %s, which would silently mean something else", async (parameter, sentence) => {
    expect((await refusal(`postgres://me:secret@a/books?${parameter}`)).message).toBe(sentence)
  })

  it("may have the parameters that providers add", async () => {
    const found = await parsed("postgres://a/b?sslmode=require&channel_binding=require&connect_timeout=10")
    expect(found.ssl).toBe(true)
  })

  it("does not print the end of a password that holds unencoded @ and /", async () => {
    const { message } = await refusal("postgres://me:p@rt/s3cret@db.example.com/books")
    expect(message).toMatch(/^DATABASE_URL must have the form /)
  })

  it.each(["mysql://a/b", "postgres://a", "postgres://a/", "postgres://a,/b", "postgres://a:x/b", "a"])(
    "is refused as %s without printing it",
    async (url) => {
      const { message } = await refusal(url)
      expect(message).toMatch(/^DATABASE_URL must have the form /)
    }
  )
})
