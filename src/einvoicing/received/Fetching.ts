import { Effect, Option, Stream } from "effect"
import { NetworkUnavailable } from "../providers/Provider.ts"
import type { Unanswered, Unexpected } from "../providers/RestAnswer.ts"

/** After so many requests in a row without an answer, the network counts as unreachable. */
const unanswered_max = 3

export type Failure = Unanswered | Unexpected | NetworkUnavailable

/**
 * Returns a function that fetches messages which a network holds, each when it is pulled from the stream. A message that
 * cannot be fetched is postponed, so that it does not delay the others. A pause that the network requests, or its
 * silence, ends the stream.
 */
export const fetching = <Message>(postpone: (message: Message, problem: string) => Effect.Effect<void>) => {
  let unanswered = 0

  const failed = Effect.fnUntraced(function* (message: Message, error: Failure) {
    // A pause that the network requests is not due to the message.
    if (error._tag === "NetworkUnavailable" && error.retry_after_seconds !== undefined) return yield* error
    yield* postpone(message, error.message)
    unanswered = error._tag === "Unexpected" ? 0 : unanswered + 1
    if (unanswered === unanswered_max) return yield* new NetworkUnavailable({ message: error.message })
    return Option.none()
  })

  return <A>(
    messages: Iterable<Message>,
    download: (message: Message) => Effect.Effect<A, Failure>
  ): Stream.Stream<A, NetworkUnavailable> =>
    Stream.fromIterable(messages, { chunkSize: 1 }).pipe(
      Stream.mapEffect((message) =>
        Effect.asSome(download(message)).pipe(
          Effect.tap(() => Effect.sync(() => void (unanswered = 0))),
          Effect.catch((error) => failed(message, error)),
          Effect.catchDefect((defect) => Effect.as(postpone(message, String(defect)), Option.none()))
        )
      ),
      Stream.flatMap((found) => Stream.fromIterable(Option.toArray(found)))
    )
}
