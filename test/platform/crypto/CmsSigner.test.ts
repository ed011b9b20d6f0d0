import { describe, expect, it } from "vitest"
import { Option } from "effect"
import { cmsSignature } from "../../../src/platform/crypto/signatures/CmsSignature.ts"
import { canSign, cmsSigned } from "../../../src/platform/crypto/signatures/CmsSigner.ts"
import { identityIn } from "../../../src/platform/crypto/signatures/Pkcs12.ts"
import { makeSigner } from "../../einvoicing/received/SignedFile.ts"

const kinds = {
  RSA: ["-newkey", "rsa:2048"],
  "EC P-256": ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"],
  "EC P-384": ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-384"]
}
const content = "<a>perché</a>"
const at = new Date("2026-03-01T10:00:00.5Z")

describe("cmsSigned", () => {
  it.each(Object.entries(kinds))("signs by %s so that openssl and the own check accept it", (_, kind) => {
    const signer = makeSigner(kind)
    try {
      const pfx = Buffer.from(signer.keyFile("pass"), "base64")
      expect(Option.isNone(identityIn(pfx, "other"))).toBe(true)
      const identity = Option.getOrThrow(identityIn(pfx, "pass"))
      expect(canSign(identity.key)).toBe(true)
      const p7m = cmsSigned(Buffer.from(content), identity, at)
      expect(signer.verified(p7m)).toBe(content)
      const check = Option.getOrThrow(cmsSignature(p7m))
      expect(check).toMatchObject({ fits: true, reason: null })
      expect(check.certificates.map(({ raw }) => raw)).toEqual([identity.certificate.raw])
      const changed = Buffer.from(p7m)
      changed.write("A", changed.indexOf("a>"))
      expect(Option.getOrThrow(cmsSignature(changed)).fits).toBe(false)
    } finally {
      signer.close()
    }
  })
})
