import { addDays, type Day } from "../kernel/Calendar.ts"
import type { DemoFacts } from "./DemoFacts.ts"

const due_days = 30

interface Setting {
  readonly today: Day
  /** The file that holds all credentials of the demo. */
  readonly file: string
  /** When false, the commands read the token from the file. */
  readonly showsSecrets: boolean
}

export const welcome = (facts: DemoFacts, { file, showsSecrets, today }: Setting): string => {
  const { base_url, organizations, superadmin, users } = facts
  return [
    "Invoicing is ready.",
    "",
    `  Address        ${base_url}`,
    `  Reference      ${base_url}/docs`,
    `  Administration ${base_url}/admin  ${superadmin.email}${showsSecrets ? `, password ${superadmin.password}` : ""}`,
    ...organizations.map(
      ({ country, currency, name, id }) => `  Organization   ${id}  ${name} (${country}, ${currency})`
    ),
    ...users.map(({ email, organization_id, role }) => `  User           ${email} (${role} of ${organization_id})`),
    `  Credentials    ${file}`,
    "",
    ...organizations.slice(0, 1).flatMap((organization) => {
      const token = showsSecrets ? organization.token : tokenIn(file)
      return commands(base_url, organization, token, today)
    }),
    ""
  ].join("\n")
}

/** A POSIX shell substitution that reads the token of the first organization. */
const tokenIn = (file: string) => {
  const script = "JSON.parse(fs.readFileSync(process.argv[1])).organizations[0].token"
  return `$(node -p '${script}' ${quoted(file)})`
}

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

/** The commands need POSIX sh and curl. If they read the token from the credentials file, they also need node. */
const commands = (
  base_url: string,
  { customers, currency }: DemoFacts["organizations"][number],
  token: string,
  today: Day
): ReadonlyArray<string> => {
  const invoice = {
    customer_id: customers[0]?.id,
    issue_date: today,
    due_date: addDays(today, due_days),
    currency,
    items: [{ description: "Consulting", quantity: 2, unit: "hour", unit_price: 95 }]
  }
  const authorization = '-H "Authorization: Bearer $TOKEN"'
  const json = "-H 'Content-Type: application/json'"
  return [
    "Create an invoice, send it, print it and have it paid:",
    "",
    `API=${base_url}/api/v1`,
    `TOKEN=${token}`,
    `INVOICE=$(curl -fsS "$API/invoices" ${authorization} ${json} \\`,
    `  -d '${JSON.stringify(invoice)}' \\`,
    `  | sed 's/^{"success":true,"data":{"id":\\([0-9]*\\).*/\\1/')`,
    `curl -fsS -X POST "$API/invoices/$INVOICE/mark-sent" ${authorization}; echo`,
    `curl -fsS "$API/invoices/$INVOICE/pdf" ${authorization} -o invoice.pdf`,
    `curl -fsS -X POST "$API/invoices/$INVOICE/mark-paid" ${authorization}; echo`
  ]
}
