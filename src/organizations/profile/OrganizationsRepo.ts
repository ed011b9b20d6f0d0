import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer, Schema, Struct } from "effect"
import { SqlSchema } from "effect/sql"
import { TimeZone } from "../../kernel/Calendar.ts"
import { OrganizationId, UserId } from "../../kernel/Ids.ts"
import { OrganizationSettings } from "../../kernel/OrganizationSettings.ts"
import { Organization, OrganizationDraft } from "./Organization.ts"
import { traced } from "../../platform/sql/Traced.ts"

/** The stored record, whose settings object contains only values that differ from the defaults. */
const Stored = Schema.Struct({
  ...Organization.fields,
  settings: OrganizationSettings,
  currency_in_use: Schema.Boolean
})

const Insert = Schema.Struct({ ...Struct.omit(OrganizationDraft.fields, ["owner_id"]), search: Schema.String })

const Save = Schema.Struct({
  ...Struct.omit(Organization.fields, [
    "country",
    "settings",
    "logo",
    "archived_at",
    "created_at",
    "updated_at",
    "version"
  ]),
  /** The hash of a stored logo; absent if the logo does not change. */
  logo_sha256: Schema.optionalKey(Schema.NullOr(Schema.String)),
  setting_changes: Schema.Record(Schema.String, Schema.Json),
  search: Schema.String
})

/** The column `logo` contains the hash of the logo's file. Clients get the URL of the logo instead. */
const logo_address = "case when logo is not null then '/api/v1/organizations/' || id || '/logo' end as logo"

/** Selects the organizations that a caller may list. If both ids are null, no organization is selected. */
const Visible = Schema.Struct({
  user_id: Schema.NullOr(UserId),
  bound_organization_id: Schema.NullOr(OrganizationId),
  pattern: Schema.UndefinedOr(Schema.String)
})

const Page = Schema.Struct({ ...Visible.fields, limit: Schema.Int, offset: Schema.Int })

/** The rows of this table are organizations, so lists select by user and not by organization. */
export class OrganizationsRepo extends Context.Service<OrganizationsRepo>()(
  "invoicing/organizations/profile/OrganizationsRepo",
  {
    make: Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const columns = sql.literal(
        Struct.keys(Stored.fields)
          .map((column) => (column === "logo" ? logo_address : column))
          .join(", ")
      )

      const select = (locking: "" | "for no key update") =>
        SqlSchema.findOneOption({
          Request: OrganizationId,
          Result: Stored,
          execute: (id) => sql`select ${columns} from organizations where id = ${id} ${sql.literal(locking)}`
        })

      const insert = SqlSchema.findOne({
        Request: Insert,
        Result: Stored,
        execute: (row) => sql`insert into organizations ${sql.insert(row)} returning ${columns}`
      })

      const save = SqlSchema.findOne({
        Request: Save,
        Result: Stored,
        execute: ({ id, logo_sha256, setting_changes, ...row }) => sql`
          update organizations set ${sql.update(logo_sha256 === undefined ? row : { ...row, logo: logo_sha256 })},
            settings = jsonb_strip_nulls(settings || ${sql.json(setting_changes)}),
            updated_at = now(), version = version + 1
          where id = ${id} returning ${columns}`
      })

      const visible = ({ bound_organization_id, pattern, user_id }: typeof Visible.Encoded) => sql`
        (id in (select organization_id from members where user_id = ${user_id} and status = 'active')
          or (${user_id}::bigint is null and id = ${bound_organization_id}))
        and id = coalesce(${bound_organization_id}::bigint, id)
        and search like coalesce(${pattern}::text, '%')`

      const list = SqlSchema.findAll({
        Request: Page,
        Result: Stored,
        execute: ({ limit, offset, ...filter }) => sql`
          select ${columns} from organizations where ${visible(filter)}
          order by id desc limit ${limit} offset ${offset}`
      })

      const count = SqlSchema.findOne({
        Request: Visible,
        Result: Schema.Struct({ total: Schema.Int }),
        execute: (filter) => sql`select count(*) as total from organizations where ${visible(filter)}`
      })

      const listAll = SqlSchema.findAll({
        Request: Schema.Struct(Struct.pick(Page.fields, ["pattern", "limit", "offset"])),
        Result: Stored,
        execute: ({ limit, offset, pattern }) => sql`
          select ${columns} from organizations where search like coalesce(${pattern}::text, '%')
          order by id desc limit ${limit} offset ${offset}`
      })

      const countAll = SqlSchema.findOne({
        Request: Schema.UndefinedOr(Schema.String),
        Result: Schema.Struct({ total: Schema.Int }),
        execute: (pattern) =>
          sql`select count(*) as total from organizations where search like coalesce(${pattern}::text, '%')`
      })

      const setPlan = SqlSchema.findOneOption({
        Request: Schema.Struct(Struct.pick(Organization.fields, ["id", "plan"])),
        Result: Stored,
        execute: ({ id, plan }) => sql`
          update organizations set plan = ${plan}, updated_at = now(), version = version + 1
          where id = ${id} returning ${columns}`
      })

      const archive = SqlSchema.findOneOption({
        Request: OrganizationId,
        Result: Stored,
        execute: (id) => sql`
          update organizations set archived_at = now(), updated_at = now(), version = version + 1
          where id = ${id} and archived_at is null returning ${columns}`
      })
      const reopen = SqlSchema.findOneOption({
        Request: OrganizationId,
        Result: Stored,
        execute: (id) => sql`
          update organizations set archived_at = null, moved_at = null, updated_at = now(), version = version + 1
          where id = ${id} and archived_at is not null returning ${columns}`
      })

      const markCurrencyInUse = SqlSchema.void({
        Request: OrganizationId,
        execute: (id) => sql`update organizations set currency_in_use = true where id = ${id} and not currency_in_use`
      })

      const knowsTimeZone = SqlSchema.findOne({
        Request: TimeZone,
        Result: Schema.Struct({ known: Schema.Boolean }),
        execute: (timezone) =>
          sql`select exists (select from pg_timezone_names where lower(name) = lower(${timezone})) as known`
      })

      const nextInvoice = SqlSchema.findOneOption({
        Request: Schema.Struct({ id: OrganizationId, series: Schema.String }),
        Result: Schema.Struct({ next: Schema.Int }),
        execute: ({ id, series }) => sql`
          select next from document_counters
          where organization_id = ${id} and document = 'invoice' and series = ${series}`
      })

      return {
        ...traced("OrganizationsRepo", {
          nextInvoice,
          find: select(""),
          // Until the commit, other transactions can insert rows that refer to the organization, but must wait to change
          // the organization or its members.
          lock: select("for no key update"),
          insert,
          save,
          list,
          count,
          listAll,
          countAll,
          setPlan,
          /** Returns none when the organization is unknown or archived already. */
          archive,
          /** Returns none when the organization is unknown or not archived. */
          reopen,
          markCurrencyInUse
        }),
        /** Returns false for a zone that only the service knows, in which PostgreSQL could not compute dates. */
        knowsTimeZone: Effect.fn("OrganizationsRepo.knowsTimeZone")(
          knowsTimeZone,
          Effect.map(({ known }) => known),
          Effect.orDie
        )
      }
    })
  }
) {
  static readonly layer = Layer.effect(this, this.make)
}
