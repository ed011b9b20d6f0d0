import { execFileSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

interface Certificate {
  readonly cert: string
  readonly key: string
}

const configuration = (folder: string) => `
[ca]
default_ca = ours
[ours]
database = ${folder}/index.txt
new_certs_dir = ${folder}
serial = ${folder}/serial
default_md = sha256
policy = any
copy_extensions = copy
unique_subject = no
[any]
commonName = supplied
`

/** Times in the UTCTime form that `openssl ca` accepts. */
const past = { from: "20200101000000Z", to: "20200201000000Z" }
const future = { from: "20480101000000Z", to: "20490101000000Z" }
const valid = { from: "20200101000000Z", to: "20490101000000Z" }

/** Makes an authority and its certificates with openssl: one is valid, each other one has a single fault. */
export const certificates = () => {
  const folder = mkdtempSync(join(tmpdir(), "invoicing-ca-"))
  const at = (name: string) => join(folder, name)
  const read = (name: string) => readFileSync(at(name), "utf8")
  const openssl = (...args: ReadonlyArray<string>) => execFileSync("openssl", args, { cwd: folder, stdio: "pipe" })
  const requested = (name: string, subject: string, ...more: ReadonlyArray<string>) =>
    openssl(
      "req",
      "-newkey",
      "ec",
      "-pkeyopt",
      "ec_paramgen_curve:prime256v1",
      "-nodes",
      "-subj",
      "/CN=test",
      "-keyout",
      `${name}.key`,
      "-addext",
      `subjectAltName=${subject}`,
      ...more,
      "-out",
      `${name}.pem`
    )

  const certified = (name: string, subject: string, { from, to } = valid): Certificate => {
    requested(name, subject)
    openssl(
      "ca",
      "-batch",
      "-notext",
      "-config",
      "ca.conf",
      "-cert",
      "ca.pem",
      "-keyfile",
      "ca.key",
      "-startdate",
      from,
      "-enddate",
      to,
      "-in",
      `${name}.pem`,
      "-out",
      `${name}.crt`
    )
    return { cert: read(`${name}.crt`), key: read(`${name}.key`) }
  }

  writeFileSync(at("ca.conf"), configuration(folder))
  writeFileSync(at("index.txt"), "")
  writeFileSync(at("serial"), "01\n")
  requested("ca", "DNS:ca.example.com", "-x509", "-days", "2", "-addext", "keyUsage=critical,keyCertSign")
  requested("self", "DNS:localhost", "-x509", "-days", "2")
  const made = {
    authority: read("ca.pem"),
    good: certified("good", "DNS:localhost"),
    refused: {
      self_signed: { cert: read("self.pem"), key: read("self.key") },
      wrong_name: certified("name", "DNS:other.example.com"),
      expired: certified("expired", "DNS:localhost", past),
      not_yet_valid: certified("future", "DNS:localhost", future)
    }
  }
  rmSync(folder, { recursive: true })
  return made
}
