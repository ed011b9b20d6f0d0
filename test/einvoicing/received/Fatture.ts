/** The parts of a FatturaPA that a test replaces; an empty text leaves the part out. */
export interface FatturaParts {
  readonly type?: string
  readonly date?: string
  readonly number?: string
  readonly total?: string
  /** Further elements of DatiGeneraliDocumento before its total. */
  readonly general?: string
  readonly seller?: string
  /** Further elements of the first tax row before its taxable amount. */
  readonly row?: string
  /** The tax of the first tax row. */
  readonly tax?: string
  readonly documents?: number
}

const named = "<Anagrafica><Denominazione>Torrefazione Àlfa S.r.l.</Denominazione></Anagrafica>"

type Row = readonly [description: string, rate: string, amount: string, tax: string]

const rowsOf = (tax: string): ReadonlyArray<Row> => [
  ["Caffè", "22.00", "55.53", tax],
  ["Trasporto", "10.00", "20.06", "2.01"],
  ["Caffè", "0.00", "39.51", "0.00"]
]

const line = ([description, rate, amount]: Row, index: number) => `
  <DettaglioLinee><NumeroLinea>${index + 1}</NumeroLinea><Descrizione>${description}</Descrizione>
    <PrezzoUnitario>${amount}</PrezzoUnitario><PrezzoTotale>${amount}</PrezzoTotale>
    <AliquotaIVA>${rate}</AliquotaIVA></DettaglioLinee>`

const summary = (further: string, [, rate, amount, tax]: Row) => `
  <DatiRiepilogo><AliquotaIVA>${rate}</AliquotaIVA>${further}<ImponibileImporto>${amount}</ImponibileImporto>
    <Imposta>${tax}</Imposta></DatiRiepilogo>`

/** The FatturaPA of a supplier, with three rates and two instalments. */
export const fatturaPa = ({
  date = "<Data>2026-02-01</Data>",
  documents = 1,
  general = "",
  number = "<Numero>FT/7</Numero>",
  row = "",
  seller = named,
  tax = "12.22",
  total = "<ImportoTotaleDocumento>129.33</ImportoTotaleDocumento>",
  type = "TD01"
}: FatturaParts = {}) => {
  const rows = rowsOf(tax)
  const body = `<FatturaElettronicaBody>
    <DatiGenerali><DatiGeneraliDocumento><TipoDocumento>${type}</TipoDocumento><Divisa>EUR</Divisa>${date}${number}
      ${general}${total}</DatiGeneraliDocumento></DatiGenerali>
    <DatiBeniServizi>${rows.map(line).join("")}${rows.map((one, index) => summary(index === 0 ? row : "", one)).join("")}</DatiBeniServizi>
    <DatiPagamento><CondizioniPagamento>TP01</CondizioniPagamento>
      <DettaglioPagamento><ModalitaPagamento>MP05</ModalitaPagamento>
        <DataScadenzaPagamento>2026-03-31</DataScadenzaPagamento><ImportoPagamento>64.67</ImportoPagamento>
        <IBAN>IT60X0542811101000000123456</IBAN></DettaglioPagamento>
      <DettaglioPagamento><ModalitaPagamento>MP05</ModalitaPagamento>
        <DataScadenzaPagamento>2026-02-28</DataScadenzaPagamento><ImportoPagamento>64.66</ImportoPagamento>
      </DettaglioPagamento></DatiPagamento>
  </FatturaElettronicaBody>`
  return `<?xml version="1.0" encoding="UTF-8"?>
<p:FatturaElettronica versione="FPR12" xmlns:p="http://ivaservizi.agenziaentrate.gov.it/docs/xsd/fatture/v1.2">
  <FatturaElettronicaHeader><CedentePrestatore>
    <DatiAnagrafici><IdFiscaleIVA><IdPaese>IT</IdPaese><IdCodice>00743110157</IdCodice></IdFiscaleIVA>${seller}
    </DatiAnagrafici><Sede><Nazione>IT</Nazione></Sede></CedentePrestatore></FatturaElettronicaHeader>
  ${body.repeat(documents)}
</p:FatturaElettronica>`
}
