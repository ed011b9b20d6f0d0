import { execFileSync } from "node:child_process"
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:https"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type ReadRecord, recordsIn } from "./RecordVerifier.ts"

/** With the values that end in `_after`, the agency accepts the records but does not confirm them. */
export type Fault =
  | "refused"
  | "warned"
  | "busy"
  | "fault"
  | "garbage"
  | "garbage_after"
  | "reset_before"
  | "reset_after"
  | "stopped_after"

const base = "https://www2.agenciatributaria.gob.es/static_files/common/internet/dep/aplicaciones/es/aeat/tike/cont/ws"
const password = "secreto"

/** An authority with a certificate for a server and one for a client (PKCS#12), made by openssl. */
const certificates = () => {
  const folder = mkdtempSync(join(tmpdir(), "invoicing-aeat-"))
  const openssl = (...args: ReadonlyArray<string>) => execFileSync("openssl", args, { cwd: folder, stdio: "pipe" })
  const key = ["-newkey", "rsa:2048", "-nodes", "-days", "9000"]
  openssl("req", "-x509", ...key, "-subj", "/CN=Authority", "-keyout", "ca.key", "-out", "ca.pem")
  const issue = (name: string, extension: string) => {
    openssl(
      "req",
      "-newkey",
      "rsa:2048",
      "-nodes",
      "-subj",
      `/CN=${name}`,
      "-keyout",
      `${name}.key`,
      "-out",
      `${name}.csr`
    )
    writeFileSync(join(folder, `${name}.ext`), extension)
    const by = ["-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-days", "9000", "-extfile", `${name}.ext`]
    openssl("x509", "-req", "-in", `${name}.csr`, ...by, "-out", `${name}.pem`)
  }
  issue("server", "subjectAltName=IP:127.0.0.1")
  issue("client", "extendedKeyUsage=clientAuth")
  const packed = ["-inkey", "client.key", "-in", "client.pem", "-out", "client.p12", "-passout", `pass:${password}`]
  openssl("pkcs12", "-export", ...packed)
  const read = (name: string) => readFileSync(join(folder, name))
  const made = { ca: read("ca.pem"), cert: read("server.pem"), key: read("server.key"), client: read("client.p12") }
  rmSync(folder, { recursive: true })
  return made
}

/** Throws unless the official schema accepts the message; does nothing without the schema. */
const requireValid = (message: string, file = "main.xsd"): void => {
  const schema = join(process.env["EINVOICING_RULES"] ?? "", "verifactu-xsd", file)
  if (!existsSync(schema)) return
  execFileSync("xmllint", ["--noout", "--nonet", "--schema", schema, "-"], { input: message, stdio: "pipe" })
}

interface Kept {
  readonly record: ReadRecord
  readonly state: "Correcta" | "AceptadaConErrores"
}

const soapFault = (text: string) =>
  `<env:Envelope xmlns:env="http://schemas.xmlsoap.org/soap/envelope/"><env:Body><env:Fault><faultcode>env:Client</faultcode><faultstring>${text}</faultstring></env:Fault></env:Body></env:Envelope>`

const bodyOf = (message: string): string => /Body>([^]*)<\/(?:\w+:)?Body>/.exec(message)?.[1] ?? ""

/** Converts 31-12-2026 to 2026-12-31, so that days are ordered as texts. */
const dayOf = (date: string): string => date.split("-").toReversed().join("-")

/** Reads a query. A simple parser suffices, because the service wrote the text. */
const askedIn = (question: string) => {
  const first = (name: string, within = question) =>
    new RegExp(`<(?:\\w+:)?${name}>([^]*?)</(?:\\w+:)?${name}>`).exec(within)?.[1] ?? ""
  const [key, filter] = [
    first("ClavePaginacion"),
    question.replace(/<(?:\w+:)?ClavePaginacion>[^]*ClavePaginacion>/, "")
  ]
  return {
    issuer: first("NIF"),
    year: first("Ejercicio"),
    month: first("Periodo"),
    number: first("NumSerieFactura", filter),
    days: first("Desde") === "" ? null : ([dayOf(first("Desde")), dayOf(first("Hasta"))] as const),
    after: first("NumSerieFactura", key)
  }
}

const nameElements = ({ date, issuer, number }: ReadRecord): string =>
  `<s:IDEmisorFactura>${issuer}</s:IDEmisorFactura><s:NumSerieFactura>${number}</s:NumSerieFactura><s:FechaExpedicionFactura>${date}</s:FechaExpedicionFactura>`

