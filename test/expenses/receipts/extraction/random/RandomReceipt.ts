import words from "./receiptWords.json" with { type: "json" }

type ReceiptWords = (typeof words)[number]

export interface Truth {
  readonly vendor: string
  readonly date: string
  readonly amount: string
  readonly currency: string
  readonly tax_amount: string | undefined
}

interface RandomReceipt {
  readonly country: string
  readonly currency: string
  readonly isInvoice: boolean
  readonly today: string
  readonly text: string
  readonly truth: Truth
}

/** Numbers from 0 to 1 that depend only on the seed (mulberry32). */
export const diceOf = (seed: number) => {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

interface Item {
  readonly name: string
  readonly count: number
  readonly price: number
  readonly rate: number
}

const width = 42

/** A receipt or invoice as text, in one of the layouts of its country, with the facts that a person would read. */
export const randomReceipt = (seed: number): RandomReceipt => {
  const dice = diceOf(seed)
  const chance = (probability: number) => dice() < probability
  const pick = <A>(list: ReadonlyArray<A>): A => list[Math.floor(dice() * list.length)] ?? (list[0] as A)
  const between = (low: number, high: number) => low + Math.floor(dice() * (high - low + 1))
  const w = pick(words)
  const today = "2026-03-20"
  const issued = shifted(today, -between(0, 200))
  const isInvoice = chance(0.25)
  const thousands = w.country === "CH" ? "'" : w.decimal === "," ? pick([".", " "]) : ","
  const money = (units: number) => moneyText(units, w.decimal, thousands)
  const format = pick(w.dates)
  const day = (iso: string, form = format) => dayText(iso, form, w.months)
  const sign =
    w.currency === "EUR" ? pick(["EUR", "€"]) : w.currency === "GBP" ? "£" : w.currency === "USD" ? "$" : "CHF"
  const leading = sign === "£" || sign === "$"
  const marked = chance(0.4)
  const priced = (units: number) => (!marked ? money(units) : leading ? sign + money(units) : `${money(units)} ${sign}`)
  const line = (left: string, right: string) =>
    left + " ".repeat(Math.max(2, width - left.length - right.length)) + right
  const centred = (text: string) => " ".repeat(Math.max(0, Math.floor((width - text.length) / 2))) + text
  const time = `${String(between(8, 21)).padStart(2, "0")}:${String(between(0, 59)).padStart(2, "0")}`

  const vendor = vendorOf(w, pick, chance)
  const rates = w.rates.slice(0, between(1, w.rates.length))
  const scale = chance(0.15) ? 40 : chance(0.3) ? 6 : 1
  const items = Array.from({ length: between(1, chance(0.2) ? 14 : 7) }, (): Item => ({
    name: pick(w.items),
    count: chance(0.25) ? between(2, 4) : 1,
    price: between(60, 2_400) * scale + (chance(0.5) ? 9 : 0),
    rate: pick(rates)
  }))
  const isNet = w.country === "US" || (isInvoice && chance(0.6))
  const sum = items.reduce((total, item) => total + item.count * item.price, 0)
  const discount = chance(0.15) ? Math.round(sum * 0.1) : 0
  const groups = rates.flatMap((rate) => {
    const of = items.filter((item) => item.rate === rate).reduce((total, item) => total + item.count * item.price, 0)
    const base = of - (discount > 0 ? Math.round((discount * of) / sum) : 0)
    if (base === 0) return []
    const tax = isNet ? Math.round((base * rate) / 10_000) : Math.round((base * rate) / (10_000 + rate))
    return [isNet ? { rate, net: base, tax } : { rate, net: base - tax, tax }]
  })
  const tax = groups.reduce((total, group) => total + group.tax, 0)
  const printed = groups.reduce((total, group) => total + group.net + group.tax, 0)
  const tip = !isInvoice && chance(0.06) ? Math.round(printed / 10) : 0
  const payment = isInvoice ? pick(["none", "none", "card"]) : pick(["card", "card", "cash", "none"])
  const isRounded = payment === "cash" && ["NL", "BE", "CH"].includes(w.country) && chance(0.7)
  const paid = isRounded ? Math.round((printed + tip) / 5) * 5 : printed + tip

  const head = [
    ...(chance(0.06) ? [centred(pick(w.card)), centred(pick(w.card))] : []),
    chance(0.15) ? centred(pick(w.titles)) : "",
    centred(vendor),
    chance(0.7) ? centred(pick(w.streets)) : "",
    chance(0.8) ? centred(pick(w.cities)) : "",
    chance(0.5) ? centred(`Tel. 0${between(10, 99)} ${between(100, 999)} ${between(10, 99)} ${between(10, 99)}`) : "",
    chance(0.5) ? centred(w.taxId) : "",
    chance(0.2)
      ? centred(
          `www.${vendor
            .toLowerCase()
            .replace(/[^a-z]/g, "")
            .slice(0, 14)}.${w.country === "US" ? "com" : w.country.toLowerCase()}`
        )
      : "",
    ""
  ]
  const number = `${pick(["", "F", "2026-", "T", "00"])}${between(1_000, 99_999)}`
  const dateLabel = pick(w.date)
  const dateLine = pick([
    `${dateLabel}${dateLabel === "" ? "" : pick([": ", " "])}${day(issued)}  ${time}`,
    `${day(issued)} ${time}   ${pick(["#", "POS", "K"])}${between(1, 9)} ${between(1_000, 9_999)}`,
    line(`${dateLabel} ${day(issued)}`, time)
  ])
  const about = [
    chance(0.5) ? centred(pick(w.titles)) : "",
    chance(0.6) ? `${pick(w.number)} ${number}` : "",
    ...(isInvoice
      ? [
          `${w.date[1] ?? w.date[0]}: ${day(issued)}`,
          chance(0.7) ? `${pick(w.due)}: ${day(shifted(issued, 30))}` : "",
          w.customer,
          "Atelier Lumière SRL",
          "Rue Haute 12",
          "1000 Bruxelles"
        ]
      : []),
    ""
  ]
  const isStay = chance(0.05)
  const sold = items.flatMap((item) => {
    const total = item.count * item.price
    const code = chance(0.2) ? ` ${"ABC"[rates.indexOf(item.rate)]}` : ""
    const name = isStay ? `${day(shifted(issued, -between(0, 3)))} ${item.name}` : item.name
    if (item.count === 1) return [line(name, priced(total) + code)]
    return pick([
      [line(`${item.count} x ${item.name}`, priced(total) + code)],
      [item.name, line(`   ${item.count} x ${money(item.price)}`, priced(total) + code)],
      [line(`${item.name}  ${item.count}  ${money(item.price)}`, priced(total) + code)]
    ])
  })
  const subtotals = [
    discount > 0
      ? [
          chance(0.5) ? line(pick(w.subtotal.slice(0, 1)), money(sum)) : "",
          line(pick(w.discount), `-${money(discount)}`)
        ]
      : [],
    isNet
      ? [
          line(pick(w.subtotal), money(sum - discount)),
          ...groups.map((group) => line(`${pick(w.tax)} ${percent(group.rate, w.decimal)}%`, money(group.tax)))
        ]
      : [],
    tip > 0 ? [line(pick(w.subtotal.slice(0, 1)), money(printed)), line(w.tip, money(tip))] : []
  ].flat()
  const articles = chance(0.15) ? [line(`${items.length} ${w.articles}`, "")] : []
  const label = pick(w.total) + (chance(0.15) && !marked ? ` ${sign}` : "")
  const totals = pick([
    [line(label, priced(printed + tip))],
    [line(label, priced(printed + tip))],
    ["-".repeat(width), line(label, priced(printed + tip)), "=".repeat(width)],
    [label, line("", priced(printed + tip))]
  ])
  const rounding = isRounded
    ? [line(w.rounding, money(paid - printed - tip)), ...(chance(0.6) ? [line(pick(w.total), priced(paid))] : [])]
    : []
  const tendered = Math.ceil((paid + 1) / 1_000) * 1_000
  const payments =
    payment === "cash"
      ? [line(pick(w.cash), priced(tendered)), line(pick(w.change), priced(tendered - paid))]
      : payment === "card"
        ? [
            line(pick(w.card), priced(paid)),
            ...(chance(0.3)
              ? [
                  `AID: A0000000041010`,
                  `AUTH ${between(100_000, 999_999)}`,
                  chance(0.5) ? `${pick(w.card)} ${sign} ${money(paid)}` : ""
                ]
              : [])
          ]
        : []
  const table = isNet || chance(0.35) ? [] : taxTable(w, groups, money, chance(0.5), line, printed)
  const foot = [
    discount > 0 || chance(0.08) ? line(pick(w.saved), money(discount || between(50, 900))) : "",
    chance(0.08) ? line(w.points, money(between(100, 20_000))) : "",
    chance(0.1) ? `${pick(w.until)} ${day(shifted(issued, 30))}` : "",
    chance(0.5) ? centred(pick(w.thanks)) : ""
  ]
  const dateAtTop = chance(0.6)
  const body = [
    ...head,
    ...(dateAtTop && !isInvoice ? [dateLine] : []),
    ...about,
    ...sold,
    "",
    ...subtotals,
    ...totals,
    ...rounding,
    ...(chance(0.7) ? [...articles, ...payments, "", ...table] : [...table, "", ...payments, ...articles]),
    "",
    ...(dateAtTop || isInvoice ? [] : [dateLine]),
    ...foot
  ]
  const withTax = table.length > 0 || isNet
  return {
    country: w.country,
    currency: w.currency,
    isInvoice,
    today,
    text: body.filter((row, index) => row !== "" || body[index - 1] !== "").join("\n"),
    truth: {
      vendor,
      date: issued,
      amount: decimals(paid),
      currency: w.currency,
      tax_amount: withTax ? decimals(tax) : undefined
    }
  }
}

const decimals = (units: number) => moneyText(units, ".", "")

const vendorOf = (w: ReceiptWords, pick: <A>(list: ReadonlyArray<A>) => A, chance: (p: number) => boolean) => {
  const name = `${pick(w.shops)} ${pick(w.names)}`
  const full = chance(0.3) ? `${name} ${pick(w.forms)}` : name
  return chance(0.5) ? full.toUpperCase() : full
}

const column = (texts: ReadonlyArray<string>) => texts.map((text) => text.padStart(10)).join("")

const taxTable = (
  w: ReceiptWords,
  groups: ReadonlyArray<{ rate: number; net: number; tax: number }>,
  money: (units: number) => string,
  full: boolean,
  line: (left: string, right: string) => string,
  total: number
): ReadonlyArray<string> => {
  const [name = "", second = name] = w.tax
  if (!full) return groups.map(({ rate, tax }) => line(`${second} ${percent(rate, w.decimal)}%`, money(tax)))
  return [
    column([`${name}%`, w.net, name, w.gross]),
    ...groups.map(({ net, rate, tax }, index) =>
      column([`${"ABC"[index]} ${percent(rate, w.decimal)}%`, money(net), money(tax), money(net + tax)])
    ),
    ...(groups.length > 1 && total % 2 === 0
      ? [
          column([
            "",
            ...[groups.map(({ net }) => net), groups.map(({ tax }) => tax)].map((list) =>
              money(list.reduce((a, b) => a + b, 0))
            ),
            money(total)
          ])
        ]
      : [])
  ]
}

const percent = (rate: number, decimal: string) =>
  rate % 100 === 0 && rate % 500 !== 0
    ? String(rate / 100)
    : (rate / 100).toFixed(rate % 100 === 0 ? 2 : rate % 10 === 0 ? 1 : 2).replace(".", decimal)

const moneyText = (units: number, decimal: string, thousands: string) => {
  const [whole = "", cents = ""] = (Math.abs(units) / 100).toFixed(2).split(".")
  return `${units < 0 ? "-" : ""}${whole.replace(/\B(?=(?:\d{3})+$)/g, thousands)}${decimal}${cents}`
}

const shifted = (iso: string, days: number) => new Date(Date.parse(iso) + days * 86_400_000).toISOString().slice(0, 10)

const dayText = (iso: string, format: string, months: ReadonlyArray<string>) => {
  const [year = "", month = "", day = ""] = iso.split("-")
  const parts: Record<string, string> = {
    Y: year,
    y: year.slice(2),
    m: month,
    d: day,
    M: months[Number(month) - 1] ?? month
  }
  return format.replace(/[YymdM]/g, (letter) => parts[letter] ?? letter)
}
