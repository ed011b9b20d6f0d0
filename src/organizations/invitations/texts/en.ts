export const en = {
  roles: {
    owner: "owner",
    admin: "administrator",
    accountant: "accountant",
    member: "member",
    viewer: "viewer"
  },
  subject: "Invitation to {organization}",
  invited: "You are invited to {organization} as {role}.",
  follow: "Follow this link to accept:",
  validity: "The link works once, within {days} days.",
  ignore: "If you did not expect this invitation, you can ignore this message.",
  accept: "Accept the invitation",
  new_account: "Choose a name and a password for your new account.",
  name: "Your name",
  name_rule: "Please enter your name.",
  password: "Password",
  password_rule: "At least 8 characters.",
  login_as: "You already have an account. Enter its password to accept.",
  logged_in: "You are logged in with this account.",
  wrong_password: "The password is wrong.",
  expired_form: "The form was open for too long. Please try again.",
  accepted: "You are now a member of {organization}.",
  gone: {
    unknown: "This link is not valid. Follow the link of the latest message, or ask for a new invitation.",
    expired: "This invitation has expired. Please ask for a new one.",
    accepted: "This invitation was already accepted."
  },
  your_account: "Your account"
}
export type InvitationTexts = typeof en
