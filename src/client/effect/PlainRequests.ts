import type { Brand, Schema } from "effect"
import type { HttpApi, HttpApiClient, HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"

/**
 * The type of a value in a path or query. The service gets text, but a caller may also pass a number that is decoded
 * from this text, numbers in a list, or a boolean.
 */
type InText<Text, Decoded> = Text extends string
  ? string extends Text
    ? [Decoded] extends [number | undefined]
      ? Text | number
      : Text
    : "true" extends Text
      ? Text | boolean
      : Text
  : Text extends ReadonlyArray<infer Item>
    ? ReadonlyArray<Item | number>
    : Text

type InTexts<Texts, Values> = [Texts] extends [never]
  ? never
  : { readonly [Name in keyof Texts]: InText<Texts[Name], Values[Name & keyof Values]> }

/**
 * The schema of a part of a request. The type that the endpoint's codec encodes to is too general (JSON or a tree of
 * texts), so this is the schema inside that codec.
 */
type Inner<Codec extends Schema.Constraint> = Codec extends { readonly schema: infer Part extends Schema.Constraint }
  ? Part
  : Codec

type Texts<Codec extends Schema.Constraint> = InTexts<Inner<Codec>["Encoded"], Inner<Codec>["Type"]>

/** A part of a request. A caller may omit it if it may be empty or null. */
type Part<Name extends string, Value> = [Value] extends [never]
  ? unknown
  : {} extends Value
    ? { readonly [_ in Name]?: Value }
    : null extends Value
      ? { readonly [_ in Name]?: Value }
      : { readonly [_ in Name]: Value }

type Multipart = Brand.Brand<HttpApiSchema.MultipartTypeId> | Brand.Brand<HttpApiSchema.MultipartStreamTypeId>

type Payload<Codec extends Schema.Constraint> = [Codec] extends [never]
  ? never
  : Codec["Type"] extends Multipart
    ? FormData
    : Inner<Codec>["Encoded"]

type Mode = HttpApiClient.Client.ResponseMode

/** The parts of a request with values as they are sent, and headers such as `If-Match` and `Idempotency-Key`. */
type PlainRequest<Endpoint extends HttpApiEndpoint.ConstraintRequest> = Part<"params", Texts<Endpoint["~Params"]>> &
  Part<"query", Texts<Endpoint["~Query"]>> &
  Part<"payload", Payload<Endpoint["~Payload"]>> & { readonly headers?: Readonly<Record<string, string>> }

/** A method of the client. With `responseMode: "decoded-and-response"`, the method also returns the response. */
type Method<Endpoint extends HttpApiEndpoint.ConstraintRequest> = <Responds extends Mode = "decoded-only">(
  ...request: {} extends PlainRequest<Endpoint>
    ? [request?: PlainRequest<Endpoint> & { readonly responseMode?: Responds }]
    : [request: PlainRequest<Endpoint> & { readonly responseMode?: Responds }]
) => HttpApiClient.Client.MethodReturn<Endpoint, never, never, Responds, never>

type Methods<Group extends HttpApiGroup.Constraint> = {
  readonly [Name in keyof Group["endpoints"]]: Group["endpoints"][Name] extends HttpApiEndpoint.ConstraintRequest
    ? Method<Group["endpoints"][Name]>
    : never
}

/** A client whose methods take plain values, and return decoded values or fail with their exact errors. */
export type PlainClient<Api> =
  Api extends HttpApi.HttpApi<string, infer Groups>
    ? { readonly [Group in Groups as Group["identifier"]]: Methods<Group> }
    : never
