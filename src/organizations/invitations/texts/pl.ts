import type { InvitationTexts } from "./en.ts"

export const pl: InvitationTexts = {
  roles: {
    owner: "właściciel",
    admin: "administrator",
    accountant: "księgowy",
    member: "członek",
    viewer: "czytelnik"
  },
  subject: "Zaproszenie do {organization}",
  invited: "Masz zaproszenie do {organization}. Rola: {role}.",
  follow: "Aby je przyjąć, otwórz ten link:",
  validity: "Link działa jeden raz, przez {days} dni.",
  ignore: "Jeśli to zaproszenie jest nieoczekiwane, możesz zignorować tę wiadomość.",
  accept: "Przyjmij zaproszenie",
  new_account: "Podaj imię i nazwisko oraz wybierz hasło do nowego konta.",
  name: "Imię i nazwisko",
  name_rule: "Podaj imię i nazwisko.",
  password: "Hasło",
  password_rule: "Co najmniej 8 znaków.",
  login_as: "Masz już konto. Aby przyjąć zaproszenie, podaj hasło do niego.",
  logged_in: "Zalogowano na to konto.",
  wrong_password: "Hasło jest nieprawidłowe.",
  expired_form: "Formularz był otwarty zbyt długo. Spróbuj ponownie.",
  accepted: "Należysz teraz do {organization}.",
  gone: {
    unknown: "Ten link jest nieprawidłowy. Otwórz link z najnowszej wiadomości albo poproś o nowe zaproszenie.",
    expired: "To zaproszenie wygasło. Poproś o nowe.",
    accepted: "To zaproszenie zostało już przyjęte."
  },
  your_account: "Twoje konto"
}
