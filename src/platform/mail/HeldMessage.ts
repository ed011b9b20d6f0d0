import { Readable } from "node:stream"

/** So small that the end of a message is not read while the connection still has most of it to send. */
const chunk_bytes = 64 * 1024

/**
 * A message on its way to an SMTP server. Its first byte waits until `letGo`, by which time the server has accepted the
 * recipient; and afterwards it is known whether the server can have got the last byte.
 */
export class HeldMessage {
  readonly #asked = Promise.withResolvers<void>()
  readonly #released = Promise.withResolvers<void>()
  readonly #streams: Array<Readable> = []
  #isReleased = false

  constructor() {
    // Nobody may be waiting when the message is dropped.
    this.#released.promise.catch(() => undefined)
  }

  /** Resolves when the server asks for the message (354). */
  get asked(): Promise<void> {
    return this.#asked.promise
  }

  get isReleased(): boolean {
    return this.#isReleased
  }

  /** Without its last byte no server may deliver a message (RFC 5321, 4.1.1.4). */
  get isReadToItsEnd(): boolean {
    return this.#streams.some(({ readableEnded }) => readableEnded)
  }

  /** The bytes as the connection reads them; another connection may try if this one read none. */
  through(message: Readable): Readable {
    const stream = Readable.from(this.#bytesOf(message), { objectMode: false })
    this.#streams.push(stream)
    return stream
  }

  letGo() {
    this.#isReleased = true
    this.#released.resolve()
  }

  /** Ends a message that still waits, with an error: an end without one would be sent as an empty message. */
  drop() {
    this.#released.reject(new Error("The message was kept back."))
  }

  async *#bytesOf(message: Readable) {
    this.#asked.resolve()
    await this.#released.promise
    // Boundary: a stream of bytes does not say so in its type.
    for await (const bytes of message as AsyncIterable<Buffer>) {
      for (let start = 0; start < bytes.length; start += chunk_bytes) yield bytes.subarray(start, start + chunk_bytes)
    }
  }
}
