import { execFileSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

const rsa = ["-newkey", "rsa:2048"]
const dsig = "http://www.w3.org/2000/09/xmldsig#"
const xades = "http://uri.etsi.org/01903/v1.3.2#"

/** Template that xmlsec1 completes: a signature over the whole document and over the properties that XAdES requires. */
const template = `<ds:Signature xmlns:ds="${dsig}" Id="signature"><ds:SignedInfo>
  <ds:CanonicalizationMethod Algorithm="http://www.w3.org/2001/10/xml-exc-c14n#"/>
  <ds:SignatureMethod Algorithm="http://www.w3.org/2001/04/xmldsig-more#rsa-sha256"/>
  <ds:Reference URI=""><ds:Transforms>
    <ds:Transform Algorithm="${dsig}enveloped-signature"/></ds:Transforms>
    <ds:DigestMethod Algorithm="http://www.w3.org/2001/04/xmlenc#sha256"/><ds:DigestValue/></ds:Reference>
  <ds:Reference Type="http://uri.etsi.org/01903#SignedProperties" URI="#properties"><ds:Transforms>
    <ds:Transform Algorithm="http://www.w3.org/2001/10/xml-exc-c14n#"/></ds:Transforms>
    <ds:DigestMethod Algorithm="http://www.w3.org/2001/04/xmlenc#sha256"/><ds:DigestValue/></ds:Reference>
  </ds:SignedInfo><ds:SignatureValue/><ds:KeyInfo><ds:X509Data/></ds:KeyInfo>
  <ds:Object><xades:QualifyingProperties xmlns:xades="${xades}" Target="#signature">
    <xades:SignedProperties Id="properties"><xades:SignedSignatureProperties>
      <xades:SigningTime>2026-03-01T10:00:00Z</xades:SigningTime></xades:SignedSignatureProperties>
    </xades:SignedProperties></xades:QualifyingProperties></ds:Object></ds:Signature>`

/**
 * Makes a person with a certificate of a test authority. The signatures of this person are made by openssl and xmlsec1.
 */
export const makeSigner = (kind: ReadonlyArray<string> = rsa) => {
  const key = [...kind, "-nodes"]
  const folder = mkdtempSync(join(tmpdir(), "invoicing-signer-"))
  const run = (program: string, args: ReadonlyArray<string>, input: string | Uint8Array = "") =>
    execFileSync(program, args, { cwd: folder, input, stdio: ["pipe", "pipe", "pipe"] })
  const openssl = (...args: ReadonlyArray<string>) => run("openssl", args)
  openssl("req", "-x509", ...key, "-days", "9000", "-subj", "/CN=Authority", "-keyout", "ca.key", "-out", "ca.pem")
  openssl("req", ...key, "-subj", "/CN=Mario Rossi", "-keyout", "signer.key", "-out", "signer.csr")
  const issue = (name: string, days: string) =>
    openssl("x509", "-req", "-in", "signer.csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-days", days, "-out", name)
  issue("signer.pem", "9000")
  issue("expired.pem", "0")
  const cms = (content: string | Uint8Array, options: ReadonlyArray<string>, certificate = "signer.pem") =>
    run(
      "openssl",
      ["cms", "-sign", "-binary", "-outform", "DER", "-signer", certificate, "-inkey", "signer.key", ...options],
      content
    )
  return {
    authority: readFileSync(join(folder, "ca.pem"), "utf8"),
    p7m: (content: string | Uint8Array, ...options: ReadonlyArray<string>) =>
      cms(content, ["-nodetach", "-cades", ...options]),
    expired: (content: string | Uint8Array) => cms(content, ["-nodetach"], "expired.pem"),
    /** Checks a CAdES file and its signer with openssl, and returns the content. */
    verified: (p7m: Uint8Array) => {
      const trust = ["-CAfile", "ca.pem", "-purpose", "any"]
      return String(run("openssl", ["cms", "-verify", "-cades", "-binary", "-inform", "DER", ...trust], p7m))
    },
    /** The signer's key and certificates in base64 (PKCS#12). */
    keyFile: (passphrase: string) => {
      const contents = ["-inkey", "signer.key", "-in", "signer.pem", "-certfile", "ca.pem"]
      return openssl("pkcs12", "-export", ...contents, "-passout", `pass:${passphrase}`).toString("base64")
    },
    /** Signs with a detached signature next to the content (S/MIME). */
    p7s: (content: string | Uint8Array) => cms(content, []),
    /** Signs a FatturaPA with the signature inside (XAdES). */
    xades: (xml: string) => {
      writeFileSync(
        join(folder, "in.xml"),
        xml.replace(/<\/\w+:FatturaElettronica>/, (end) => template + end)
      )
      const id = ["--id-attr:Id", `${xades}:SignedProperties`]
      run("xmlsec1", ["--sign", "--privkey-pem", "signer.key,signer.pem", ...id, "--output", "out.xml", "in.xml"])
      return readFileSync(join(folder, "out.xml"), "utf8")
    },
    close: () => rmSync(folder, { recursive: true })
  }
}
