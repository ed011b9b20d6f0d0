/** The command line of the administration: `npm run admin -- --help`. */
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, Layer } from "effect"
import { Command } from "effect/cli"
import { RpcSerialization } from "effect/rpc"
import { existsSync } from "node:fs"
import packageFile from "../package.json" with { type: "json" }
import { archive } from "../src/administration/cli/commands/ArchiveCommands.ts"
import { backupCommands } from "../src/administration/cli/commands/BackupCommands.ts"
import { bankAccount } from "../src/administration/cli/commands/BankAccountCommands.ts"
import { client, tokens } from "../src/administration/cli/commands/CredentialCommands.ts"
import { document } from "../src/administration/cli/commands/DocumentCommands.ts"
import { einvoicing } from "../src/administration/cli/commands/EinvoicingCommands.ts"
import { job } from "../src/administration/cli/commands/JobCommands.ts"
import { organizationCommand } from "../src/administration/cli/commands/OrganizationCommands.ts"
import { member, setup, user } from "../src/administration/cli/commands/PeopleCommands.ts"
import { registration } from "../src/administration/cli/commands/RegistrationCommands.ts"
import { admin, ErrorsFirst } from "../src/administration/cli/Root.ts"
import { taxRate } from "../src/administration/cli/commands/TaxRateCommands.ts"

/** Imports the services of an installation only when a command needs them, because the import takes a second. */
const load = Effect.promise(() => import("../src/Maintenance.ts"))

export const administer = Command.runWith(
  admin.pipe(
    Command.withSubcommands([
      setup,
      organizationCommand(load),
      user,
      member,
      taxRate,
      bankAccount,
      tokens,
      client,
      document,
      registration,
      einvoicing,
      archive,
      job,
      ...backupCommands(load)
    ])
  ),
  { version: packageFile.version }
)

export const Services = Layer.mergeAll(
  NodeServices.layer,
  NodeHttpClient.layerUndici,
  RpcSerialization.layerNdjson,
  ErrorsFirst
)

if (import.meta.main) {
  if (existsSync(".env")) process.loadEnvFile(".env")
  NodeRuntime.runMain(Effect.provide(administer(process.argv.slice(2)), Services))
}
