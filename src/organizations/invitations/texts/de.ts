import type { InvitationTexts } from "./en.ts"

export const de: InvitationTexts = {
  roles: {
    owner: "Inhaber",
    admin: "Administrator",
    accountant: "Buchhalter",
    member: "Mitglied",
    viewer: "Betrachter"
  },
  subject: "Einladung zu {organization}",
  invited: "Sie sind zu {organization} als {role} eingeladen.",
  follow: "Folgen Sie diesem Link, um anzunehmen:",
  validity: "Der Link gilt einmal und {days} Tage lang.",
  ignore: "Wenn Sie diese Einladung nicht erwartet haben, können Sie diese Nachricht ignorieren.",
  accept: "Einladung annehmen",
  new_account: "Wählen Sie einen Namen und ein Passwort für Ihr neues Konto.",
  name: "Ihr Name",
  name_rule: "Bitte geben Sie Ihren Namen ein.",
  password: "Passwort",
  password_rule: "Mindestens 8 Zeichen.",
  login_as: "Sie haben bereits ein Konto. Geben Sie dessen Passwort ein, um anzunehmen.",
  logged_in: "Sie sind mit diesem Konto angemeldet.",
  wrong_password: "Das Passwort ist falsch.",
  expired_form: "Das Formular war zu lange geöffnet. Bitte versuchen Sie es erneut.",
  accepted: "Sie sind jetzt Mitglied von {organization}.",
  gone: {
    unknown:
      "Dieser Link ist ungültig. Öffnen Sie den Link der neuesten Nachricht, oder fordern Sie eine neue Einladung an.",
    expired: "Diese Einladung ist abgelaufen. Bitte fordern Sie eine neue an.",
    accepted: "Diese Einladung wurde bereits angenommen."
  },
  your_account: "Ihr Konto"
}
