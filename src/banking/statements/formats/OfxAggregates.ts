import { Result } from "effect"
import { InvalidStatement } from "../../records/StatementErrors.ts"

/** A complete element that holds other elements. `values` has their texts by name, such as NAME and PAYEE.NAME. */
export interface Aggregate {
  readonly name: string
  readonly parent: string
  /** Line of the file where the aggregate begins. */
  readonly line: number
  readonly values: ReadonlyMap<string, string>
}

interface Frame {
  readonly name: string
  readonly line: number
  readonly hasText: boolean
  readonly values: Map<string, string>
}

/** Elements that have an end tag even in OFX 1; any other may lack its end tag there, even if it is empty. */
const aggregates: ReadonlySet<string> = new Set(
  (
    "OFX BANKMSGSRSV1 CREDITCARDMSGSRSV1 STMTTRNRS CCSTMTTRNRS STMTRS CCSTMTRS BANKACCTFROM CCACCTFROM BANKTRANLIST " +
    "BANKTRANLISTP STMTTRN STMTTRNP PAYEE BANKACCTTO CCACCTTO CURRENCY ORIGCURRENCY LEDGERBAL AVAILBAL BALLIST BAL"
  ).split(" ")
)

/** Aggregates that occur at most once in their parent; their texts also count as texts of the parent. */
const inner: ReadonlySet<string> = new Set(
  "BANKACCTFROM CCACCTFROM LEDGERBAL PAYEE BANKACCTTO CCACCTTO CURRENCY".split(" ")
)

/** Aggregates whose texts are read. */
const records: ReadonlySet<string> = new Set(["STMTRS", "CCSTMTRS", "STMTTRN", ...inner])

/** Texts that determine the booking. An aggregate may not have two of one name, which could contradict each other. */
const unique: ReadonlySet<string> = new Set("CURDEF ACCTID TRNTYPE DTPOSTED TRNAMT FITID BALAMT DTASOF".split(" "))

/** Maximum number of elements that are open at the same time; statements need about ten. */
const depth_max = 64
const tag = /\s*<(\/?)([A-Z][A-Z0-9._]{0,31})\s{0,8}(\/?)>/y
const root = "<OFX>"

type Read<A> = Result.Result<A, InvalidStatement>
const wrong = (reason: string, line: number) => Result.fail(InvalidStatement.of(reason, line))

/**
 * Reads aggregates as they close, in one pass without recursion. OFX 1 omits the end tags of elements with a text. An
 * aggregate that is not closed, or closed by an end tag of another name, is refused, because lines may be lost there.
 */
export function* ofxAggregates(text: string): Generator<Read<Aggregate>> {
  const open: Array<Frame> = []
  let at = Math.max(text.indexOf(root), 0)
  let line = 1 + lineFeeds(text.slice(0, at))
  while (at < text.length) {
    tag.lastIndex = at
    const [whole = "", slash, name = "", empty] = tag.exec(text) ?? []
    if (whole === "") return yield wrong("a tag is malformed", line)
    const { content, end: next } = contentAt(text, at + whole.length)
    if (slash === "" && empty === "") {
      const opened = begin(open, { name, line, hasText: content !== "", values: new Map() }, content)
      if (Result.isFailure(opened)) return yield Result.fail(opened.failure)
    } else if (content !== "") return yield wrong(`a text follows the end of ${name}`, line)
    else if (slash !== "") {
      const closed = end(open, name, line)
      if (Result.isFailure(closed)) return yield Result.fail(closed.failure)
      if (closed.success !== undefined) yield Result.succeed(closed.success)
    }
    line += lineFeeds(text.slice(at, next))
    at = next
  }
  const [unclosed] = open
  if (unclosed !== undefined) yield wrong(`${unclosed.name} is not closed`, unclosed.line)
}

/** The text up to the next tag; some banks write it as a CDATA section. */
const contentAt = (text: string, start: number): { readonly content: string; readonly end: number } => {
  const at = text.indexOf("<", start)
  const end = at === -1 ? text.length : at
  const content = decoded(text.slice(start, end).trim())
  const closing = text.startsWith(cdata, end) ? text.indexOf("]]>", end) : -1
  if (closing === -1 || content !== "") return { content, end }
  return { content: text.slice(end + cdata.length, closing).trim(), end: closing + "]]>".length }
}
const cdata = "<![CDATA["

const lineFeeds = (text: string): number => {
  let count = 0
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) count++
  return count
}

const begin = (open: Array<Frame>, frame: Frame, content: string): Read<void> => {
  // An element with a text holds no other elements, so it ends where the next one begins.
  if (open.at(-1)?.hasText === true) open.pop()
  if (open.length === depth_max) return wrong(`its elements are nested more than ${depth_max} deep`, frame.line)
  if (frame.hasText) {
    if (aggregates.has(frame.name)) return wrong(`${frame.name} has a text`, frame.line)
    const holder = open.findLast(({ name }) => aggregates.has(name))
    const isKept = holder === undefined || !records.has(holder.name) || keep(holder, frame.name, content)
    if (!isKept) return wrong(`an aggregate has two elements ${frame.name}`, frame.line)
  }
  open.push(frame)
  return Result.void
}

/** Stores the text of an element; false if it contradicts an earlier one. */
const keep = ({ values }: Frame, name: string, text: string): boolean => {
  if (values.has(name) && unique.has(name.slice(name.lastIndexOf(".") + 1))) return false
  values.set(name, text)
  return true
}

/** Closes the element and the elements in it that have no end tag; returns the element if it is an aggregate. */
const end = (open: Array<Frame>, name: string, line: number): Read<Aggregate | undefined> => {
  let frame = open.pop()
  while (frame !== undefined && frame.name !== name && !aggregates.has(frame.name)) frame = open.pop()
  if (frame?.name !== name) return wrong(`${frame?.name ?? "no element"} is closed as ${name}`, line)
  if (!aggregates.has(name)) return Result.succeed(undefined)
  const parent = open.findLast((around) => aggregates.has(around.name))
  if (parent !== undefined && records.has(parent.name) && inner.has(name)) {
    for (const [part, text] of frame.values) {
      const isKept = keep(parent, `${name}.${part}`, text)
      if (!isKept) return wrong(`an aggregate has two elements ${name}`, frame.line)
    }
  }
  return Result.succeed({ name, parent: parent?.name ?? "", line: frame.line, values: frame.values })
}

const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: " " }
const code_point_max = 0x10ffff

const decoded = (text: string): string =>
  text.replaceAll(/&(?:#(\d{1,7})|#x([\dA-Fa-f]{1,6})|([a-z]{2,4}));/g, (whole, decimal, hexadecimal, name) => {
    if (name !== undefined) return entities[name] ?? whole
    const code = decimal === undefined ? Number.parseInt(hexadecimal, 16) : Number(decimal)
    return code <= code_point_max ? String.fromCodePoint(code) : whole
  })
