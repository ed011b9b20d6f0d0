import { Layer } from "effect"
import { Journal } from "./platform/events/Journal.ts"
import { Database } from "./platform/sql/Database.ts"

/** The parts of the platform that every context may use, over a database connection and the configuration. */
export const Machine = Layer.mergeAll(Database.layer, Journal.layer)
