import { Command, Flag } from "effect/cli"
import { DocumentKind } from "../../../kernel/DocumentKind.ts"
import { organization_id, perform } from "../Root.ts"

const revokeLinks = Command.make(
  "revoke-links",
  {
    organization_id,
    document: Flag.Literals("kind", DocumentKind.literals),
    document_id: Flag.Int("id").pipe(Flag.withDescription("Id of the document"))
  },
  (flags) => perform("RevokeDocumentLinks", flags)
).pipe(Command.withDescription("Disable the links in messages already sent; sending again makes new ones"))

export const document = Command.make("document").pipe(
  Command.withDescription("Documents as their recipients see them"),
  Command.withSubcommands([revokeLinks])
)
