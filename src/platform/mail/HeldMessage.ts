import { Readable } from "node:stream"

/** Size of the chunks in bytes. With larger chunks, the end would be read while most of a message is still unsent. */
const chunk_bytes = 64 * 1024

/**
 * A message that is not sent before `release`, which is called after the server has accepted the recipient.
 * `isReadToItsEnd` shows whether the server can have received the last byte.
 */
export class HeldMessage {
  readonly #asked = Promise.withResolvers<void>()
  readonly #released = Promise.withResolvers<void>()
  readonly #streams: Array<Readable> = []
  #isReleased = false

  constructor() {
    // The rejection is handled here, because nothing may be waiting for the promise when the message is dropped.
    this.#released.promise.catch(() => undefined)
  }

  /** Resolves when the server is ready to receive the message (SMTP reply 354). */
  get asked(): Promise<void> {
    return this.#asked.promise
  }

  get isReleased(): boolean {
    return this.#isReleased
  }

  /** True if the last byte was read. Before that, no server may deliver a message (RFC 5321, 4.1.1.4). */
  get isReadToItsEnd(): boolean {
    return this.#streams.some(({ readableEnded }) => readableEnded)
  }

  /** Returns the message for one connection. If that connection reads no byte, another one may send the message. */
  through(message: Readable): Readable {
    const stream = Readable.from(this.#bytesOf(message), { objectMode: false })
    this.#streams.push(stream)
    return stream
  }

  release() {
    this.#isReleased = true
    this.#released.resolve()
  }

  /** Fails a message that still waits, because ending it without an error would send an empty message. */
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
