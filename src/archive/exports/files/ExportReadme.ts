interface Described {
  readonly organization_id: number
  readonly export_id: number
  readonly created_at: string
  readonly object_count: number
  readonly missing_object_count: number
  readonly manifest_sha256: string
  readonly public_key: string
  readonly entries: number
  readonly head: string
}

/** Explains in French and English how to recompute the hashes with the ZIP alone. */
export const exportReadme = (described: Described): string => `${french(described)}

${"=".repeat(80)}

${english(described)}
`

const french = ({ head, entries, ...facts }: Described) => `ARCHIVE FISCALE - EXPORT ${facts.export_id}

Organisation ${facts.organization_id}, ordonné le ${facts.created_at} (UTC).
Objets présents : ${facts.object_count}. Objets manquants : ${facts.missing_object_count}.

CONTENU
  objects/<clé>             les octets archivés, inchangés
  manifest.json, .csv       une ligne par objet : SHA-256, compartiment, compte de stockage, région, taille,
                            present_in_export (false : l'objet n'a pas pu être produit)
  audit-trail.json, .csv    la chaîne d'audit complète de l'organisation, même si l'export est filtré
  transmissions.json, .csv  les échanges avec le réseau de facturation électronique ou l'administration fiscale ;
                            document_type et document_id les relient à la chaîne d'audit
  seals.json                les faits des factures émises ou annulées, des avoirs, des paiements et des dépenses, en
                            JSON canonique (RFC 8785) : leur SHA-256 est le champ sha256 de leur entrée dans la chaîne
  checkpoints.json          les têtes signées de la chaîne (Ed25519), et une déclaration signée sur cet export
  verify.mjs                vérifie tout cela : un seul fichier, Node 18 ou plus récent, sans dépendance

VÉRIFIER
  Décompressez l'export dans un dossier vide et lancez-y : node verify.mjs
  Code 0 : tout ce qui est vérifié concorde. Code 1 : l'export est endommagé ou modifié, avec la raison en anglais.
  Il indique aussi ce qu'il ne vérifie pas. Comparez la clé publique avec celle que l'exploitant a publiée :
    node verify.mjs --key ${facts.public_key}

RECALCULER LES EMPREINTES À LA MAIN
  1. Manifeste : SHA-256 du fichier manifest.json = ${facts.manifest_sha256}
  2. Objets : pour chaque ligne de manifest.json dont present_in_export est true, le SHA-256 du fichier
     objects/<object_key> est égal au champ sha256.
  3. Chaîne d'audit : pour chaque entrée, dans l'ordre de seq,
       hash = SHA-256(previous_hash + canonical)
     où previous_hash est l'empreinte hexadécimale de l'entrée précédente (64 zéros pour la première) et canonical
     le texte exact du champ de ce nom, en UTF-8. La dernière empreinte, après ${entries} entrées, est
       ${head}
  4. Chaque objet a son entrée "archive.stored" dans la chaîne, avec le même object_id et le même sha256 ; elle
     répète aussi les autres indications du manifeste.
  5. Sceaux : le SHA-256 du champ facts de chaque ligne de seals.json est le champ sha256 de la dernière entrée de la
     chaîne qui porte sur cet enregistrement.
  6. Signatures (Ed25519) : elles portent sur le JSON canonique de la déclaration sans son champ signature, et de
     chaque tête sans ses champs signature et timestamp_token.
  Les fichiers JSON font foi. Dans les fichiers CSV, une apostrophe précède un texte qu'un tableur prendrait pour
  une formule.

  Avec sha256sum et jq :
    sha256sum manifest.json
    jq -r '.objects[] | select(.present_in_export) | .sha256 + "  objects/" + .object_key' manifest.json \\
      | sort -u | sha256sum --check --quiet
  Avec openssl 3 et jq, la signature de la déclaration :
${signatureCommands(facts.public_key)}`

const english = ({ head, entries, ...facts }: Described) => `FISCAL ARCHIVE - EXPORT ${facts.export_id}

Organization ${facts.organization_id}, ordered on ${facts.created_at} (UTC).
Objects present: ${facts.object_count}. Objects missing: ${facts.missing_object_count}.

CONTENTS
  objects/<key>             the archived bytes, unchanged
  manifest.json, .csv       one record per object: SHA-256, bucket, storage account, region, size,
                            present_in_export (false: the object could not be produced)
  audit-trail.json, .csv    the organization's whole audit chain, even when the export is filtered
  transmissions.json, .csv  the exchanges with the e-invoicing network or the tax authority; document_type and
                            document_id join them to the audit chain
  seals.json                the facts of issued and void invoices, credit notes, payments and expenses as canonical
                            JSON (RFC 8785): their SHA-256 is the field sha256 of their entry in the chain
  checkpoints.json          the signed heads of the chain (Ed25519), and a signed statement about this export
  verify.mjs                checks all of it: one file, Node 18 or newer, no dependency

CHECKING
  Unpack the export into an empty folder and run there: node verify.mjs
  Exit code 0: all that is checked holds. 1: the export is damaged or was changed, and a sentence says how.
  It also says what it does not check. Compare the public key with the one that the operator published:
    node verify.mjs --key ${facts.public_key}

RECOMPUTING THE HASHES BY HAND
  1. Manifest: SHA-256 of the file manifest.json = ${facts.manifest_sha256}
  2. Objects: for each record of manifest.json whose present_in_export is true, the SHA-256 of the file
     objects/<object_key> equals its field sha256.
  3. Audit chain: for each entry, in the order of seq,
       hash = SHA-256(previous_hash + canonical)
     where previous_hash is the hash of the entry before it in hex (64 zeros for the first one) and canonical the
     exact text of the field of that name, in UTF-8. The last hash, after ${entries} entries, is
       ${head}
  4. Each object has its entry "archive.stored" in the chain, with the same object_id and the same sha256; it
     repeats the other facts of the manifest, too.
  5. Seals: the SHA-256 of the field facts of each record of seals.json is the field sha256 of the last entry of the
     chain about this record.
  6. Signatures (Ed25519): they are of the canonical JSON of the statement without its field signature, and of each
     signed head without its fields signature and timestamp_token.
  The JSON files are authoritative. In the CSV files an apostrophe stands before text that a spreadsheet would take
  for a formula.

  With sha256sum and jq:
    sha256sum manifest.json
    jq -r '.objects[] | select(.present_in_export) | .sha256 + "  objects/" + .object_key' manifest.json \\
      | sort -u | sha256sum --check --quiet
  With openssl 3 and jq, the signature of the statement:
${signatureCommands(facts.public_key)}`

/** The first bytes of the key file are the head of an Ed25519 key in DER (RFC 8410). */
const signatureCommands = (public_key: string) =>
  String.raw`    (printf '\060\052\060\005\006\003\053\145\160\003\041\000'; echo '${public_key}' | base64 -d) > key.der
    jq -cSj '.statement | del(.signature)' checkpoints.json > statement
    jq -r .statement.signature checkpoints.json | base64 -d > signature
    openssl pkeyutl -verify -pubin -inkey key.der -rawin -in statement -sigfile signature`
