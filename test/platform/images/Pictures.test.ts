import { assert, layer } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { OrganizationId } from "../../../src/kernel/Ids.ts"
import { Pictures } from "../../../src/platform/images/Pictures.ts"
import { killChildren } from "../children/Children.ts"

const svg = (content: string) =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="3000" height="3000">${content}</svg>`)

/** Takes several seconds to draw. */
const noise = svg(
  '<filter id="noise"><feTurbulence baseFrequency="0.05" numOctaves="10"/></filter>' +
    '<rect width="3000" height="3000" filter="url(#noise)"/>'
)

const drawn = (bytes: Uint8Array, size: number) =>
  Effect.flatMap(Pictures, (pictures) =>
    pictures.drawn({ bytes, width_max: size, height_max: size }, OrganizationId.make(1))
  )

layer(Pictures.layer, { excludeTestServices: true })("Pictures.drawn", (it) => {
  it.effect("refuses no picture whose process was killed by the system, but says that it is busy", () =>
    Effect.gen(function* () {
      yield* drawn(svg(""), 10)
      const picture = yield* Effect.forkChild(Effect.flip(drawn(noise, 3000)))
      yield* Effect.sleep("300 millis")
      assert.strictEqual(yield* killChildren("PictureChild"), 1)
      assert.strictEqual((yield* Fiber.join(picture))._tag, "PicturesBusy")
    })
  )
})
