import { randomUUID } from "node:crypto"

interface Part {
  readonly name: string
  readonly type: string
  readonly content: string | Uint8Array
}

const base64 = (content: string | Uint8Array) =>
  Buffer.from(content)
    .toString("base64")
    .replaceAll(/(.{76})/g, "$1\r\n")

const partOf = ({ content, name, type }: Part) =>
  `Content-Type: ${type}; name="${name}"\r\nContent-Disposition: attachment; filename="${name}"\r\n` +
  (type === "message/rfc822"
    ? `\r\n${Buffer.from(content).toString("latin1")}`
    : `Content-Transfer-Encoding: base64\r\n\r\n${base64(content)}`)

const multipart = (type: string, parts: ReadonlyArray<string>) => {
  const boundary = `=_${randomUUID()}`
  return (
    `Content-Type: ${type}; boundary="${boundary}"\r\n\r\n` +
    `${parts.map((part) => `--${boundary}\r\n${part}\r\n`).join("")}--${boundary}--\r\n`
  )
}

const text = (content: string) =>
  `Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\n${base64(content)}`

export const mail = (headers: Readonly<Record<string, string>>, content: string, parts: ReadonlyArray<Part>) =>
  `${lines(headers)}${multipart("multipart/mixed", [text(content), ...parts.map(partOf)])}`

const lines = (headers: Readonly<Record<string, string>>) =>
  Object.entries({ "MIME-Version": "1.0", Date: "Mon, 02 Mar 2026 10:00:00 +0100", ...headers })
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join("")

interface Certificate {
  /** Type of the certified mail, e.g. `accettazione` or `posta-certificata`. */
  readonly type: string
  readonly sender: string
  readonly recipient: string
  readonly subject: string
  readonly message_id: string
  readonly error?: string
}

/** Writes the XML file with the data of a certified mail, as its technical rules define it (DM 2 November 2005). */
const daticert = ({ error, message_id, recipient, sender, subject, type }: Certificate, id: string) =>
  `<?xml version="1.0" encoding="UTF-8"?>
<postacert tipo="${type}" errore="${error === undefined ? "nessuno" : "altro"}">
  <intestazione><mittente>${sender}</mittente><destinatari tipo="certificato">${recipient}</destinatari>
    <risposte>${sender}</risposte><oggetto>${subject}</oggetto></intestazione>
  <dati><gestore-emittente>Gestore di prova</gestore-emittente>
    <data zona="+0100"><giorno>02/03/2026</giorno><ora>10:00:00</ora></data>
    <identificativo>${id}</identificativo><msgid>&lt;${message_id}&gt;</msgid>
    ${error === undefined ? "" : `<errore-esteso>${error}</errore-esteso>`}</dati>
</postacert>`

type Sign = (content: string) => Uint8Array

/**
 * A mail that a provider of certified mail creates and signs: an acknowledgement (ricevuta), or an envelope around a
 * mail.
 */
export const certified = (
  sign: Sign,
  certificate: Certificate,
  headers: Readonly<Record<string, string>>,
  original?: string | Uint8Array
) => {
  const id = `opec${randomUUID()}@gestore.example`
  const parts: ReadonlyArray<Part> = [
    { name: "daticert.xml", type: "application/xml", content: daticert(certificate, id) },
    ...(original === undefined ? [] : [{ name: "postacert.eml", type: "message/rfc822", content: original }])
  ]
  const content = multipart("multipart/mixed", [text("Messaggio di posta certificata"), ...parts.map(partOf)])
  const signature = partOf({ name: "smime.p7s", type: "application/pkcs7-signature", content: sign(content) })
  const type = 'multipart/signed; protocol="application/pkcs7-signature"; micalg=sha-256'
  return `${lines({ "Message-ID": `<${id}>`, ...headers })}${multipart(type, [content, signature])}`
}
