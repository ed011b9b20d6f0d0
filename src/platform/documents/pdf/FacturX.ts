import { Effect, Option } from "effect"
import type { Pdf, PdfOrigin } from "./Pdf.ts"
import { withMetadata } from "./PdfMetadata.ts"

/** Makes a hybrid invoice (Factur-X 1.0, ZUGFeRD 2) from a PDF and its XML, or a plain PDF when there is no XML. */
export const hybridPdf =
  (pdf: Pdf["Service"]) => (template: URL, page: object, xml: Option.Option<string>, origin: PdfOrigin) =>
    Option.match(xml, {
      onNone: () => pdf.render(template, page, origin),
      onSome: (xml) =>
        Effect.map(pdf.render(template, { ...page, attachments: [facturxAttachment(xml)] }, origin), facturxPdf)
    })

/** Data for the template, which lets Typst attach the XML as an alternative form of the document. */
const facturxAttachment = (xml: string) => ({
  name: "factur-x.xml",
  mime_type: "text/xml",
  relationship: "alternative",
  description: "Factur-X invoice",
  // The XML is passed as bytes, because Typst removes characters from a text if no font has them.
  bytes: [...new TextEncoder().encode(xml)]
})

/** Adds the name and the specification of the embedded XML file to the metadata of the PDF (Factur-X 1.0, 6.2.2). */
const facturxPdf = (pdf: Uint8Array): Uint8Array => withMetadata(pdf, withFacturxSchema)

const namespace = "urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#"

/** The document type of a credit note is INVOICE, too. Only the type code in its XML says that it is a credit note. */
const properties = [
  ["DocumentFileName", "factur-x.xml", "The name of the embedded XML document"],
  ["DocumentType", "INVOICE", "The type of the hybrid document in capital letters"],
  ["Version", "1.0", "The actual version of the standard applying to the embedded XML document"],
  ["ConformanceLevel", "EN 16931", "The conformance level of the embedded XML document"]
] as const

/** PDF/A allows properties of an unknown schema only if the file describes the schema. */
const withFacturxSchema = (xmp: string): string =>
  inserted(inserted(xmp, "</rdf:Bag></pdfaExtension:schemas>", description), "</rdf:RDF>", stated)

const stated =
  `<rdf:Description rdf:about="" xmlns:fx="${namespace}">` +
  properties.map(([name, value]) => `<fx:${name}>${value}</fx:${name}>`).join("") +
  "</rdf:Description>"

const description =
  `<rdf:li rdf:parseType="Resource"><pdfaSchema:schema>Factur-X PDFA Extension Schema</pdfaSchema:schema>` +
  `<pdfaSchema:namespaceURI>${namespace}</pdfaSchema:namespaceURI><pdfaSchema:prefix>fx</pdfaSchema:prefix>` +
  "<pdfaSchema:property><rdf:Seq>" +
  properties
    .map(
      ([name, , meaning]) =>
        `<rdf:li rdf:parseType="Resource"><pdfaProperty:name>${name}</pdfaProperty:name>` +
        "<pdfaProperty:valueType>Text</pdfaProperty:valueType><pdfaProperty:category>external</pdfaProperty:category>" +
        `<pdfaProperty:description>${meaning}</pdfaProperty:description></rdf:li>`
    )
    .join("") +
  "</rdf:Seq></pdfaSchema:property></rdf:li>"

const inserted = (text: string, before: string, addition: string): string => {
  const at = text.lastIndexOf(before)
  if (at < 0) throw new Error(`The metadata has no ${before}.`)
  return text.slice(0, at) + addition + text.slice(at)
}
