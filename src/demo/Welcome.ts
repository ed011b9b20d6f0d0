import { addDays, type Day } from "../kernel/Calendar.ts"
import type { DemoFacts } from "./DemoFacts.ts"

const due_days = 30

/** What a terminal shows after the start: where everything is, and commands that work when they are pasted in order. */
export const welcome = (facts: DemoFacts, today: Day): string => {
  const { base_url, organizations, superadmin, users } = facts
  return [
    "Invoicing is ready.",
    "",
    `  Address        ${base_url}`,
    `  Reference      ${base_url}/docs`,
    ...(superadmin === undefined
      ? []
      : [`  Administration ${base_url}/admin  ${superadmin.email}, password ${superadmin.password}`]),
    ...organizations.map(
      ({ country, currency, name, id }) => `  Organization   ${id}  ${name} (${country}, ${currency})`
    ),
    ...users.map(({ email, organization_id, role }) => `  User           ${email} (${role} of ${organization_id})`),
    "  Credentials    demo.json in the data folder",
    "",
    ...organizations.slice(0, 1).flatMap((organization) => commands(base_url, organization, today)),
    ""
  ].join("\n")
}

/** POSIX sh and curl are enough. */
const commands = (
  base_url: string,
  { customers, currency, token }: DemoFacts["organizations"][number],
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
