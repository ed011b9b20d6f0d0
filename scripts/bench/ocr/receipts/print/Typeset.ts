import { NodeCompiler } from "@myriaddreamin/typst-ts-node-compiler"
import sharp from "sharp"
import { fileURLToPath } from "node:url"

/** Only fonts of Typst and of the service are used, so that every machine draws the same letters. */
const fontPaths = [
  "noto-sans/400Regular/NotoSans_400Regular",
  "noto-sans/600SemiBold/NotoSans_600SemiBold",
  "noto-sans-jp/400Regular/NotoSansJP_400Regular",
  "noto-sans-jp/600SemiBold/NotoSansJP_600SemiBold",
  "vazirmatn/400Regular/Vazirmatn_400Regular",
  "vazirmatn/600SemiBold/Vazirmatn_600SemiBold"
].map((font) => fileURLToPath(import.meta.resolve(`@expo-google-fonts/${font}.ttf`)))
const compiler = NodeCompiler.create({
  workspace: fileURLToPath(new URL(".", import.meta.url)),
  fontArgs: [{ fontPaths }]
})

const sourceOf = (template: "roll" | "sheet", data: unknown) => ({
  mainFilePath: fileURLToPath(new URL(`./${template}.typ`, import.meta.url)),
  inputs: { document: JSON.stringify(data) }
})

const explained = <A>(source: ReturnType<typeof sourceOf>, make: () => A): A => {
  try {
    return make()
  } catch (cause) {
    const mistakes = compiler.compile(source).takeError()?.shortDiagnostics
    throw new Error(JSON.stringify(mistakes ?? String(cause)), { cause })
  }
}

export const typesetPdf = (template: "roll" | "sheet", data: unknown): Uint8Array => {
  const source = sourceOf(template, data)
  return explained(source, () => Uint8Array.from(compiler.pdf(source, { pdfStandard: "a-3b" })))
}

/** A picture with one byte for each pixel; 255 is the white of the paper. */
export interface Grey {
  readonly width: number
  readonly height: number
  readonly pixels: Uint8Array
}

export const typesetPicture = async (template: "roll" | "sheet", data: unknown, dpi: number): Promise<Grey> => {
  const source = sourceOf(template, data)
  // The code that reads receipts runs in this process, too. It blocks SVG in sharp, because no upload may be an SVG.
  sharp.unblock({ operation: ["VipsForeignLoadSvgBuffer"] })
  const svg = explained(source, () => compiler.plainSvg(source))
  const { data: pixels, info } = await sharp(Buffer.from(svg), { density: dpi })
    .flatten({ background: "#fff" })
    .greyscale()
    .extractChannel(0)
    .raw()
    .toBuffer({ resolveWithObject: true })
  return { width: info.width, height: info.height, pixels: Uint8Array.from(pixels) }
}
