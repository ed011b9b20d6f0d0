import type { Brand } from "effect"
import type { HttpApi, HttpApiClient, HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"

/** A value of a path or query: text on the wire, which a caller may also give as a number or a boolean. */
type InText<Encoded> = Encoded extends string
  ? string extends Encoded
    ? string | number
    : "true" extends Encoded
      ? Encoded | boolean
      : Encoded
  : Encoded extends ReadonlyArray<infer Item>
    ? ReadonlyArray<InText<Item>>
    : Encoded

type InTexts<Encoded> = { readonly [Name in keyof Encoded]: InText<Encoded[Name]> }

type Part<Name extends string, Value> = [Value] extends [never]
  ? unknown
  : unknown extends Value
    ? unknown
    : {} extends Value
      ? { readonly [_ in Name]?: Value }
      : null extends Value
        ? { readonly [_ in Name]?: Value }
        : { readonly [_ in Name]: Value }

type Multipart = Brand.Brand<HttpApiSchema.MultipartTypeId> | Brand.Brand<HttpApiSchema.MultipartStreamTypeId>

type Payload<Schema extends HttpApiEndpoint.ConstraintRequest["~Payload"]> = [Schema["Type"]] extends [never]
  ? never
  : Schema["Type"] extends Multipart
    ? FormData
    : Schema["Encoded"]

type Mode = HttpApiClient.Client.ResponseMode

/** The parts of a request as they are on the wire, and headers such as `If-Match` and `Idempotency-Key`. */
type PlainRequest<Endpoint extends HttpApiEndpoint.ConstraintRequest> = Part<
  "params",
  InTexts<Endpoint["~Params"]["Encoded"]>
> &
  Part<"query", InTexts<Endpoint["~Query"]["Encoded"]>> &
  Part<"payload", Payload<Endpoint["~Payload"]>> & { readonly headers?: Readonly<Record<string, string>> }

/** A method of the client. With `responseMode: "decoded-and-response"`, it also answers the response. */
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

/** A client whose methods take plain values, and answer decoded ones with their exact errors. */
export type PlainClient<Api> =
  Api extends HttpApi.HttpApi<string, infer Groups>
    ? { readonly [Group in Groups as Group["identifier"]]: Methods<Group> }
    : never
