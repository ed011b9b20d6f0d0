/**
 * After an installation, removes what the service does not read from `node_modules`: other platforms' programs, unused
 * fonts and models and, without development dependencies, types, sources and source maps. It is plain JavaScript,
 * because the Node of the machine may be too old for TypeScript.
 */
import { existsSync, readdirSync, rmSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

const modules = join(dirname(dirname(fileURLToPath(import.meta.url))), "node_modules")
const platform = process.env.npm_config_os ?? process.platform
const architecture = process.env.npm_config_cpu ?? process.arch

const remove = (...path) => {
  try {
    rmSync(join(modules, ...path), { recursive: true, force: true })
  } catch (error) {
    console.warn(`${join(...path)} could not be removed, which only costs space: ${error.message}`)
  }
}
const namesIn = (...path) => {
  const folder = join(modules, ...path)
  return existsSync(folder) ? readdirSync(folder) : []
}
const keep = (path, isUsed) => namesIn(...path).forEach((name) => isUsed(name) || remove(...path, name))

// onnxruntime, which reads receipts, comes with programs for six platforms.
const runtime = ["onnxruntime-node", "bin", "napi-v6"]
keep(runtime, (name) => name === platform)
keep([...runtime, platform], (name) => name === architecture)

// Removes all font weights except those that PdfFonts.ts uses. Nanum Gothic has no 600, so its 700 is used.
const weights = /^(400Regular|600SemiBold)$/
for (const family of namesIn("@expo-google-fonts")) {
  const used = family === "nanum-gothic" ? /^(400Regular|700Bold)$/ : weights
  keep(["@expo-google-fonts", family], (name) => used.test(name) || !/^\d|\.png$/.test(name))
}

// Removes the models that LanguageData.ts does not use, and the builds of the engine that tesseract.js does not load.
for (const language of namesIn("@tesseract.js-data")) {
  keep(["@tesseract.js-data", language], (name) => name !== "4.0.0")
}
keep(["tesseract.js-core"], (name) => !/(-lstm\..*|\.wasm\.js)$/.test(name))

// Removes the header files of the Node package. They are for compiling add-ons; `npm start` needs only the program.
for (const name of namesIn().filter((name) => /^node-(bin-)?(linux|darwin|win)-/.test(name))) remove(name, "include")

/** Only developers need types, sources and source maps: Node does not run TypeScript in `node_modules`. */
const strip = (...path) => {
  for (const entry of readdirSync(join(modules, ...path), { withFileTypes: true })) {
    if (entry.isDirectory()) strip(...path, entry.name)
    else if (/\.(map|[cm]?ts)$/.test(entry.name)) remove(...path, entry.name)
  }
}
if (existsSync(modules) && !existsSync(join(modules, "vitest"))) {
  strip()
  remove("effect", "src")
}
