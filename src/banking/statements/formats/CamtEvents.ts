import { Result } from "effect"
import type { Xml } from "effect/encoding"
import { localName, type XmlTree } from "../../../platform/documents/XmlTree.ts"
import { InvalidStatement } from "../../records/StatementErrors.ts"

/** Other ISO 20022 messages that people upload by mistake: the element of the message, and what the message is. */
const other_messages: Readonly<Record<string, string>> = {
  BkToCstmrAcctRpt: "an account report of the running day (camt.052), whose entries may still change",
  BkToCstmrDbtCdtNtfctn: "a notification of single entries (camt.054), which has no balances",
  CstmrCdtTrfInitn: "an order to pay (pain.001), not a statement",
  CstmrDrctDbtInitn: "an order to collect (pain.008), not a statement",
  CstmrPmtStsRpt: "a report on the state of orders (pain.002), not a statement",
  FIToFICstmrCdtTrf: "a payment between banks (pacs.008), not a statement"
}

const message_name = /^BkToCstmrStmt(?:V\d\d)?$/
const element_nodes_max = 100_000
/** Maximum depth of the element that identifies the message. The elements around it are an envelope of the bank. */
const envelope_depth_max = 6

interface Building {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: Array<XmlTree>
  text: string
}

interface StatementParts {
  /** Called when a statement begins, before `part` is called for its children. */
  readonly began: () => void
  /** Called when a child of the statement, such as a balance or an entry, is complete. */
  readonly part: (node: XmlTree) => Result.Result<void, InvalidStatement>
}

const refuse = (reason: string) => Result.fail(InvalidStatement.of(reason))

/** Passes on each child of a statement when it ends, so that no more than one entry is held as a tree. */
export const statementEvents = ({ began, part }: StatementParts) => {
  const path: Array<string> = []
  const building: Array<Building> = []
  let nodes = 0
  let message_depth = 0
  const started = ({ attributes, name: written }: Xml.StartElement): Result.Result<void, InvalidStatement> => {
    const name = localName(written)
    path.push(name)
    const kind = other_messages[name]
    if (kind !== undefined && path.length <= envelope_depth_max) return refuse(`it is ${kind}; a camt.053 is needed`)
    if (message_depth === 0) {
      if (message_name.test(name) && path.length <= envelope_depth_max) message_depth = path.length
      return Result.void
    }
    if (path.length === message_depth + 1 && name === "Stmt") began()
    const isPart = path.length > message_depth + 1 && path[message_depth] === "Stmt"
    if (!isPart) return Result.void
    if (building.length === 0) nodes = 0
    if (++nodes > element_nodes_max) return refuse("an entry has too many elements")
    building.push({ name, attributes, children: [], text: "" })
    return Result.void
  }

  const ended = (): Result.Result<void, InvalidStatement> => {
    path.pop()
    if (path.length < message_depth) message_depth = 0
    const node = building.pop()
    const parent = building.at(-1)
    if (node === undefined) return Result.void
    if (parent === undefined) return part(node)
    parent.children.push(node)
    return Result.void
  }

  return (event: Xml.Event): Result.Result<void, InvalidStatement> => {
    switch (event._tag) {
      case "StartElement":
        return started(event)
      case "EndElement":
        return ended()
      case "Text": {
        const node = building.at(-1)
        if (node !== undefined) node.text += event.text
        return Result.void
      }
      case "Doctype":
        // No statement needs a DTD, and DTDs allow attacks on XML parsers.
        return refuse("it has a document type declaration")
      default:
        return Result.void
    }
  }
}
