import type { InvitationTexts } from "./en.ts"

export const nl: InvitationTexts = {
  roles: {
    owner: "eigenaar",
    admin: "beheerder",
    accountant: "boekhouder",
    member: "lid",
    viewer: "lezer"
  },
  subject: "Uitnodiging voor {organization}",
  invited: "U bent uitgenodigd voor {organization} als {role}.",
  follow: "Volg deze link om te aanvaarden:",
  validity: "De link werkt één keer, binnen {days} dagen.",
  ignore: "Verwachtte u deze uitnodiging niet, dan kunt u dit bericht negeren.",
  accept: "Uitnodiging aanvaarden",
  new_account: "Kies een naam en een wachtwoord voor uw nieuwe account.",
  name: "Uw naam",
  name_rule: "Voer uw naam in.",
  password: "Wachtwoord",
  password_rule: "Minstens 8 tekens.",
  login_as: "U hebt al een account. Voer het wachtwoord in om te aanvaarden.",
  logged_in: "U bent ingelogd met dit account.",
  wrong_password: "Het wachtwoord is onjuist.",
  expired_form: "Het formulier stond te lang open. Probeer het opnieuw.",
  accepted: "U bent nu lid van {organization}.",
  gone: {
    unknown: "Deze link is niet geldig. Open de link van het laatste bericht, of vraag een nieuwe uitnodiging.",
    expired: "Deze uitnodiging is verlopen. Vraag een nieuwe.",
    accepted: "Deze uitnodiging is al aanvaard."
  },
  your_account: "Uw account"
}
