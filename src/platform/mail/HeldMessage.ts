import { Readable } from "node:stream"

/** Size of the read chunks. Large ones would let the end be read while most of a message is still to be sent. */
const chunk_bytes = 64 * 1024

/**
 * A message on its way to an SMTP server. Its first byte waits until `release`, after the server has accepted the
 * recipient. Afterwards `isReadToItsEnd` tells whether the server can have received the last byte.
 */
export class HeldMessage {
  readonly #asked = Promise.withResolvers<void>()
  readonly #released = Promise.withResolvers<void>()
  readonly #streams: Array<Readable> = []
  #isReleased = false

  constructor() {
    // Nobody may be waiting when the message is dropped, so the rejection is handled here.
    this.#released.promise.catch(() => undefined)
  }

  /** Resolves when the server asks for the message (354). */
  get asked(): Promise<void> {
    return this.#asked.promise
  }

  get isReleased(): boolean {
    return this.#isReleased
  }

  /** Without the last byte, no server may deliver a message (RFC 5321, 4.1.1.4). */
  get isReadToItsEnd(): boolean {
    return this.#streams.some(({ readableEnded }) => readableEnded)
  }

  /** Returns the bytes for one connection; another connection may try again if this one read none. */
  through(message: Readable): Readable {
    const stream = Readable.from(this.#bytesOf(message), { objectMode: false })
    this.#streams.push(stream)
    return stream
  }

  release() {
    this.#isReleased = true
    this.#released.resolve()
  }

  /** Fails a message that still waits: if it ended without an error, an empty message would be sent. */
  cancel() {
    this.#released.reject(new Error("The message was kept back."))
  }

  async *#bytesOf(message: Readable) {
    this.#asked.resolve()
    await this.#released.promise
    // Boundary: the type of a byte stream does not say that its chunks are bytes.
    for await (const bytes of message as AsyncIterable<Buffer>) {
      for (let start = 0; start < bytes.length; start += chunk_bytes) yield bytes.subarray(start, start + chunk_bytes)
    }
  }
}