/** The service of the Spanish tax agency, which requires a client certificate and validates every message. */
export const taxAgency = async () => {
  const { ca, cert, client, key } = certificates()
  const faults: Array<Fault> = []
  /** `arrived` has all records in the order of their arrival, including refused ones; `kept` has the accepted ones. */
  const arrived: Array<ReadRecord> = []
  const kept = new Map<string, Kept>()
  const messages: Array<string> = []
  const mistakes: Array<string> = []
  const questions: Array<string> = []
  const state = { wait_seconds: 1, refused_number: "", page_size: 10_000, isMute: false, stop: () => {} }

  const lineOf = (record: ReadRecord, fault: Fault | undefined) => {
    const { date, issuer, kind, number } = record
    const name = `${kind} ${issuer} ${number} ${date}`
    const earlier = kept.get(name)
    const isRefused = fault === "refused" || number === state.refused_number
    const result =
      isRefused || earlier !== undefined ? "Incorrecto" : fault === "warned" ? "AceptadoConErrores" : "Correcto"
    if (!kept.has(name) && !isRefused) {
      kept.set(name, { record, state: fault === "warned" ? "AceptadaConErrores" : "Correcta" })
    }
    const told = { Incorrecto: ["1100", "Valor o tipo incorrecto del campo."], AceptadoConErrores: ["2004", "Fecha."] }
    const [code, text] =
      earlier !== undefined ? ["3000", "Registro de facturación duplicado."] : result === "Correcto" ? [] : told[result]
    return `<tikR:RespuestaLinea><tikR:IDFactura><tik:IDEmisorFactura>${issuer}</tik:IDEmisorFactura><tik:NumSerieFactura>${number}</tik:NumSerieFactura><tik:FechaExpedicionFactura>${date}</tik:FechaExpedicionFactura></tikR:IDFactura><tikR:Operacion><tik:TipoOperacion>${kind}</tik:TipoOperacion></tikR:Operacion><tikR:EstadoRegistro>${result}</tikR:EstadoRegistro>${code === undefined ? "" : `<tikR:CodigoErrorRegistro>${code}</tikR:CodigoErrorRegistro><tikR:DescripcionErrorRegistro>${text}</tikR:DescripcionErrorRegistro>`}${earlier === undefined ? "" : `<tikR:RegistroDuplicado><tik:IdPeticionRegistroDuplicado>P-1</tik:IdPeticionRegistroDuplicado><tik:EstadoRegistroDuplicado>${earlier.state}</tik:EstadoRegistroDuplicado></tikR:RegistroDuplicado>`}</tikR:RespuestaLinea>`
  }

  const answerTo = (message: string, fault: Fault | undefined): string => {
    requireValid(message)
    const records = recordsIn(message)
    arrived.push(...records)
    const lines = records.map((record) => lineOf(record, fault))
    const csv = lines.every((line) => line.includes(">Incorrecto<")) ? "" : `<tikR:CSV>A-${messages.length}</tikR:CSV>`
    const nif = records[0]?.issuer ?? ""
    return `<?xml version="1.0" encoding="UTF-8"?><env:Envelope xmlns:env="http://schemas.xmlsoap.org/soap/envelope/"><env:Body><tikR:RespuestaRegFactuSistemaFacturacion xmlns:tikR="${base}/RespuestaSuministro.xsd" xmlns:tik="${base}/SuministroInformacion.xsd">${csv}<tikR:Cabecera><tik:ObligadoEmision><tik:NombreRazon>X</tik:NombreRazon><tik:NIF>${nif}</tik:NIF></tik:ObligadoEmision></tikR:Cabecera><tikR:TiempoEsperaEnvio>${state.wait_seconds}</tikR:TiempoEsperaEnvio><tikR:EstadoEnvio>${csv === "" ? "Incorrecto" : "Correcto"}</tikR:EstadoEnvio>${lines.join("")}</tikR:RespuestaRegFactuSistemaFacturacion></env:Body></env:Envelope>`
  }

  /** Returns the records that the agency has, page by page (ConsultaLR and RespuestaConsultaLR). */
  const answerToQuestion = (message: string): string => {
    const question = bodyOf(message)
    requireValid(question, "ConsultaLR.xsd")
    const { days, issuer, month, number, year, after } = askedIn(question)
    const all = [...kept]
      .flatMap(([name, one]) => (name.startsWith("Alta ") ? [one] : []))
      .filter(({ record }) => {
        const [, of_month, of_year] = (record.supplied || record.date).split("-")
        return (
          record.kind === "Alta" &&
          record.issuer === issuer &&
          of_month === month &&
          of_year === year &&
          (number === "" || record.number === number) &&
          (days === null || (days[0] <= dayOf(record.date) && dayOf(record.date) <= days[1]))
        )
      })
    const start = after === "" ? 0 : all.findIndex(({ record }) => record.number === after) + 1
    const page = all.slice(start, start + state.page_size)
    const last = page.at(-1)
    const hasMore = start + page.length < all.length
    const records = page.map(
      ({ record, state: held }) =>
        `<r:RegistroRespuestaConsultaFactuSistemaFacturacion><r:IDFactura>${nameElements(record)}</r:IDFactura>
        <r:DatosRegistroFacturacion><r:TipoHuella>01</r:TipoHuella><r:Huella>${record.hash}</r:Huella>
        </r:DatosRegistroFacturacion><r:DatosPresentacion><s:NIFPresentador>${issuer}</s:NIFPresentador>
        <s:TimestampPresentacion>2026-03-01T10:00:00</s:TimestampPresentacion><s:IdPeticion>P-1</s:IdPeticion>
        </r:DatosPresentacion><r:EstadoRegistro>
        <r:TimestampUltimaModificacion>2026-03-01T10:00:00</r:TimestampUltimaModificacion>
        <r:EstadoRegistro>${stateNow(record, held)}</r:EstadoRegistro></r:EstadoRegistro>
        </r:RegistroRespuestaConsultaFactuSistemaFacturacion>`
    )
    const key = hasMore && last !== undefined ? nameElements(last.record) : ""
    const answer = `<r:RespuestaConsultaFactuSistemaFacturacion xmlns:r="${base}/RespuestaConsultaLR.xsd" xmlns:s="${base}/SuministroInformacion.xsd">
      <r:Cabecera><s:IDVersion>1.0</s:IDVersion><s:ObligadoEmision><s:NombreRazon>X</s:NombreRazon><s:NIF>${issuer}</s:NIF>
      </s:ObligadoEmision></r:Cabecera><r:PeriodoImputacion><r:Ejercicio>${year}</r:Ejercicio><r:Periodo>${month}</r:Periodo>
      </r:PeriodoImputacion><r:IndicadorPaginacion>${hasMore ? "S" : "N"}</r:IndicadorPaginacion>
      <r:ResultadoConsulta>${page.length === 0 ? "SinDatos" : "ConDatos"}</r:ResultadoConsulta>${records.join("")}
      ${key === "" ? "" : `<r:ClavePaginacion>${key}</r:ClavePaginacion>`}</r:RespuestaConsultaFactuSistemaFacturacion>`
    requireValid(answer, "RespuestaConsultaLR.xsd")
    return `<env:Envelope xmlns:env="http://schemas.xmlsoap.org/soap/envelope/"><env:Body>${answer}</env:Body></env:Envelope>`
  }

  const stateNow = ({ date, issuer, number }: ReadRecord, held: Kept["state"]) => {
    if (kept.has(`Anulacion ${issuer} ${number} ${date}`)) return "Anulado"
    return held === "Correcta" ? "Correcto" : "AceptadoConErrores"
  }

  const server = createServer({ ca, cert, key, requestCert: true, rejectUnauthorized: true }, (request, response) => {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => {
      if (request.method === "GET") return response.end("<wsdl/>")
      const message = Buffer.concat(chunks).toString()
      if (message.includes("ConsultaFactuSistemaFacturacion")) {
        questions.push(message)
        if (state.isMute) return response.writeHead(500).end(soapFault("Codigo[20009]. Error interno."))
        try {
          return response.end(answerToQuestion(message))
        } catch (mistake) {
          mistakes.push(String(mistake))
          return response.writeHead(500).end(soapFault("Codigo[4102]. El XML no cumple el esquema."))
        }
      }
      const fault = faults.shift()
      messages.push(message)
      if (fault === "reset_before") return request.socket.destroy()
      if (fault === "busy") return response.writeHead(429, { "retry-after": "7" }).end()
      if (fault === "garbage") return response.end("<html>")
      if (fault === "fault")
        return response.writeHead(500).end(soapFault("Codigo[4112]. El titular no es el obligado."))
      try {
        const answer = answerTo(message, fault)
        if (fault === "reset_after") return request.socket.destroy()
        if (fault === "stopped_after") return state.stop()
        response.end(fault === "garbage_after" ? answer.slice(0, answer.length / 2) : answer)
      } catch (mistake) {
        mistakes.push(String(mistake))
        response.writeHead(500).end(soapFault("Codigo[4102]. El XML no cumple el esquema."))
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  // Boundary: a server that listens on a port has an address with that port.
  const { port } = server.address() as AddressInfo

  const settings = {
    producer_name: "Nosotros S.L.",
    producer_nif: "B58378431",
    system_name: "Facturas",
    system_id: "F1",
    system_version: "1.0",
    installation: "001",
    declaration: "https://example.es/declaracion.pdf",
    certificate: client.toString("base64"),
    certificate_password: password,
    url: `https://127.0.0.1:${port}/wlpl/TIKE-CONT/ws/SistemaFacturacion/VerifactuSOAP`,
    authority: ca.toString()
  }
  const close = () => new Promise((resolve) => server.close(resolve))
  return { arrived, close, faults, kept, messages, mistakes, questions, settings, state }
}

/** A record that another system sent about the document. */
export const foreignRecord = (issuer: string, number: string) => ({
  record: {
    kind: "Alta" as const,
    issuer,
    number,
    date: "01-03-2026",
    total: "",
    supplied: "",
    type: "F1",
    hash: "0".repeat(64),
    previous: null,
    isCorrection: false
  },
  state: "Correcta" as const
})
