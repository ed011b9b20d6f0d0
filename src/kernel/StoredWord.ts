import { Schema } from "effect"

/**
 * A stored word of a list that a later version may extend. During an upgrade, the processes of the earlier version read
 * what those of the later version have stored, so any text is accepted. The API document declares the words of the list.
 */
export const storedWord = (words: ReadonlyArray<string>) =>
  Schema.String.check(Schema.makeFilter<string>(() => true, { toJsonSchema: () => [{ enum: words }, true] }))
