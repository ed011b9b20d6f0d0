import { Effect, Option } from "effect"
import { xmlTree } from "../../../platform/documents/XmlTree.ts"
import { cmsSignature } from "../../../platform/crypto/signatures/CmsSignature.ts"
import type { SignatureCheck } from "../../../platform/crypto/signatures/Certificates.ts"
import { envelopedSignature } from "../../../platform/crypto/signatures/XmlSignature.ts"
import { signedContent, signedMessage, xmlText } from "../../../platform/documents/XmlBytes.ts"

export const isPdf = (bytes: Uint8Array): boolean => new TextDecoder("latin1").decode(bytes.subarray(0, 5)) === "%PDF-"

export const contentTypeOf = (bytes: Uint8Array): string => {
  if (isPdf(bytes)) return "application/pdf"
  return Option.isSome(signedMessage(bytes)) ? "application/pkcs7-mime" : "application/xml"
}

/** Maximum number of nested signatures. */
const layers_max = 3

/** Returns the XML documents in a file, which may be a PDF or signed, and the checks of its signatures. */
export const openFile = Effect.fnUntraced(function* (bytes: Uint8Array) {
  const { checks, content } = unwrapped(bytes)
  const texts = isPdf(bytes) ? yield* attachedTo(bytes) : [xmlText(content)]
  const roots = texts.flatMap((text) => Option.toArray(xmlTree(text)))
  const inner = texts.filter((text) => /<\/(?:[\w-]+:)?FatturaElettronica>/.test(text)).map(envelopedSignature)
  return { roots, checks: [...checks, ...inner.flatMap(Option.toArray)] }
})

const unwrapped = (bytes: Uint8Array) => {
  const checks: Array<SignatureCheck> = []
  let content = bytes
  for (let layer = 0; layer < layers_max; layer++) {
    const message = signedMessage(content)
    const inner = signedContent(content)
    if (Option.isNone(inner)) break
    checks.push(...Option.toArray(Option.flatMap(message, (signed) => cmsSignature(signed))))
    content = inner.value
  }
  return { checks, content }
}

const attachments_max = 5

/** The reader of PDFs is large, so it is loaded only when a PDF arrives. */
const attachedTo = (bytes: Uint8Array) =>
  Effect.promise(() => import("../../../platform/ocr/PdfContent.ts")).pipe(
    Effect.andThen(({ withPdfContent }) =>
      Effect.tryPromise(() => withPdfContent(bytes, (content) => content.attachedXml(attachments_max)))
    ),
    Effect.map((attached = []) => attached.flatMap(({ isTooLarge, text }) => (isTooLarge ? [] : [text]))),
    Effect.orElseSucceed((): ReadonlyArray<string> => [])
  )
