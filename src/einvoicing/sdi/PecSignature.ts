import { Option } from "effect"
import type { SignatureCheck } from "../../platform/crypto/signatures/Certificates.ts"
import { cmsSignature } from "../../platform/crypto/signatures/CmsSignature.ts"

interface SignedMail {
  /** The signed part of the mail. Parts outside it prove nothing and must not be read. */
  readonly content: Uint8Array
  readonly check: SignatureCheck
}

/** Checks the S/MIME signature with which a provider of certified mail signs (RFC 8551); none for an unsigned mail. */
export const pecSignature = (raw: Uint8Array): Option.Option<SignedMail> => {
  // Latin-1 keeps each byte. The signature covers line ends of the form CRLF, which a server may have replaced.
  const mail = Buffer.from(raw).toString("latin1").replaceAll(/\r?\n/g, "\r\n")
  const [head = ""] = mail.split("\r\n\r\n", 1)
  const type = /^content-type:(.*(?:\r\n[ \t].*)*)/im.exec(head)?.[1] ?? ""
  if (!/^\s*multipart\/signed/i.test(type)) return Option.none()
  const boundary = /boundary=(?:"([^"]+)"|([^\s;]+))/i.exec(type)
  const [, part = "", signature = ""] = mail.split(`\r\n--${boundary?.[1] ?? boundary?.[2] ?? ""}`)
  const [, base64 = ""] = signature.split(/\r\n\r\n([^]*)/)
  const content = Buffer.from(part.replace(/^[ \t]*\r\n/, ""), "latin1")
  const check = Option.getOrElse(cmsSignature(Buffer.from(base64, "base64"), content), () => unreadable)
  return Option.some({ content, check })
}

const unreadable: SignatureCheck = {
  fits: false,
  reason: "The signature of the mail cannot be read.",
  certificates: []
}
