import { createServer, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { SignedXml } from "xml-crypto"

const actor = "iso6523-actorid-upis"
const namespace = "http://busdox.org/serviceMetadata/publishing/1.0/"
const identifiers = "http://busdox.org/transport/identifiers/1.0/"

export const billing = {
  invoice:
    "urn:oasis:names:specification:ubl:schema:xsd:Invoice-2::Invoice##urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0::2.1",
  credit_note:
    "urn:oasis:names:specification:ubl:schema:xsd:CreditNote-2::CreditNote##urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0::2.1"
}

export interface Signer {
  readonly key: string
  readonly cert: string
}

const bare = (pem: string) => pem.replace(/-----[^-]+-----|\s/g, "")

/** Signs as SMPs do: an enveloped signature over the whole document, with the certificate in KeyInfo. */
export const signed = (xml: string, { cert, key }: Signer): string => {
  const signature = new SignedXml({
    privateKey: key,
    signatureAlgorithm: "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256",
    canonicalizationAlgorithm: "http://www.w3.org/2001/10/xml-exc-c14n#",
    getKeyInfoContent: () => `<X509Data><X509Certificate>${bare(cert)}</X509Certificate></X509Data>`
  })
  signature.addReference({
    xpath: "/*",
    uri: "",
    isEmptyUri: true,
    transforms: ["http://www.w3.org/2000/09/xmldsig#enveloped-signature", "http://www.w3.org/2001/10/xml-exc-c14n#"],
    digestAlgorithm: "http://www.w3.org/2001/04/xmlenc#sha256"
  })
  signature.computeSignature(xml)
  return signature.getSignedXml()
}

interface Metadata {
  readonly participant: string
  readonly document_type: string
  readonly certificate: string
  readonly process?: string
  readonly transport?: string
  readonly expires?: string
}

export const metadataXml = (about: Metadata) => {
  const { certificate, document_type, participant } = about
  return `<?xml version="1.0" encoding="UTF-8"?>
<smp:SignedServiceMetadata xmlns:smp="${namespace}" xmlns:id="${identifiers}" xmlns:wsa="http://www.w3.org/2005/08/addressing">
<smp:ServiceMetadata><smp:ServiceInformation>
<id:ParticipantIdentifier scheme="${actor}">${participant}</id:ParticipantIdentifier>
<id:DocumentIdentifier scheme="busdox-docid-qns">${document_type}</id:DocumentIdentifier>
<smp:ProcessList><smp:Process>
<id:ProcessIdentifier scheme="cenbii-procid-ubl">${about.process ?? "urn:fdc:peppol.eu:2017:poacc:billing:01:1.0"}</id:ProcessIdentifier>
<smp:ServiceEndpointList><smp:Endpoint transportProfile="${about.transport ?? "peppol-transport-as4-v2_0"}">
<wsa:EndpointReference><wsa:Address>https://ap.example.com/as4</wsa:Address></wsa:EndpointReference>
<smp:RequireBusinessLevelSignature>false</smp:RequireBusinessLevelSignature>
<smp:ServiceActivationDate>2024-01-01T00:00:00Z</smp:ServiceActivationDate>
<smp:ServiceExpirationDate>${about.expires ?? "2048-01-01T00:00:00Z"}</smp:ServiceExpirationDate>
<smp:Certificate>${bare(certificate)}</smp:Certificate>
<smp:ServiceDescription>AS4</smp:ServiceDescription><smp:TechnicalContactUrl>mailto:a@example.com</smp:TechnicalContactUrl>
</smp:Endpoint></smp:ServiceEndpointList></smp:Process></smp:ProcessList>
</smp:ServiceInformation></smp:ServiceMetadata></smp:SignedServiceMetadata>`
}

export const redirectXml = (href: string) => `<?xml version="1.0" encoding="UTF-8"?>
<smp:SignedServiceMetadata xmlns:smp="${namespace}"><smp:ServiceMetadata>
<smp:Redirect href="${href.replaceAll("&", "&amp;")}"><smp:CertificateUID>PID:9208-2001-3-279815395</smp:CertificateUID></smp:Redirect>
</smp:ServiceMetadata></smp:SignedServiceMetadata>`

export const groupXml = (base: string, participant: string, types: ReadonlyArray<string>) => {
  const id = encodeURIComponent(`${actor}::${participant}`)
  const references = types.map(
    (type) =>
      `<ServiceMetadataReference href="${base}/${id}/services/${encodeURIComponent(`busdox-docid-qns::${type}`)}"/>`
  )
  return `<?xml version="1.0" encoding="UTF-8"?>
<ServiceGroup xmlns="${namespace}" xmlns:ids="${identifiers}">
<ids:ParticipantIdentifier scheme="${actor}">${participant}</ids:ParticipantIdentifier>
<ServiceMetadataReferenceCollection>${references.join("")}</ServiceMetadataReferenceCollection></ServiceGroup>`
}

type Page = string | ((response: ServerResponse) => void)

/** An SMP on the loopback interface, whose pages a test sets by their path. */
export const metadataPublisher = async () => {
  const pages = new Map<string, Page>()
  const asked: Array<string> = []
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? "")
    asked.push(path)
    const page = pages.get(path)
    if (page === undefined) response.writeHead(404).end()
    else if (typeof page === "string") response.writeHead(200, { "content-type": "text/xml" }).end(page)
    else page(response)
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  const target = `127.0.0.1:${port}`
  const close = async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  return {
    target,
    url: `http://${target}`,
    pages,
    asked,
    close,
    groupPath: (participant: string) => `/${actor}::${participant}`,
    metadataPath: (participant: string, type: string) => `/${actor}::${participant}/services/busdox-docid-qns::${type}`
  }
}
