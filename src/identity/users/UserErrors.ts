import { Data, Schema } from "effect"
import { refusal } from "../../kernel/Refusal.ts"
import { password_characters_max, password_characters_min } from "../../platform/crypto/Passwords.ts"

export class EmailTaken extends Schema.Error<EmailTaken>("EmailTaken")(refusal("EmailTaken", "email_taken"), {
  httpApiStatus: 422
}) {
  static of() {
    return new EmailTaken({ message: "There is already a user with this email address." })
  }
}

export class PasswordUnacceptable extends Schema.Error<PasswordUnacceptable>("PasswordUnacceptable")(
  { ...refusal("PasswordUnacceptable", "password_unacceptable"), reason: Schema.Literals(["length", "common"]) },
  { httpApiStatus: 422 }
) {
  static badLength() {
    const message = `A password has ${password_characters_min} to ${password_characters_max} characters.`
    return new PasswordUnacceptable({ message, reason: "length" })
  }
  static common() {
    const message =
      "This password is among the most common ones, or the address of the account, which attackers try first."
    return new PasswordUnacceptable({ message, reason: "common" })
  }
}

/** Operators cannot disable their own accounts, because they could not enable them again. */
export class OwnAccount extends Schema.Error<OwnAccount>("OwnAccount")(refusal("OwnAccount", "own_account")) {
  static of() {
    return new OwnAccount({ message: "You cannot disable your own account." })
  }
}

/** The refusal is the same for an unknown address, an invited user, a disabled user and a wrong password. */
export class CredentialsWrong extends Data.TaggedError("CredentialsWrong") {}

/** Too many wrong passwords or codes for this account, or too many from the client's address. */
export class LoginThrottled extends Data.TaggedError("LoginThrottled")<{ readonly retry_after_seconds: number }> {}
