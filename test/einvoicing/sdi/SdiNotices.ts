import { createHash } from "node:crypto"

const businesses = "http://ivaservizi.agenziaentrate.gov.it/docs/xsd/fattura/messaggi/v1.0"
const offices = "http://www.fatturapa.gov.it/sdi/messaggi/v1.0"

/** The parts of a signature that the schema of the notices requires. */
const signature = `<ds:Signature xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:SignedInfo>
  <ds:CanonicalizationMethod Algorithm="http://www.w3.org/TR/2001/REC-xml-c14n-20010315"/>
  <ds:SignatureMethod Algorithm="http://www.w3.org/2001/04/xmldsig-more#rsa-sha256"/>
  <ds:Reference><ds:DigestMethod Algorithm="http://www.w3.org/2001/04/xmlenc#sha256"/><ds:DigestValue>AA==</ds:DigestValue>
  </ds:Reference></ds:SignedInfo><ds:SignatureValue>AA==</ds:SignatureValue></ds:Signature>`

interface SentFile {
  readonly name: string
  readonly bytes: Uint8Array
  readonly sdi_id: string
}

type Fault = readonly [code: string, description: string]

const wrap = (root: string, namespace: string, content: string) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<ns3:${root} xmlns:ns3="${namespace}" versione="1.0">${content}</ns3:${root}>`

/** The notices of the SdI about files of businesses (MessaggiFatturaTypes 1.0) and of offices (MessaggiTypes 1.1). */
export const sdiNotice = (
  code: "RC" | "NS" | "MC" | "AT" | "DT" | "EC01" | "EC02" | "MT",
  { bytes, name, sdi_id }: SentFile,
  id: string,
  faults: ReadonlyArray<Fault> = []
): string => {
  const hash = createHash("sha256").update(bytes).digest("hex")
  const file = `<IdentificativoSdI>${sdi_id}</IdentificativoSdI><NomeFile>${name}</NomeFile>`
  const received = `${file}<Hash>${hash}</Hash><DataOraRicezione>2026-03-02T10:00:00.000+01:00</DataOraRicezione>`
  const message = `<MessageId>${id}</MessageId>`
  const errors = faults.map(
    ([fault, text]) =>
      `<Errore><Codice>${fault}</Codice><Descrizione>${text}</Descrizione><Suggerimento>-</Suggerimento></Errore>`
  )
  switch (code) {
    case "RC": {
      const delivered =
        "<DataOraConsegna>2026-03-02T10:01:00.000+01:00</DataOraConsegna>" +
        "<Destinatario><Codice>M5UXCR1</Codice><Descrizione>Bianchi</Descrizione></Destinatario>"
      return wrap("RicevutaConsegna", businesses, received + delivered + message + signature)
    }
    case "NS":
      return wrap(
        "RicevutaScarto",
        businesses,
        `${received}<ListaErrori>${errors.join("")}</ListaErrori>${message}${signature}`
      )
    case "MC": {
      const published =
        "<DataMessaADisposizione>2026-03-02</DataMessaADisposizione><Descrizione>Casella piena</Descrizione>"
      return wrap("RicevutaImpossibilitaRecapito", businesses, received + published + message + signature)
    }
    case "MT": {
      const about = "<CodiceDestinatario>M5UXCR1</CodiceDestinatario><Formato>FPR12</Formato>"
      const content = `${file}<Hash>${hash}</Hash>${about}<TentativiInvio>1</TentativiInvio>${message}`
      return wrap("FileMetadati", businesses, content)
    }
    case "AT": {
      const content =
        "<DataOraRicezione>2026-03-02T10:00:00</DataOraRicezione>" +
        `<Destinatario><Codice>UF5UXC</Codice><Descrizione>Ufficio</Descrizione></Destinatario>${message}` +
        `<HashFileOriginale>${hash}</HashFileOriginale>`
      return wrap("AttestazioneTrasmissioneFattura", offices, file + content)
    }
    case "DT":
      return wrap("NotificaDecorrenzaTermini", offices, `${file}<Descrizione>Decorrenza</Descrizione>${message}`)
    default: {
      const outcome = `<EsitoCommittente versione="1.0"><IdentificativoSdI>${sdi_id}</IdentificativoSdI><Esito>${code}</Esito>`
      return wrap(
        "NotificaEsito",
        offices,
        `${file}${outcome}<Descrizione>Esito</Descrizione></EsitoCommittente>${message}`
      )
    }
  }
}
