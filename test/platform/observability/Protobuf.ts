/** Fields of one protobuf message by number: a number for varints, bytes for everything with a length. */
export type Message = ReadonlyMap<number, ReadonlyArray<number | Uint8Array>>

export const decode = (bytes: Uint8Array): Message => {
  const message = new Map<number, Array<number | Uint8Array>>()
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let at = 0
  const varint = () => {
    let value = 0
    for (let shift = 1; ; shift *= 128) {
      const byte = view.getUint8(at++)
      value += (byte & 127) * shift
      if (byte < 128) return value
    }
  }
  const take = (length: number) => bytes.subarray(at, (at += length))
  while (at < bytes.length) {
    const tag = varint()
    const wire = tag & 7
    const value = wire === 0 ? varint() : take(wire === 1 ? 8 : wire === 5 ? 4 : varint())
    message.set(tag >>> 3, [...(message.get(tag >>> 3) ?? []), value])
  }
  return message
}

const bytesOf = (message: Message, field: number) =>
  (message.get(field) ?? []).filter((value) => typeof value !== "number")

export const messages = (message: Message, field: number) => bytesOf(message, field).map(decode)

export const hex = (message: Message, field: number) => Buffer.from(bytesOf(message, field)[0] ?? []).toString("hex")

export const text = (message: Message, field: number) => Buffer.from(bytesOf(message, field)[0] ?? []).toString("utf8")
