import type { Brand, Schema } from "effect"
import type { HttpApi, HttpApiClient, HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"

/** The type of a value in a path or query. The service gets text, but a caller may also pass a number or a boolean. */
type InText<Text> = Text extends string
  ? string extends Text
    ? string | number
    : "true" extends Text
      ? Text | boolean
      : Text
  : Text extends ReadonlyArray<infer Item>
    ? ReadonlyArray<InText<Item>>
    : Text

type InTexts<Texts> = [Texts] extends [never] ? never : { readonly [Name in keyof Texts]: InText<Texts[Name]> }

/**
 * The type in which a part of a request is sent. The type of the endpoint's codec is too general (JSON or a tree of
 * texts), so this is the type of the schema inside that codec.
 */
type Encoded<Codec extends Schema.Constraint> = [Codec] extends [never]
  ? never
  : Codec extends { readonly schema: infer Inner extends Schema.Constraint }
    ? Inner["Encoded"]
    : Codec["Encoded"]

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
    : Encoded<Codec>

type Mode = HttpApiClient.Client.ResponseMode

/** The parts of a request with values as they are sent, and headers such as `If-Match` and `Idempotency-Key`. */
type PlainRequest<Endpoint extends HttpApiEndpoint.ConstraintRequest> = Part<
  "params",
  InTexts<Encoded<Endpoint["~Params"]>>
> &
  Part<"query", InTexts<Encoded<Endpoint["~Query"]>>> &
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
