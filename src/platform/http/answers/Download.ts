import type { Stream } from "effect"
import { HttpServerResponse } from "effect/http"
import { attachmentDisposition } from "./ContentDisposition.ts"

export interface Download<E> {
  readonly bytes: Stream.Stream<Uint8Array, E>
  /** Absent if the content is made while it is sent. */
  readonly size_bytes?: number
  readonly content_type: string
  readonly file_name: string
}

/** If a browser displays the file instead of saving it, the sandbox policy denies it the rights of our pages. */
export const toSave = <E>({ bytes, content_type, file_name, size_bytes }: Download<E>) =>
  HttpServerResponse.stream(bytes, {
    contentType: content_type,
    contentLength: size_bytes,
    headers: {
      "content-disposition": attachmentDisposition(file_name),
      "content-security-policy": "default-src 'none'; sandbox"
    }
  })
