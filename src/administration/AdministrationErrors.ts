import { Schema } from "effect"
import { refusal } from "../kernel/Refusal.ts"

export class AdminDenied extends Schema.Error<AdminDenied>("AdminDenied")(refusal("AdminDenied", "admin_denied")) {
  static of() {
    return new AdminDenied({ message: "The admin token is wrong." })
  }
}

/** A bug or an outage; only the log of the server has the cause, with the id of the request. */
export class AdminFailed extends Schema.Error<AdminFailed>("AdminFailed")({
  ...refusal("AdminFailed", "server_error"),
  request_id: Schema.String
}) {
  static ofOutage(request_id: string) {
    return new AdminFailed({
      message: `The server cannot reach its database now (request ${request_id}): try again when /health/ready answers 200.`,
      request_id
    })
  }

  static of(request_id: string) {
    return new AdminFailed({ message: `Server Error (request ${request_id}): the server's log says why.`, request_id })
  }
}

/** No setup link is made, because the installation already has a user. */
export class AlreadySetUp extends Schema.Error<AlreadySetUp>("AlreadySetUp")(
  refusal("AlreadySetUp", "already_set_up")
) {
  static of() {
    return new AlreadySetUp({ message: "This installation has users already: use `user password-link` instead." })
  }
}
