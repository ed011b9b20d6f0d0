import { Data, type Effect, type Option, Schema } from "effect"

export const SignatureFault = Schema.Literals([
  "unsigned",
  "other_content",
  "broken_signature",
  "unsupported_signature",
  "expired_certificate",
  "untrusted_certificate"
]).annotate({
  identifier: "SignatureFault",
  description:
    "`unsigned`: neither CAdES (`.p7m`) nor XAdES; `other_content`: the signature belongs to another file; `broken_signature`: it does not match the content; `unsupported_signature`: its algorithm or form cannot be checked; `expired_certificate`: the certificate is not valid now; `untrusted_certificate`: the signer's certificate was not issued by a configured authority."
})
export type SignatureFault = typeof SignatureFault.Type

/** The file is not the expected document, or its signature is not valid. */
export class SignatureUnfit extends Data.TaggedError("SignatureUnfit")<{
  readonly fault: SignatureFault
  readonly message: string
}> {}

export interface SignedFile {
  readonly bytes: Uint8Array
  readonly content_type: string
  readonly certificate: string
}

/** The signing of documents that by law need the organization's signature. */
export interface Signing {
  /** True if the document may be sent only with a signature, and has none. */
  readonly isRequired: (xml: Uint8Array) => boolean
  /** Signs with the certificate of the connection; none if the organization itself has to sign. */
  readonly sign: (xml: Uint8Array) => Effect.Effect<Option.Option<SignedFile>>
  /** Checks that the file is exactly this document with a signature that is valid now. */
  readonly check: (xml: Uint8Array, file: Uint8Array) => Effect.Effect<SignedFile, SignatureUnfit>
}
