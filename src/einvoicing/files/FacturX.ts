import { withMetadata } from "../../platform/documents/PdfMetadata.ts"

/** How the XML is attached to the page that it says the same as; the template hands it to Typst. */
export const facturxAttachment = (xml: string) => ({
  name: "factur-x.xml",
  mime_type: "text/xml",
  relationship: "alternative",
  description: "Factur-X invoice",
  // Numbers, since texts of a document lose the characters that its fonts do not have.
  bytes: [...new TextEncoder().encode(xml)]
})

/** The PDF that says in its metadata which file is the invoice and what it follows (Factur-X 1.0, 6.2.2). */
export const facturxPdf = (pdf: Uint8Array): Uint8Array => withMetadata(pdf, withFacturxSchema)

const namespace = "urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#"

/** A credit note is an INVOICE, too: its type code stands in the XML. */
const properties = [
  ["DocumentFileName", "factur-x.xml", "The name of the embedded XML document"],
  ["DocumentType", "INVOICE", "The type of the hybrid document in capital letters"],
  ["Version", "1.0", "The actual version of the standard applying to the embedded XML document"],
  ["ConformanceLevel", "EN 16931", "The conformance level of the embedded XML document"]
] as const

/** PDF/A allows properties of a schema that it does not know only when the file describes the schema. */
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
