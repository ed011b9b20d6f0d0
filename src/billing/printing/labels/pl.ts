import type { Labels } from "./en.ts"

export const pl: Labels = {
  document: {
    invoice: "Faktura",
    draft: "Szkic",
    invoice_number: "Numer faktury",
    issue_date: "Data wystawienia",
    due_date: "Termin płatności",
    payment_reference: "Tytuł płatności",
    your_tax_number: "Numer VAT nabywcy",
    description: "Opis",
    quantity: "Ilość",
    unit: "J.m.",
    unit_price: "Cena jedn.",
    discount: "Rabat",
    tax: "VAT",
    net: "Wartość netto",
    before_discount: "Przed rabatem",
    subtotal: "Razem netto",
    tax_on: "od",
    rounding: "Zaokrąglenie",
    total: "Razem brutto",
    paid: "Zapłacono",
    due_before_credit: "Do zapłaty przed korektą",
    credited: "Skorygowano",
    refunded: "Zwrócono",
    overpaid: "Nadpłata do zwrotu",
    amount_due: "Do zapłaty",
    payment: "Płatność",
    beneficiary: "Odbiorca",
    reference: "Tytuł przelewu",
    scan_to_pay: "Zeskanuj w aplikacji banku, aby zapłacić",
    notes: "Uwagi",
    terms: "Warunki",
    cash_discount: {
      whole: "Rabat {percent} przy płatności w ciągu {days}.",
      part: "Rabat {percent} od kwoty {base} przy płatności w ciągu {days}.",
      days: "dnia|dni"
    },
    tax_notes: "Adnotacje podatkowe",
    exemptions: {
      E: "Zwolnione z VAT",
      AE: "Odwrotne obciążenie",
      K: "Wewnątrzwspólnotowa dostawa towarów zwolniona z VAT",
      G: "Eksport poza UE zwolniony z VAT",
      O: "Nie podlega VAT"
    },
    tax_number: "Numer VAT",
    registration_number: "Numer w rejestrze",
    piece: "szt."
  },
  units: {
    DZN: "tuz.",
    LS: "ryczałt",
    PR: "para|pary|par",
    SET: "kpl.",
    XBX: "pudełko|pudełka|pudełek",
    XPK: "opak."
  },
  details: {
    delivery_date: "Data dostawy",
    delivery_period: "Okres dostawy",
    delivery_address: "Adres dostawy",
    purchase_order: "Państwa zamówienie",
    buyer_reference: "Państwa znak",
    contract_reference: "Umowa",
    project_reference: "Projekt",
    operation_nature: "Transakcja",
    natures: { goods: "Dostawa towarów", services: "Świadczenie usług", mixed: "Dostawa towarów i świadczenie usług" },
    corrective_cause: "Przyczyna korekty",
    lines_total: "Suma pozycji",
    prepaid: "Zapłacono z góry",
    payment_method: "Sposób płatności",
    methods: { bank_transfer: "Przelew", direct_debit: "Polecenie zapłaty", card: "Karta", cash: "Gotówka" },
    mandate_reference: "Numer upoważnienia",
    creditor_identifier: "Identyfikator wierzyciela",
    debited_iban: "Obciążany rachunek",
    card_holder: "Posiadacz karty"
  },
  tax: {
    untaxed: {
      Z: "Bez VAT",
      E: "Zwolnione z VAT",
      AE: "Odwrotne obciążenie",
      K: "Dostawa wewnątrzwspólnotowa",
      G: "Eksport",
      O: "Nie podlega VAT"
    },
    article: { before: "art.", after: "dyrektywy 2006/112/WE" },
    margin: {
      used_goods: "Procedura marży – towary używane",
      art: "Procedura marży – dzieła sztuki",
      antiques: "Procedura marży – przedmioty kolekcjonerskie i antyki"
    },
    tax_in: "VAT w",
    exchange_rate: "Kurs wymiany"
  },
  seller: {
    share_capital: "Kapitał zakładowy",
    managing_directors: "Zarząd",
    national_tax_number: "Numer podatkowy",
    your_national_tax_number: "Państwa numer podatkowy",
    late_payment: "Opóźnienie w płatności",
    french_penalty:
      "Odsetki za opóźnienie: stopa zastosowana przez Europejski Bank Centralny w ostatniej operacji refinansowej powiększona o 10 punktów procentowych, należne od dnia następującego po terminie płatności.",
    french_recovery: "Zryczałtowana rekompensata za koszty odzyskiwania należności w razie opóźnienia: 40 €.",
    french_discount: "Brak rabatu za wcześniejszą płatność.",
    belgian_repayment: "VAT podlega zwrotowi na rzecz państwa w zakresie, w jakim został pierwotnie odliczony."
  },
  sandbox: {
    notice:
      "Próba: ten dokument przeszedł przez symulowaną sieć faktur elektronicznych. Nie otrzymała go żadna sieć ani administracja skarbowa.",
    not_cleared: "Symulacja: administracja skarbowa nie zatwierdziła tego dokumentu.",
    reference: "Numer próbny"
  },
  credit_note: {
    credit_note: "Faktura korygująca",
    corrective_invoice: "Faktura korygująca",
    credit_note_number: "Numer korekty",
    corrective_invoice_number: "Numer korekty",
    issue_date: "Data wystawienia",
    original_invoice: "Do faktury",
    invoice_date: "Data faktury",
    reason: "Przyczyna",
    amount_credited: "Kwota korekty",
    not_stamped: "Jeszcze niezatwierdzona przez administrację skarbową.",
    stamped_at: "Zatwierdzono",
    scan_to_verify: "Zeskanuj, aby sprawdzić w administracji skarbowej",
    type: "Rodzaj",
    types: {
      "81": "Korekta towarów lub usług",
      "83": "Korekta finansowa",
      "261": "Korekta w samofakturowaniu",
      "262": "Korekta zbiorcza",
      "381": "Faktura korygująca",
      "396": "Korekta faktoringowa",
      "502": "Korekta faktoringowa w samofakturowaniu",
      "503": "Korekta faktury zaliczkowej",
      "532": "Korekta spedytora"
    }
  },
  quote: {
    quote: "Oferta",
    quote_number: "Numer oferty",
    quote_date: "Data oferty",
    valid_until: "Ważna do",
    accepted: "Przyjęto",
    place_and_date: "Miejscowość i data",
    name_and_signature: "Imię, nazwisko i podpis"
  },
  receipt: {
    title: "Potwierdzenie zapłaty",
    number: "Do faktury",
    paid_on: "Data zapłaty",
    amount: "Kwota",
    total: "Razem otrzymano",
    other: "Inny"
  },
  state: {
    open: "Do zapłaty",
    due: "Termin dzisiaj",
    overdue: "Po terminie",
    part_paid: "Częściowo opłacona",
    paid: "Opłacona",
    void: "Anulowana",
    credited: "Skorygowana",
    awaiting: "Czeka na odpowiedź",
    paid_in_full: "Ta faktura jest w całości opłacona. Nic nie trzeba płacić.",
    voided: "Ta faktura jest anulowana. Prosimy jej nie opłacać.",
    credited_in_full: "Ta faktura została skorygowana. Nic nie trzeba płacić.",
    overpaid: "Zapłacono więcej, niż należało. Różnica podlega zwrotowi."
  },
  portal: {
    from: "Od",
    to: "Dla",
    lines: "Pozycje",
    download: "Pobierz PDF",
    attachments: "Załączniki",
    question: "Czy przyjmują Państwo tę ofertę?",
    accept: "Przyjmij ofertę",
    decline: "Odrzuć ofertę",
    decline_question: "Wolę odrzucić",
    reason: "Powód (nieobowiązkowo)",
    accepted: "Oferta została przyjęta. Dziękujemy!",
    rejected: "Oferta została odrzucona.",
    expired_quote: "Ta oferta nie jest już ważna.",
    converted: "Ta oferta została przyjęta, faktura jest w drodze.",
    look_again: "Nie udało się zapisać odpowiedzi, ponieważ oferta nie jest już otwarta lub się zmieniła.",
    busy: "Nie udało się teraz utworzyć pliku PDF. Prosimy spróbować za minutę.",
    too_complex: "Ten dokument jest za duży na plik PDF. Na tej stronie widać go w całości.",
    file_busy: "Nie udało się teraz pobrać pliku. Prosimy spróbować za minutę.",
    closed: {
      unknown: "Ten odnośnik jest nieprawidłowy.",
      expired: "Ten odnośnik wygasł.",
      revoked: "Ten odnośnik został wycofany.",
      withdrawn: "Ten dokument nie jest już dostępny."
    },
    ask_sender: "Prosimy poprosić nadawcę dokumentu o nowy odnośnik.",
    pay: "Zapłać online",
    transfer: "Zapłać przelewem",
    download_xml: "Pobierz XML",
    download_receipt: "Pobierz potwierdzenie",
    contact: "Pytania do tego dokumentu?",
    others: "Pozostałe otwarte dokumenty"
  },
  mail: {
    greeting: "Szanowni Państwo ({customer}),",
    confidential: "Odnośnik jest przeznaczony dla Państwa: kto go ma, może zobaczyć dokument.",
    regards: "Z poważaniem",
    invoice: {
      subject: "Faktura {number} – {organization}",
      attached: "W załączniku przesyłamy fakturę {number}.",
      ready: "Nasza faktura {number} jest gotowa.",
      open: "Zobacz fakturę"
    },
    quote: {
      subject: "Oferta {number} – {organization}",
      attached: "W załączniku przesyłamy ofertę {number}.",
      ready: "Nasza oferta {number} jest gotowa.",
      open: "Zobacz ofertę i odpowiedz"
    },
    credit_note: {
      subject: "Faktura korygująca {number} – {organization}",
      attached: "W załączniku przesyłamy fakturę korygującą {number}.",
      ready: "Nasza faktura korygująca {number} jest gotowa.",
      open: "Zobacz fakturę korygującą"
    },
    corrective_invoice: {
      subject: "Faktura korygująca {number} – {organization}",
      attached: "W załączniku przesyłamy fakturę korygującą {number}.",
      ready: "Nasza faktura korygująca {number} jest gotowa.",
      open: "Zobacz fakturę korygującą"
    },
    colon: ": ",
    payable_by: "Płatne do"
  }
}
