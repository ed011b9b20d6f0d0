import { PgTypes } from "@effect/sql-pg"
import { BigDecimal, Result } from "effect"
import { zero } from "../../kernel/Money.ts"

const exact = (value: number) =>
  Number.isSafeInteger(value)
    ? Result.succeed(value)
    : Result.fail(new PgTypes.CodecError({ message: `${value} is not an integer that a number represents exactly.` }))

const half = 2 ** 32

/** Reads the value as two halves, which is faster than reading a `bigint`. A value beyond 2^53 is refused. */
const readInt8 = (bytes: Uint8Array, offset: number) => {
  const view = new DataView(bytes.buffer, bytes.byteOffset + offset)
  return exact(view.getInt32(0) * half + view.getUint32(4))
}

/** A `numeric` is sent as groups of four digits after a header of four numbers, all of 16 bits. */
const numeric_head_bytes = 8
const group_digits = 4
const group_size = 10 ** group_digits
const negative_sign = 0x4000

const uint16 = (bytes: Uint8Array, at: number): number => ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0)
const int16 = (bytes: Uint8Array, at: number): number => (uint16(bytes, at) << 16) >> 16

/**
 * Reads a decimal from its bytes, because a page of a list has hundreds of decimals. The driver returns text for
 * infinities, NaN and digits beyond 2^53.
 */
const readNumeric = (bytes: Uint8Array, offset: number, size: number) => {
  const groups = uint16(bytes, offset)
  const weight = int16(bytes, offset + 2)
  const sign = uint16(bytes, offset + 4)
  const asText = () => PgTypes.decode(bytes.subarray(offset, offset + size), PgTypes.OID.numeric, 1)
  if (sign > negative_sign) return asText()
  if (groups === 0) return Result.succeed(zero)
  let units = 0
  for (let group = 0; group < Math.max(groups, weight + 1); group++) {
    units = units * group_size + (group < groups ? uint16(bytes, offset + numeric_head_bytes + 2 * group) : 0)
  }
  if (!Number.isSafeInteger(units)) return asText()
  const scale = group_digits * Math.max(groups - 1 - weight, 0)
  return Result.succeed(BigDecimal.make(BigInt(sign === negative_sign ? -units : units), scale))
}

/** `bigint` columns hold ids and counts, read as numbers (exact up to 2^53); `numeric` columns are decimals. */
export const columnTypes = (() => {
  const registry = PgTypes.makeRegistry()
  registry.register<number | bigint>(
    PgTypes.OID.int8,
    {
      // The driver converts numbers beyond 32 bits to `bigint` before they are encoded.
      encode: (value) =>
        Result.map(exact(Number(value)), (number) => {
          const bytes = new Uint8Array(8)
          new DataView(bytes.buffer).setBigInt64(0, BigInt(number))
          return bytes
        }),
      decode: (bytes) => readInt8(bytes, 0),
      read: readInt8
    },
    { arrayOid: PgTypes.OID.int8Array }
  )
  registry.register<unknown>(
    PgTypes.OID.numeric,
    {
      encode: (value) => PgTypes.encode(value, PgTypes.OID.numeric),
      decode: (bytes) => readNumeric(bytes, 0, bytes.length),
      read: readNumeric
    },
    { arrayOid: PgTypes.OID.numericArray }
  )
  return registry
})()
