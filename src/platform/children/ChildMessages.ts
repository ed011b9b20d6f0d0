export interface ToChild {
  readonly job: unknown
}

export type FromChild =
  | { readonly ready: true }
  | { readonly begun: true }
  | { readonly answer: unknown; readonly memory_bytes: number }
  | { readonly problem: string }

/** Tells the child how many bytes it may use. */
export const memory_limit_variable = "CHILD_MEMORY_BYTES_MAX"
