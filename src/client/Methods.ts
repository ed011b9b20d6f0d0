import type { Client, FetchOptions, ParseAs, ParseAsResponse } from "openapi-fetch"
import type { Deleted as DeletedRow } from "./Lists.ts"
import type { components, paths } from "./openapi.ts"
import type { Coded } from "./Refused.ts"

/**
 * The typed client: `GET`, `POST`, `PUT`, `PATCH` and `DELETE` take a path of the OpenAPI document. The methods of
 * `openapi-fetch` would also accept options with unknown fields, because they infer the type of the options.
 */
export interface Invoicing extends Pick<Client<paths>, "use" | "eject"> {
  readonly GET: Method<"get">
  readonly POST: Method<"post">
  readonly PUT: Method<"put">
  readonly PATCH: Method<"patch">
  readonly DELETE: Method<"delete">
}

type Method<Verb extends "get" | "post" | "put" | "patch" | "delete"> = <
  Path extends PathWith<Verb>,
  Format extends ParseAs = "json",
  DryRun extends boolean = false,
  Deleted extends boolean = false,
  Cursor extends string = never
>(
  path: Path,
  ...options: Given<Options<paths[Path][Verb], Format, DryRun, Deleted, Cursor>>
) => Promise<Answer<paths[Path][Verb], Format, DryRun, Deleted, Cursor>>

type PathWith<Verb extends keyof paths[keyof paths]> = {
  [Path in keyof paths]: paths[Path][Verb] extends object ? Path : never
}[keyof paths]

/** A caller may omit the options if none of them is required. */
type Given<Values> = {} extends Values ? [options?: Values] : [options: Values]

/** The condition, which is always true, keeps the compiler from combining the options of different operations. */
type Options<Operation, Format, DryRun, Deleted, Cursor> = Operation extends { parameters: infer Values }
  ? Parameters<
      Values &
        Choice<Values, "dry_run", { query?: { dry_run?: DryRun } }> &
        Choice<Values, "deleted", { query?: { deleted?: Deleted } }> &
        Choice<Values, "cursor", { query?: { cursor?: Cursor } }>
    > &
      Body<Operation> &
      Reading<Operation, Format> &
      Settings
  : never

type Parameters<Values> = {} extends Values ? { readonly params?: Values } : { readonly params: Values }

/** A parameter of the query on whose value the type of the answer depends, if the operation has this parameter. */
type Choice<Values, Name, Parameter> = Values extends { query?: infer Query }
  ? Name extends ([NonNullable<Query>] extends [never] ? never : keyof NonNullable<Query>)
    ? Parameter
    : unknown
  : unknown

type Body<Operation> = Operation extends { requestBody: { content: infer Bodies } }
  ? { readonly body: Bodies[keyof Bodies] }
  : Operation extends { requestBody?: { content: infer Bodies } }
    ? { readonly body?: Bodies[keyof Bodies] }
    : unknown

/** An operation that may answer with a file needs `parseAs`, because the content of a file need not be JSON. */
type Reading<Operation, Format> = Operation extends { responses: { 200: { content: infer Contents } } }
  ? keyof Contents extends "application/json"
    ? { readonly parseAs?: Format }
    : { readonly parseAs: "application/json" extends keyof Contents ? Format : Format & Exclude<ParseAs, "json"> }
  : { readonly parseAs?: Format }

/** Options that are the same for all operations, such as `headers`, `signal` and `fetch`. */
type Settings = Omit<FetchOptions<unknown>, "params" | "body" | "parseAs" | "method">

type SuccessStatus = 200 | 201 | 202
type OtherStatus = 302 | 304

type Success<Operation> = Operation extends { responses: infer Each }
  ? ContentOf<Each[keyof Each & SuccessStatus]>
  : never
type Failure<Operation> = Operation extends { responses: infer Each }
  ? ContentOf<Each[Exclude<keyof Each, SuccessStatus | OtherStatus>]>
  : never
type ContentOf<Answered> = Answered extends { content: infer Contents } ? Contents[keyof Contents] : never

type Answer<Operation, Format, DryRun, Deleted, Cursor> =
  | {
      readonly data: ParseAsResponse<Chosen<Success<Operation>, DryRun, Deleted, Cursor>, { parseAs: Format }>
      readonly error?: never
      readonly response: Response
    }
  | {
      readonly data?: never
      readonly error: Coded<Failure<Operation>>
      readonly response: Response
    }

type Hits = components["schemas"]["BankRuleWithHits"]

/** The answer to the chosen parameters: a list or its deleted records, by page or by cursor; a write or a dry run. */
type Chosen<Body, DryRun, Deleted, Cursor> = Body extends { data: ReadonlyArray<infer Row>; meta: infer Meta }
  ? Omit<Body, "data" | "meta"> & {
      data: Array<Either<Row, DeletedRow, Deleted>>
      meta: Either<Meta, { next_cursor: unknown }, [Cursor] extends [never] ? false : true>
    }
  : Body extends { data: infer Data }
    ? [Extract<Data, Hits>] extends [never]
      ? Body
      : Omit<Body, "data"> & { data: Either<Data, Hits, DryRun> }
    : Body

/** The member of a union if it is chosen, otherwise the other members; the whole union if there is no choice. */
type Either<Union, Member, IsChosen> = [Extract<Union, Member>] extends [never]
  ? Union
  : IsChosen extends true
    ? Extract<Union, Member>
    : Exclude<Union, Member>
