export type ToChild =
  | { readonly job: unknown }
  /** Replies to the child's last question. */
  | { readonly reply: unknown }

export type FromChild =
  | { readonly ready: true }
  | { readonly begun: true }
  /** A question of the running job, which waits for the reply. */
  | { readonly question: unknown }
  | { readonly answer: unknown; readonly memory_bytes: number }
  | { readonly problem: string }

export const memory_limit_variable = "CHILD_MEMORY_BYTES_MAX"

/** Environment variable with the maximum processor time of a job in seconds; absent if there is no limit. */
export const cpu_limit_variable = "CHILD_CPU_SECONDS_MAX"

/** Signal that kills a child whose job has used up its processor time; its default action leaves no core dump. */
export const cpu_limit_signal = "SIGVTALRM"

/** Signal with which a child that exceeds its memory limit kills itself. A system without memory uses SIGKILL. */
export const memory_limit_signal = "SIGUSR2"
