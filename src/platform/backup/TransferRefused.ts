import { Data } from "effect"

/**
 * A backup, restore, export or import cannot be done with this database, storage or version; the message says what to
 * do.
 */
export class TransferRefused extends Data.TaggedError("TransferRefused")<{ readonly message: string }> {
  static of(message: string) {
    return new TransferRefused({ message })
  }
}
