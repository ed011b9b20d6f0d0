import { folded } from "./Words.ts"

/**
 * Names that banks give their fees. A single word such as "fee" counts only if it is the whole text, because other
 * sellers charge fees, too.
 */
const fee_names = new RegExp(
  [
    "\\b(?:bank|account|card|overdraft|atm|(?:account )?maintenance)(?: management| maintenance)? (?:fees?|charges?)\\b",
    "^\\W*(?:monthly |quarterly |annual )?(?:fees?|charges?)\\W*$",
    "\\b(?:bank|rekening|beheers?|kaart)kosten\\b",
    "\\bfrais (?:bancaires?|de gestion|de tenue de compte|de virement)\\b",
    "\\b(?:cotisation carte|commission d.intervention)\\b",
    "\\bkontofuhrung|\\bentgelt(?:abrechnung|abschluss)\\b|\\bbank(?:gebuhr|gebuhren|spesen|entgelt)\\b",
    "\\bcomision(?:es)? (?:bancarias?|(?:de |por )?(?:mantenimiento|administracion|transferencia|tarjeta))\\b",
    "\\b(?:spese|commissioni) (?:bancarie|(?:di )?tenuta conto)\\b|\\bcanone (?:mensile )?(?:conto|carta)\\b"
  ].join("|")
)

export const feeNameIn = (text: string): string | undefined => fee_names.exec(folded(text))?.[0].trim()
