export interface ToChild {
  readonly job: unknown
}

export type FromChild =
  | { readonly ready: true }
  | { readonly begun: true }
  | { readonly answer: unknown; readonly memory_bytes: number }
  | { readonly problem: string }

/** Environment variable that holds the child's memory limit in bytes. */
export const memory_limit_variable = "CHILD_MEMORY_BYTES_MAX"
