import { assert, describe, it } from "vitest"
import { BigDecimal, Result } from "effect"
import { CurrencyCode } from "../../../src/kernel/Currency.ts"
import { parseCsv } from "../../../src/banking/csv/Csv.ts"
import type { CsvMapping } from "../../../src/banking/csv/cells/CsvMapping.ts"
import { addsUp, keptLines } from "../../../src/banking/records/KeptLines.ts"

const ours = "BE68539007547034"
const theirs = "BE71096123456769"

type Line = readonly [day: string, amount: string, name: string | null, iban: string | null, text: string]

interface Export {
  readonly rows: ReadonlyArray<string>
  readonly lines: ReadonlyArray<Line>
  readonly mapping?: CsvMapping
  readonly currency?: string
  readonly skipped?: number
}

const parsed = ({ currency = "EUR", mapping, rows }: Pick<Export, "rows" | "mapping" | "currency">) =>
  parseCsv(rows.join("\r\n"), { currency: CurrencyCode.make(currency), iban: ours, mapping })

/** Exports in the format of each bank, with invented contents. */
const exports: Readonly<Record<string, Export>> = {
  "Knab (signs in a column of an unusual name)": {
    rows: [
      "KNAB EXPORT;;;;;;",
      "Rekeningnummer;Transactiedatum;Valutacode;CreditDebet;Bedrag;Tegenrekeningnummer;Tegenrekeninghouder;Valutadatum;Betaalwijze;Omschrijving;",
      `"${ours}";05-01-2026;EUR;D;12,50;${theirs};Beta BV;05-01-2026;Overboeking;huur januari;`,
      `"${ours}";16-01-2026;EUR;C;171,36;${theirs};Gamma NV;16-01-2026;Overboeking;INV-2026-00012;`
    ],
    lines: [
      ["2026-01-05", "-12.5", "Beta BV", theirs, "huur januari"],
      ["2026-01-16", "171.36", "Gamma NV", theirs, "INV-2026-00012"]
    ]
  },
  "BNP Paribas Fortis (refused lines, account in the column of the counterparty)": {
    rows: [
      "Volgnummer;Uitvoeringsdatum;Valutadatum;Bedrag;Valuta rekening;Rekeningnummer;Type verrichting;Tegenpartij;Naam van de tegenpartij;Mededeling;Details;Status;Reden van weigering",
      `2026-0003;16/01/2026;16/01/2026;171,36;EUR;${ours};Overschrijving;${theirs};Beta BV;INV-1;OVERSCHRIJVING VAN BETA;Geaccepteerd;`,
      `2026-0002;15/01/2026;15/01/2026;-90,00;EUR;${ours};Domiciliering;${theirs};Energie NV;klant 7;DOMICILIERING;Geweigerd;Onvoldoende saldo`,
      `2026-0001;14/01/2026;14/01/2026;-2,50;EUR;${ours};Kosten;;;;KOSTEN;Geaccepteerd;`
    ],
    lines: [
      ["2026-01-16", "171.36", "Beta BV", theirs, "Overschrijving INV-1 OVERSCHRIJVING VAN BETA"],
      ["2026-01-14", "-2.5", null, null, "Kosten KOSTEN"]
    ],
    skipped: 1
  },
  "KBC (the account's holder in a column of names)": {
    rows: [
      "Rekeningnummer;Rubrieknaam;Naam;Munt;Afschriftnummer;Datum;Omschrijving;Valuta;Bedrag;Saldo;credit;debet;rekeningnummer tegenpartij;BIC tegenpartij;Naam tegenpartij;Adres tegenpartij;gestructureerde mededeling;Vrije mededeling",
      `${ours};;ACME BV;EUR; 01;16/01/2026;OVERSCHRIJVING;16/01/2026;171,36;269,36;171,36;;${theirs};KREDBEBB;BETA BV;Kerkstraat 1;;INV-1`,
      `${ours};;ACME BV;EUR; 01;15/01/2026;BANKKOSTEN;15/01/2026;-2,00;98,00;;-2,00;;;;;;`
    ],
    lines: [
      ["2026-01-16", "171.36", "BETA BV", theirs, "OVERSCHRIJVING INV-1"],
      ["2026-01-15", "-2", null, null, "BANKKOSTEN"]
    ]
  },
  "Sparkasse (CAMT as CSV)": {
    rows: [
      '"Auftragskonto";"Buchungstag";"Valutadatum";"Buchungstext";"Verwendungszweck";"Glaeubiger ID";"Mandatsreferenz";"Kundenreferenz (End-to-End)";"Sammlerreferenz";"Lastschrift Ursprungsbetrag";"Auslagenersatz Ruecklastschrift";"Beguenstigter/Zahlungspflichtiger";"Kontonummer/IBAN";"BIC (SWIFT-Code)";"Betrag";"Waehrung";"Info"',
      `"${ours}";"16.01.26";"16.01.26";"GUTSCHR. UEBERWEISUNG";"Rechnung INV-1";"";"";"NOTPROVIDED";"";"";"";"Beta GmbH";"${theirs}";"COBADEFF";"171,36";"EUR";"Umsatz gebucht"`,
      `"${ours}";"15.01.26";"15.01.26";"FOLGELASTSCHRIFT";"Strom Januar";"DE98ZZZ";"M-1";"E-1";"";"";"";"Stadtwerke";"${theirs}";"COBADEFF";"-90,00";"EUR";"Umsatz vorgemerkt"`
    ],
    lines: [["2026-01-16", "171.36", "Beta GmbH", theirs, "GUTSCHR. UEBERWEISUNG Rechnung INV-1 NOTPROVIDED"]],
    skipped: 1
  },
  "ING (Netherlands, newest line first)": {
    rows: [
      '"Datum","Naam / Omschrijving","Rekening","Tegenrekening","Code","Af Bij","Bedrag (EUR)","Mutatiesoort","Mededelingen","Saldo na mutatie","Tag"',
      `"20260116","Beta BV","${ours}","${theirs}","OV","Bij","171,36","Overschrijving","INV-1","268,86",""`,
      `"20260105","Energie NV","${ours}","${theirs}","IC","Af","2,50","Incasso","Kosten","97,50",""`
    ],
    lines: [
      ["2026-01-16", "171.36", "Beta BV", theirs, "OV Overschrijving INV-1"],
      ["2026-01-05", "-2.5", "Energie NV", theirs, "IC Incasso Kosten"]
    ]
  },
  N26: {
    rows: [
      '"Booking Date","Value Date","Partner Name","Partner Iban",Type,"Payment Reference","Account Name","Amount (EUR)","Original Amount","Original Currency","Exchange Rate"',
      `2026-01-05,2026-01-05,"Beta GmbH",${theirs},"Credit Transfer","INV-1","Main Account",171.36,,,`,
      `2026-01-06,2026-01-07,Shop,,Presentment,,"Main Account",-9.20,10.00,USD,0.92`
    ],
    lines: [
      ["2026-01-05", "171.36", "Beta GmbH", theirs, "Credit Transfer INV-1"],
      ["2026-01-06", "-9.2", "Shop", null, "Presentment"]
    ]
  },
  "Revolut (fees next to the amount, several currencies, pending lines)": {
    rows: [
      "Type,Product,Started Date,Completed Date,Description,Amount,Fee,Currency,State,Balance",
      "TOPUP,Current,2026-01-05 10:00:00,2026-01-05 10:00:02,Payment from Beta,100.00,0.00,EUR,COMPLETED,150.00",
      "EXCHANGE,Current,2026-01-06 10:00:00,2026-01-06 10:00:00,Exchanged to USD,-50.00,0.50,EUR,COMPLETED,99.50",
      "EXCHANGE,Current,2026-01-06 10:00:00,2026-01-06 10:00:00,Exchanged to USD,54.00,0.00,USD,COMPLETED,54.00",
      "CARD_PAYMENT,Current,2026-01-07 10:00:00,,Shop,-20.00,0.00,EUR,PENDING,"
    ],
    lines: [
      ["2026-01-05", "100", null, null, "TOPUP Payment from Beta"],
      ["2026-01-06", "-50.5", null, null, "EXCHANGE Exchanged to USD"]
    ],
    skipped: 1
  },
  Wise: {
    rows: [
      '"TransferWise ID",Date,Amount,Currency,Description,"Payment Reference","Running Balance","Exchange From","Exchange To","Exchange Rate","Payer Name","Payee Name","Payee Account Number",Merchant,"Total fees"',
      `TRANSFER-2,16-01-2026,-20.41,EUR,"Sent money to Gamma",INV-9,150.95,EUR,EUR,1.0,,"Gamma Ltd",${theirs},,0.41`,
      "TRANSFER-1,05-01-2026,171.36,EUR,Received money from Beta,INV-1,171.36,,,,Beta GmbH,,,,0.00"
    ],
    lines: [
      ["2026-01-16", "-20.41", "Gamma Ltd", theirs, "Sent money to Gamma INV-9"],
      ["2026-01-05", "171.36", "Beta GmbH", null, "Received money from Beta INV-1"]
    ]
  },
  "PayPal (gross, fee and net, two currencies)": {
    rows: [
      '"Datum","Uhrzeit","Zeitzone","Name","Typ","Status","Währung","Brutto","Gebühr","Netto","Transaktionscode","Guthaben"',
      '"05.01.2026","10:00:00","CET","Beta GmbH","Zahlung","Abgeschlossen","EUR","100,00","-3,40","96,60","AAA1","96,60"',
      '"15.01.2026","10:00:00","CET","Gamma Inc","Zahlung","Abgeschlossen","USD","50,00","-2,00","48,00","AAA2","48,00"',
      '"16.01.2026","10:00:00","CET","","Abbuchung","Abgeschlossen","EUR","-90,00","0,00","-90,00","AAA3","6,60"'
    ],
    lines: [
      ["2026-01-05", "96.6", "Beta GmbH", null, "Zahlung AAA1"],
      ["2026-01-16", "-90", null, null, "Abbuchung AAA3"]
    ]
  },
  "ASN (no header; the balance before each movement proves the amounts)": {
    rows: [
      `17-06-2026,${ours},${theirs},Beta BV,,,,EUR,130.44,EUR,223.77,17-06-2026,17-06-2026,2754,NGM,51392971,,'INV-1',26`,
      `17-06-2026,${ours},${theirs},Gamma NV,,,,EUR,354.21,EUR,-200.00,17-06-2026,17-06-2026,9856,IDM,51402299,,'huur',26`,
      `25-06-2026,${ours},,,,,,EUR,154.21,EUR,-2.20,25-06-2026,25-06-2026,7241,MSC,50951652,,'kosten',26`
    ],
    lines: [
      ["2026-06-17", "223.77", null, theirs, "Beta BV NGM 'INV-1'"],
      ["2026-06-17", "-200", null, theirs, "Gamma NV IDM 'huur'"],
      ["2026-06-25", "-2.2", null, null, "MSC 'kosten'"]
    ]
  },
  "UniCredit (names in two rows, the amount below its currency)": {
    rows: [
      "Data;;Descrizione;EUR;Caus.",
      "Operaz.;Valuta;;;",
      "22/01/2026;21/01/2026;BONIFICO INV-1;1.438,74;198",
      "23/01/2026;22/01/2026;COMMISSIONI;-6,86;208"
    ],
    lines: [
      ["2026-01-22", "1438.74", null, null, "BONIFICO INV-1"],
      ["2026-01-23", "-6.86", null, null, "COMMISSIONI"]
    ]
  },
  "Banca Fineco (authorized card payments are not booked)": {
    rows: [
      "Data\tEntrate\tUscite\tDescrizione\tDescrizione Completa\tStato",
      "30/01/2026\t\t-59\tMAV\tINV-1\tContabilizzato",
      "29/01/2026\t1650\t\tBonifico\tOrd: BETA\tContabilizzato",
      "28/01/2026\t\t-4,11\tCarta\tBAR\tAutorizzato"
    ],
    lines: [
      ["2026-01-30", "-59", null, null, "MAV INV-1"],
      ["2026-01-29", "1650", null, null, "Bonifico Ord: BETA"]
    ],
    skipped: 1
  },
  "Swisscard (debits without a minus, credits with one, words of both)": {
    rows: [
      "Transaktionsdatum,Beschreibung,Kartennummer,Währung,Betrag,Debit/Kredit,Status,Kategorie",
      '"16.01.2026","Shop","3776 62**** *4927","EUR","23.70","Belastung","Gebucht","Food"',
      '"15.01.2026","Ihre Zahlung","3776 62**** *4927","EUR","-100.00","Gutschrift","Gebucht","Zahlung"'
    ],
    lines: [
      ["2026-01-16", "-23.7", null, null, "Shop"],
      ["2026-01-15", "100", null, null, "Ihre Zahlung"]
    ]
  },
  "UBS (rows without figures describe the movement above)": {
    rows: [
      "Buchungsdatum;Valuta;Beschreibung 1;Belastung;Gutschrift;Saldo",
      "31.01.2026;31.01.2026;Sammelauftrag;150.00;;850.00",
      "31.01.2026;31.01.2026;Anteil Beta;;;",
      "16.01.2026;16.01.2026;INV-1;;171.36;1000.00",
      "Umsatztotal;;;150.00;171.36;"
    ],
    lines: [
      ["2026-01-31", "-150", null, null, "Sammelauftrag"],
      ["2026-01-16", "171.36", null, null, "INV-1"]
    ]
  },
  "DKB (rows of facts above, payer and payee)": {
    rows: [
      `"Girokonto";"${ours}"`,
      '"Zeitraum:";"01.01.2026 - 31.01.2026"',
      '"Kontostand vom 31.01.2026:";"1.081,36 €"',
      '""',
      '"Buchungsdatum";"Wertstellung";"Status";"Zahlungspflichtige*r";"Zahlungsempfänger*in";"Verwendungszweck";"Umsatztyp";"IBAN";"Betrag (€)";"Gläubiger-ID";"Mandatsreferenz";"Kundenreferenz"',
      `"16.01.26";"16.01.26";"Gebucht";"Beta GmbH";"ACME";"INV-1";"Eingang";"${theirs}";"171,36";"";"";"E2E"`,
      `"15.01.26";"15.01.26";"Gebucht";"ACME";"Stadtwerke";"Strom";"Ausgang";"${theirs}";"-90";"";"";""`,
      `"14.01.26";"14.01.26";"Vorgemerkt";"ACME";"Laden";"Karte";"Ausgang";"${theirs}";"-7,00";"";"";""`
    ],
    lines: [
      ["2026-01-16", "171.36", "Beta GmbH", theirs, "INV-1 E2E"],
      ["2026-01-15", "-90", "Stadtwerke", theirs, "Strom"]
    ],
    skipped: 1
  },
  "Deutsche Bank (debit and credit columns, balance below)": {
    rows: [
      `Umsätze Girokonto;;;;;;;;`,
      "Letzter Kontostand;;;;1.000,00;EUR",
      "Buchungstag;Wert;Umsatzart;Begünstigter / Auftraggeber;Verwendungszweck;IBAN / Kontonummer;Soll;Haben;Währung",
      `15.01.2026;15.01.2026;SEPA-Lastschrift;Stadtwerke;Strom Januar;${theirs};-90,00;;EUR`,
      `16.01.2026;16.01.2026;SEPA-Gutschrift;Beta GmbH;INV-1;${theirs};;171,36;EUR`,
      "Kontostand;16.01.2026;;;1.081,36;EUR"
    ],
    lines: [
      ["2026-01-15", "-90", "Stadtwerke", theirs, "SEPA-Lastschrift Strom Januar"],
      ["2026-01-16", "171.36", "Beta GmbH", theirs, "SEPA-Gutschrift INV-1"]
    ]
  },
  "PostFinance (cells as formulas, notes below)": {
    rows: [
      'Datum von:;="01.01.2026"',
      'Konto:;="CH9300762011623852957"',
      "Datum;Bewegungstyp;Avisierungstext;Gutschrift in CHF;Lastschrift in CHF;Valuta;Saldo in CHF",
      '="16.01.2026";Gutschrift;"GUTSCHRIFT BETA AG INV-1";171.36;;16.01.2026;1271.36',
      '="15.01.2026";Lastschrift;"KAUF BAHNHOF";;-100;15.01.2026;1100.00',
      "",
      "Disclaimer:",
      "Dies ist kein durch die Bank erstelltes Dokument."
    ],
    currency: "CHF",
    lines: [
      ["2026-01-16", "171.36", null, null, "GUTSCHRIFT BETA AG INV-1"],
      ["2026-01-15", "-100", null, null, "KAUF BAHNHOF"]
    ]
  },
  "UniCredit (header in two rows)": {
    rows: [
      "Data;;Descrizione;EUR;",
      "Operaz.;Valuta;;Importo;",
      "16.01.2026;16.01.2026;BONIFICO DA BETA SRL INV-1;171,36;",
      "15.01.2026;15.01.2026;COMMISSIONI;-2,50;"
    ],
    lines: [
      ["2026-01-16", "171.36", null, null, "BONIFICO DA BETA SRL INV-1"],
      ["2026-01-15", "-2.5", null, null, "COMMISSIONI"]
    ]
  },
  "ABN AMRO (no header, read by positions)": {
    rows: [
      "539007547\tEUR\t20260105\t100,00\t97,50\t20260105\t-2,50\tBEA   NR:1 KOSTEN",
      "539007547\tEUR\t20260116\t97,50\t268,86\t20260116\t171,36\tSEPA Overboeking BETA INV-1"
    ],
    mapping: { columns: { booking_date: 3, balance: 5, value_date: 6, amount: 7, remittance: 8 } },
    lines: [
      ["2026-01-05", "-2.5", null, null, "BEA NR:1 KOSTEN"],
      ["2026-01-16", "171.36", null, null, "SEPA Overboeking BETA INV-1"]
    ]
  },
  "Société Générale (texts that go on below, amounts with a currency)": {
    rows: [
      "Date;Libellé;Débit;Crédit",
      "15/01/2026;PRELEVEMENT ENERGIE;-90,00 EUR;",
      ";REF 12345;;",
      "16/01/2026;VIREMENT RECU;;171,36 EUR",
      ";BETA SARL INV-1;;"
    ],
    lines: [
      ["2026-01-15", "-90", null, null, "PRELEVEMENT ENERGIE REF 12345"],
      ["2026-01-16", "171.36", null, null, "VIREMENT RECU BETA SARL INV-1"]
    ]
  }
}

describe("a bank's CSV export", () => {
  for (const [bank, { lines, skipped = 0, ...file }] of Object.entries(exports)) {
    it(`of ${bank} is read exactly`, () => {
      const { errors, statements } = Result.getOrThrow(parsed(file))
      assert.deepStrictEqual(errors, [])
      assert.strictEqual(statements[0]?.skipped_pending, skipped)
      const read = statements.flatMap(({ lines }) => lines)
      assert.deepStrictEqual(
        read.map((line): Line => [
          line.booking_date,
          BigDecimal.format(line.amount),
          line.counterparty_name,
          line.counterparty_iban,
          line.remittance_text
        ]),
        lines
      )
      const [statement] = statements
      if (statement !== undefined && statement.opening !== null) {
        assert.isTrue(addsUp({ ...statement, lines: keptLines(statement.lines) }))
      }
    })
  }
})
