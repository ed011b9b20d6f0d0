import sharp from "sharp"
import { capture, type Picture, type Shot } from "./look/Camera.ts"
import { thermal_dpi, thermalPrint } from "./look/Printer.ts"
import { Random } from "../../../support/Random.ts"
import { kinds, languages, type Kind, type Language, type Medium, type Receipt, type TaxDetail } from "./Receipt.ts"
import { regions } from "./shops/Regions.ts"
import { circumstancesOf, saleOf, truthOf, type Sale } from "./Sale.ts"
import { scannedPdf } from "./look/ScannedPdf.ts"
import { sheetOf } from "./print/Sheet.ts"
import { structuredInvoice } from "./StructuredInvoice.ts"
import { rollOf } from "./print/Till.ts"
import { typesetPdf, typesetPicture } from "./print/Typeset.ts"

const sheet_dpi = 200

/**
 * Chooses the kind, the language and the medium of a seed's receipt. Every kind in every language occurs equally often.
 */
export const planOf = (seed: number) => {
  const kind = kinds[Math.floor(seed / languages.length) % kinds.length] ?? "supermarket"
  return { kind, language: languageOf(seed), medium: mediumOf(new Random(seed ^ 0x5eed), kind) }
}

const languageOf = (seed: number): Language => languages[seed % languages.length] ?? "en"

/** Returns the receipt that a seed makes: always the same file and the same expected values. */
export const receiptOf = (seed: number): Promise<Receipt> => {
  const { kind, medium } = planOf(seed)
  return receiptFrom(seed, kind, medium)
}

/** Makes the receipt of a seed like `receiptOf`, but with the given kind and medium. */
export const receiptFrom = async (seed: number, kind: Kind, medium: Medium): Promise<Receipt> => {
  const random = new Random(seed)
  const language = languageOf(seed)
  const region = random.pick(regions.filter((each) => each.language === language))
  const sale = saleOf(random, kind, region)
  const paper = paperOf(sale)
  const picture = medium === "photo" || medium === "scan" || medium === "scanned_pdf"
  const file = picture ? await pictured(random, paper, medium) : typeset(sale, paper, medium)
  const truth = truthOf(sale, paper.taxes)
  return {
    seed,
    name: `${String(seed).padStart(4, "0")}-${region.country.toLowerCase()}-${language}-${kind}-${medium}`,
    media_type: file.media_type,
    bytes: file.bytes,
    truth,
    circumstances: circumstancesOf(sale),
    classes: [
      `language:${language}`,
      `kind:${kind}`,
      `medium:${medium}`,
      `rates:${truth.tax_rates.length}`,
      ...file.effects.map((effect) => `effect:${effect}`)
    ]
  }
}

const mediumOf = (random: Random, kind: Kind): Medium =>
  kind === "invoice"
    ? random.pick(["text_pdf", "structured_pdf", "scanned_pdf", "photo", "text_pdf", "structured_pdf"])
    : random.pick(["photo", "photo", "photo", "photo", "photo", "scan", "scan", "scan", "scanned_pdf", "text_pdf"])

interface File extends Pick<Receipt, "bytes" | "media_type"> {
  readonly effects: ReadonlyArray<string>
}

type Paper = { readonly template: "roll" | "sheet"; readonly data: object; readonly taxes: TaxDetail }

const paperOf = (sale: Sale): Paper => {
  const large = sale.kind === "invoice" || (sale.kind === "hotel" && sale.random.chance(0.4))
  if (large && sale.region.tax_on_top !== true && !(sale.kind === "hotel" && sale.basket.discount !== 0)) {
    return { template: "sheet", data: sheetOf(sale), taxes: "rates" }
  }
  const { roll, taxes } = rollOf(sale)
  return { template: "roll", data: roll, taxes }
}

const typeset = (sale: Sale, { data, template }: Paper, medium: Medium): File => {
  const attachment = medium === "structured_pdf" && template === "sheet" ? structuredInvoice(sale) : undefined
  const document = attachment === undefined ? data : { ...data, attachment }
  return { media_type: "application/pdf", bytes: typesetPdf(template, document), effects: [] }
}

const pictured = async (random: Random, { data, template }: Paper, medium: Medium): Promise<File> => {
  const dpi = template === "roll" ? thermal_dpi : sheet_dpi
  const drawing = await typesetPicture(template, data, dpi)
  const wear = { dotted: random.chance(0.14), faded: random.chance(0.22) }
  const printed = template === "roll" ? thermalPrint(random, drawing, wear) : drawing
  const shot = shotOf(random, medium === "photo")
  const picture = await capture(random, printed, shot)
  const effects = [...effectsOf(shot), ...(template === "roll" ? namesOf(wear) : [])]
  if (medium === "scanned_pdf") {
    const jpeg = await encode(picture)
      .jpeg({ quality: random.whole(60, 88) })
      .toBuffer()
    return { media_type: "application/pdf", bytes: scannedPdf(jpeg, picture, dpi), effects }
  }
  if (medium === "scan" && random.chance(0.5)) {
    const png = await encode(picture).greyscale().png({ palette: true, colours: png_greys }).toBuffer()
    return { media_type: "image/png", bytes: png, effects }
  }
  const quality = random.whole(48, 92)
  if (medium === "photo" && random.chance(0.1)) {
    // The picture is rotated by a quarter and stored with EXIF orientation 6, which asks viewers to rotate it back.
    const turned = encode(picture).rotate(270).withMetadata({ orientation: 6 })
    return { media_type: "image/jpeg", bytes: await turned.jpeg({ quality }).toBuffer(), effects: [...effects, "exif"] }
  }
  return { media_type: "image/jpeg", bytes: await encode(picture).jpeg({ quality }).toBuffer(), effects }
}

const encode = ({ height, pixels, width }: Picture) => sharp(pixels, { raw: { width, height, channels: 3 } })

const shotOf = (random: Random, photo: boolean): Shot => {
  const shadow = photo && random.chance(0.4)
  return {
    photo,
    shadow,
    skew_degrees: random.chance(0.75) ? random.between(-5, 5) : 0,
    perspective: photo && random.chance(0.5),
    crumple: random.chance(photo ? 0.35 : 0.15),
    // Phones brighten the shaded parts of a photo, so a photo with a shadow never has a low contrast.
    low_contrast: !shadow && random.chance(0.26),
    blur: random.chance(0.3) ? random.between(0.5, 1.3) : 0,
    noise: random.chance(0.5) ? random.between(4, 12) : random.between(0.5, 3)
  }
}

/** Number of grey levels in a PNG. Scanner software reduces them, which removes the grain of the paper. */
const png_greys = 16
const skew_degrees_min = 1
const noise_min = 4

const effectsOf = (shot: Shot): ReadonlyArray<string> =>
  namesOf({
    skew: Math.abs(shot.skew_degrees) >= skew_degrees_min,
    perspective: shot.perspective,
    crumple: shot.crumple,
    shadow: shot.shadow,
    low_contrast: shot.low_contrast,
    blur: shot.blur > 0,
    noise: shot.noise >= noise_min
  })

const namesOf = (flags: object): ReadonlyArray<string> =>
  Object.entries(flags).flatMap(([name, on]) => (on === true ? [name] : []))
