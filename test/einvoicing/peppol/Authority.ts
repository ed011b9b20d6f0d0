import { execFileSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Signer } from "./MetadataPublisher.ts"

/**
 * Makes three certificate authorities with openssl: a root and an intermediate like those of Peppol, and one that
 * nobody trusts.
 */
export const authorities = () => {
  const folder = mkdtempSync(join(tmpdir(), "invoicing-smp-"))
  const openssl = (...args: ReadonlyArray<string>) => execFileSync("openssl", args, { cwd: folder, stdio: "pipe" })
  const read = (name: string) => readFileSync(join(folder, name), "utf8")
  const authority = (name: string) =>
    openssl(
      "req",
      "-x509",
      "-newkey",
      "rsa:2048",
      "-nodes",
      "-subj",
      `/CN=${name}`,
      "-days",
      "9000",
      "-addext",
      "keyUsage=critical,keyCertSign",
      "-keyout",
      `${name}.key`,
      "-out",
      `${name}.pem`
    )
  const issue = (name: string, by: string, extensions: string): Signer => {
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
    writeFileSync(join(folder, `${name}.ext`), extensions)
    openssl(
      "x509",
      "-req",
      "-in",
      `${name}.csr`,
      "-CA",
      `${by}.pem`,
      "-CAkey",
      `${by}.key`,
      "-CAcreateserial",
      "-days",
      "9000",
      "-sha256",
      "-extfile",
      `${name}.ext`,
      "-out",
      `${name}.pem`
    )
    return { cert: read(`${name}.pem`), key: read(`${name}.key`) }
  }
  authority("root")
  authority("stranger")
  issue("smp-ca", "root", "basicConstraints=critical,CA:true\nkeyUsage=critical,keyCertSign\n")
  const publisher = issue("publisher", "smp-ca", "basicConstraints=CA:false\nkeyUsage=digitalSignature\n")
  const forger = issue("forger", "stranger", "basicConstraints=CA:false\nkeyUsage=digitalSignature\n")
  // The publisher is no authority, so a certificate that it issues is not valid.
  const child = issue("child", "publisher", "basicConstraints=CA:false\nkeyUsage=digitalSignature\n")
  const made = { trusted: `${read("root.pem")}${read("smp-ca.pem")}`, publisher, forger, child }
  rmSync(folder, { recursive: true })
  return made
}
