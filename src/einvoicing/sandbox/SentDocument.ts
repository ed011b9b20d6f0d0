import { Effect, Option, Stream } from "effect"
import { Xml } from "effect/encoding"
import { easCode } from "../../customers/identifiers/NetworkIdentifier.ts"
import { signedContent } from "../../platform/documents/XmlBytes.ts"
import { NetworkRefused, type ParticipantIdentifier, type Transmission } from "../providers/Provider.ts"

const depth_max = 64
const token_characters_max = 1024 * 1024
const xml_bytes_max = 10 * 1024 * 1024

interface SentDocument {
  readonly root: string
  readonly number: string
  readonly sender: Option.Option<ParticipantIdentifier>
  readonly recipient: Option.Option<ParticipantIdentifier>
}

interface Reading extends SentDocument {
  /** The local names of the open elements. */
  readonly path: ReadonlyArray<string>
  readonly scheme: string
}

const nothing: Reading = {
  root: "",
  number: "",
  sender: Option.none(),
  recipient: Option.none(),
  path: [],
  scheme: ""
}

/** The UBL root elements that correspond to the document types of FatturaPA and of Spanish records. */
const document_types: Readonly<Record<string, string>> = {
  TD01: "Invoice",
  TD04: "CreditNote",
  F1: "Invoice",
  F2: "Invoice",
  ...Object.fromEntries(["R1", "R2", "R3", "R4", "R5"].map((type) => [type, "CreditNote"]))
}

const localName = (name: string) => name.slice(name.indexOf(":") + 1)

const read = (reading: Reading, event: Xml.Event): Reading => {
  switch (event._tag) {
    case "StartElement": {
      const name = localName(event.name)
      const root = reading.path.length === 0 ? name : reading.root
      return { ...reading, root, path: [...reading.path, name], scheme: event.attributes["schemeID"] ?? "" }
    }
    case "EndElement":
      return { ...reading, path: reading.path.slice(0, -1) }
    case "Text":
      return readText(reading, event.text)
    default:
      return reading
  }
}

const readText = (reading: Reading, text: string): Reading => {
  const identifier = Option.some({ scheme: reading.scheme, value: text.trim() })
  switch (reading.path.slice(1).join("/")) {
    case "ID":
    case "FatturaElettronicaBody/DatiGenerali/DatiGeneraliDocumento/Numero":
    case "IDFactura/NumSerieFactura":
      return { ...reading, number: text.trim() }
    case "FatturaElettronicaBody/DatiGenerali/DatiGeneraliDocumento/TipoDocumento":
    case "TipoFactura":
      return { ...reading, root: document_types[text.trim()] ?? reading.root }
    case "AccountingSupplierParty/Party/EndpointID":
      return { ...reading, sender: identifier }
    case "AccountingCustomerParty/Party/EndpointID":
      return { ...reading, recipient: identifier }
    default:
      return reading
  }
}

const malformed = (message: string) => new NetworkRefused({ code: "malformed_document", message })

/** Refuses an unknown format, and a document whose type, number, sender or recipient differ from the transmission's. */
export const readDocument = Effect.fn("SentDocument.read")(function* (transmission: Transmission) {
  if (transmission.xml.length > xml_bytes_max) return yield* malformed("The document is too large.")
  const xml = Option.getOrElse(signedContent(transmission.xml), () => transmission.xml)
  const document = yield* Stream.make(xml).pipe(
    Stream.pipeThroughChannel(Xml.decode({ maxDepth: depth_max, maxTokenSize: token_characters_max })),
    Stream.tap((event) =>
      event._tag === "Doctype" ? Effect.fail(malformed("The document has a DOCTYPE.")) : Effect.void
    ),
    Stream.runFold(() => nothing, read),
    Effect.catchTag("XmlError", ({ message }) => Effect.fail(malformed(`The document is not well-formed: ${message}`)))
  )
  const mistake = mistakeOf(document, transmission)
  if (mistake !== undefined) return yield* malformed(mistake)
})

const mistakeOf = (document: SentDocument, sent: Transmission): string | undefined => {
  const root = sent.document_type === "invoice" ? "Invoice" : "CreditNote"
  if (document.root !== root) return `The document is no ${root}.`
  if (document.number !== sent.number) return `The document does not have the number ${sent.number}.`
  if (!isAddressed(document.sender, sent.sender)) return "The document names another sender."
  if (!isAddressed(document.recipient, sent.recipient)) return "The document names another recipient."
}

/** True when the document states the same address as the transmission, or states no address. */
const isAddressed = (named: Option.Option<ParticipantIdentifier>, meant: ParticipantIdentifier): boolean =>
  Option.match(named, {
    onNone: () => true,
    onSome: ({ scheme, value }) => easCode(scheme) === easCode(meant.scheme) && value === meant.value
  })
