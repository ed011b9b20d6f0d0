import { describe, expect, it } from "vitest"
import { readdirSync, readFileSync } from "node:fs"
import { labelsIn } from "../../../src/billing/printing/labels/Labels.ts"
import { scopesKnown } from "../../../src/identity/Scope.ts"
import { accountTexts } from "../../../src/identity/texts/AccountTexts.ts"
import { invitationTexts } from "../../../src/organizations/invitations/texts/InvitationTexts.ts"
import { sentences } from "../../../src/platform/http/edge/BrowserAnswers.ts"
import { skip } from "../../../src/platform/pages/PageFrame.ts"
import { noticeTexts } from "../../../src/webhooks/notices/NoticeTexts.ts"
import { pageLanguages } from "../../../src/platform/pages/PageLanguage.ts"
import { leavesOf } from "./Leaves.ts"

/** All texts that are shown in the reader's language, by file. */
const sets: Readonly<Record<string, object>> = {
  "billing/printing/labels/Labels.ts": labelsIn,
  "platform/pages/PageFrame.ts": skip,
  "platform/http/edge/BrowserAnswers.ts": sentences,
  "identity/texts/AccountTexts.ts": accountTexts,
  "organizations/invitations/texts/InvitationTexts.ts": invitationTexts,
  "webhooks/notices/NoticeTexts.ts": noticeTexts
}

/** Files whose texts by language contain no words, or only the names of national registers. */
const without_words = ["billing/printing/DocumentFormat.ts", "billing/printing/SellerFacts.ts"]

/** Words that a language shares with English. */
const shared: Readonly<Record<string, ReadonlyArray<string>>> = {
  fr: ["Administration", "Contacts", "Description", "Notes", "Type"],
  nl: ["Project", "Type", "Account"],
  de: ["Name"],
  pl: ["administrator"],
  es: ["Total"],
  it: ["Password", "Account"],
  // The colon between a label and its value is not a word; "Webhooks" is not translated.
  all: [": ", "Webhooks"]
}

const textsIn = (texts: object, language: string) => leavesOf(new Map(Object.entries(texts)).get(language))

const placeholdersOf = (text: string) => (text.match(/\{\w+\}/g) ?? []).toSorted().join()

const cases = Object.entries(sets).flatMap(([file, texts]) =>
  pageLanguages.map((language) => ({ file, language, own: textsIn(texts, language), english: textsIn(texts, "en") }))
)
const foreign = cases.filter(({ language }) => language !== "en")

const source = new URL("../../../src/", import.meta.url)

describe("every set of labels", () => {
  it("is compared here", () => {
    const files = readdirSync(source, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"))
    const byLanguage = files.filter((file) =>
      /Record<PageLanguage\b|\[\w+ in PageLanguage\]/.test(readFileSync(new URL(file, source), "utf8"))
    )
    expect(byLanguage.toSorted()).toEqual([...Object.keys(sets), ...without_words].toSorted())
  })

  it.each(cases)("has a text for every key, with the same placeholders: $file in $language", ({ english, own }) => {
    expect(own.map(([path]) => path)).toEqual(english.map(([path]) => path))
    expect(own.filter(([, text]) => text.trim() === "")).toEqual([])
    expect(own.map(([path, text]) => [path, placeholdersOf(text)])).toEqual(
      english.map(([path, text]) => [path, placeholdersOf(text)])
    )
  })

  it.each(foreign)("says nothing in English: $file in $language", ({ english, language, own }) => {
    const same = own.filter(([, text], index) => text === english[index]?.[1])
    const known = new Set([...(shared[language] ?? []), ...(shared["all"] ?? [])])
    expect(same.filter(([, text]) => !known.has(text))).toEqual([])
  })

  it.each(cases)("follows the language's rules of punctuation: $file in $language", ({ language, own }) => {
    const texts = own.map(([, text]) => text)
    expect(texts.filter((text) => /\p{L}'\p{L}/u.test(text))).toEqual([])
    // A plain space before French punctuation lets a line begin with the punctuation.
    expect(language === "fr" ? texts.filter((text) => /(?<![\u00a0\u202f])[:?!;»](?!\d)/u.test(text)) : []).toEqual([])
  })

  it.each(pageLanguages)("has words for both halves of every scope: %s", (language) => {
    const { deeds, things } = accountTexts[language].scopes
    const unknown = scopesKnown.filter((scope) => {
      const [thing = "", deed = ""] = scope.split(/[:.]/)
      return !Object.hasOwn(things, thing) || !Object.hasOwn(deeds, deed)
    })
    expect(unknown).toEqual([])
  })
})
