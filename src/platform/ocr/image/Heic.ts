import { createRequire } from "node:module"
import { heic_decoder } from "../../packages/Installed.ts"
import { Unreadable } from "./Unreadable.ts"
import { grayOf, type GrayImage, upload_pixels_max } from "./GrayImage.ts"

const require = createRequire(import.meta.url)

/**
 * Decodes the primary image, upright. Rejects with `Unreadable` if the file is the cause; after any other failure,
 * neither the decoder's memory nor the process can be trusted.
 */
export const decodeHeic = async (bytes: Uint8Array): Promise<GrayImage> => {
  // Boundary: the package has no types for its functions. It is loaded late, because it takes 30 MB.
  const heif = require(heic_decoder) as Libheif
  const context = heif.heif_context_alloc()
  try {
    const { code } = heif.heif_context_read_from_memory(context, bytes)
    if (code !== heif.heif_error_code.heif_error_Ok) throw new Unreadable("corrupt_file")
    const handle = accepted(heif.heif_js_context_get_primary_image_handle(context))
    try {
      return await pixelsOf(heif, handle)
    } finally {
      heif.heif_image_handle_release(handle)
    }
  } finally {
    heif.heif_context_free(context)
  }
}

const pixelsOf = async (heif: Libheif, handle: Handle): Promise<GrayImage> => {
  // The size is checked before decoding, because the memory that decoding takes grows with it.
  const pixels = heif.heif_image_handle_get_width(handle) * heif.heif_image_handle_get_height(handle)
  if (pixels > upload_pixels_max) throw new Unreadable("too_many_pixels")
  const { heif_chroma_interleaved_RGBA } = heif.heif_chroma
  const decoded = accepted(
    heif.heif_js_decode_image2(handle, heif.heif_colorspace.heif_colorspace_RGB, heif_chroma_interleaved_RGBA)
  )
  try {
    const [plane] = decoded.channels
    if (plane === undefined) throw new Unreadable("corrupt_file")
    return await grayOf(plane)
  } finally {
    heif.heif_image_release(decoded.image)
  }
}

/** Throws if a function of the decoder failed, which then returned a code and a message instead of an object. */
const accepted = <A extends object>(answer: A | Failure): A => {
  if ("code" in answer) throw new Unreadable("corrupt_file", answer.message)
  return answer
}

interface Failure {
  readonly code: unknown
  readonly message: string
}

interface Handle {
  readonly isDeleted: () => boolean
}

interface Plane {
  readonly width: number
  readonly height: number
  readonly stride: number
  /** Points into the decoder's memory. */
  readonly data: Uint8Array
}

interface Libheif {
  readonly heif_error_code: { readonly heif_error_Ok: unknown }
  readonly heif_colorspace: { readonly heif_colorspace_RGB: unknown }
  readonly heif_chroma: { readonly heif_chroma_interleaved_RGBA: unknown }
  readonly heif_context_alloc: () => object
  readonly heif_context_free: (context: object) => void
  readonly heif_context_read_from_memory: (context: object, bytes: Uint8Array) => Failure
  readonly heif_js_context_get_primary_image_handle: (context: object) => Handle | Failure
  readonly heif_image_handle_get_width: (handle: Handle) => number
  readonly heif_image_handle_get_height: (handle: Handle) => number
  readonly heif_image_handle_release: (handle: Handle) => void
  readonly heif_js_decode_image2: (
    handle: Handle,
    colorspace: unknown,
    chroma: unknown
  ) => { readonly channels: ReadonlyArray<Plane>; readonly image: object } | Failure
  readonly heif_image_release: (image: object) => void
}
