import { ExpensesWorkers } from "./expenses/ExpensesLayer.ts"

/** Everything that is done outside a request: jobs, deliveries, timed work. */
export const Workers = ExpensesWorkers
