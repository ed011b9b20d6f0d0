import { Effect, Layer } from "effect"
import { ConnectedProviders } from "../../../../src/einvoicing/ConnectedProviders.ts"
import { FrenchReports } from "../../../../src/einvoicing/france/reports/FrenchReports.ts"
import { paymentBody } from "../../../support/Billing.ts"
import { usePlatform } from "../Seller.ts"

const services = FrenchReports.layer.pipe(Layer.provide(ConnectedProviders))
export const settings = { vat_regime: "normal_monthly", platform_number: "PA01", reports_from: "2025-03-01" }

/** The running service, and a platform through which organizations report their sales. */
export const useDeclarants = async () => {
  const { app, connected, point } = await usePlatform()

  /** All reports that the platform received, including those that it refused. */
  const arrived = () => point.sent("FRR").map(({ file }) => String(file))

  /**
   * An organization that reports, with helpers for requests about its sales. The test itself runs the background work.
   */
  const declarant = async (given: Readonly<Record<string, string>> = settings) => {
    const books = await connected(given)
    await app.run(books.connect)
    await books.register()
    const customer = async (body: object): Promise<number> => (await books.made("POST", "/customers", body)).id
    const consumer = await customer({ name: "Jean Martin", country: "FR" })
    const abroad = await customer({ name: "Müller GmbH", country: "DE", tax_number: "DE123456788" })
    const sold = (customer_id: number, changes: object = {}) =>
      books.issued({ customer_id, issue_date: "2025-03-05", operation_nature: "services", ...changes })
    const received = (invoice_id: number, amount: number, payment_date = "2025-03-20") =>
      books.made("POST", "/payments", paymentBody(invoice_id, amount, { payment_date }))
    const run = () =>
      app.run(
        FrenchReports.use((reports) => reports.run(books.organization_id)).pipe(
          Effect.match({ onFailure: ({ _tag }) => _tag, onSuccess: () => "done" }),
          Effect.provide(services)
        )
      )
    const list = () =>
      app.run(FrenchReports.use((reports) => reports.list(books.organization_id)).pipe(Effect.provide(services)))
    const reports = async () => (await list()).reports.filter(({ status }) => status !== null)
    const inDatabase = (statement: string) => app.inDatabase(`${statement} organization_id = ${books.id}`)
    const tomorrow = () => inDatabase("update french_reports set recorded_at = recorded_at - interval '25 hours' where")
    const resume = () =>
      inDatabase("update provider_submissions set attempted_at = attempted_at - interval '11 minutes' where")
    const unpause = () => inDatabase("update provider_connections set paused_until = null where")
    return {
      ...books,
      consumer,
      abroad,
      sold,
      received,
      run,
      list,
      reports,
      tomorrow,
      resume,
      unpause,
      inDatabase
    }
  }

  return { app, point, connected, declarant, arrived }
}
