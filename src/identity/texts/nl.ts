import type { AccountTexts } from "./en.ts"

export const nl: AccountTexts = {
  page: {
    log_in: "Inloggen",
    log_out: "Uitloggen",
    to_continue: "om verder te gaan naar {client}",
    email: "E-mailadres",
    password: "Wachtwoord",
    wrong: "Het e-mailadres of het wachtwoord is onjuist.",
    throttled: "Te veel pogingen. Probeer het over {seconds} seconden opnieuw.",
    busy: "Er loggen te veel mensen tegelijk in. Probeer het over enkele seconden opnieuw.",
    form_expired: "Dit formulier is niet meer geldig. Probeer het opnieuw.",
    wants_access: "{client} vraagt toegang tot uw account",
    logged_in_as: "U bent ingelogd als {email}.",
    would_be_able: "De toepassing zou het volgende kunnen gebruiken:",
    everything: "alles wat u mag",
    allow: "Toestaan",
    deny: "Weigeren",
    withdraw: "U kunt dit op elk moment intrekken op uw accountpagina.",
    account: "Uw account",
    administration: "Beheer",
    sessions: "Browsers waarmee u bent ingelogd",
    this_browser: "deze browser",
    unknown_browser: "Onbekende browser",
    since: "sinds {time}",
    until: "tot {time}",
    no_end: "zonder einddatum",
    end: "Uitloggen",
    apps: "Gekoppelde toepassingen",
    no_apps: "Geen enkele toepassing heeft toegang tot uw account.",
    disconnect: "Loskoppelen",
    tokens: "Persoonlijke toegangstokens",
    tokens_for: "Voor uw eigen scripts. Wie een token heeft, kan binnen de grenzen ervan in uw naam handelen.",
    no_tokens: "U hebt geen token.",
    revoke: "Intrekken",
    token_name: "Naam van het token",
    token_scope: "Het mag",
    full_access: "alles",
    read_only: "alleen lezen",
    valid_for: "Geldig",
    days: "{days} dagen",
    unlimited: "onbeperkt",
    create_token: "Token aanmaken",
    token_created: "Kopieer het nieuwe token nu. Het wordt niet opnieuw getoond.",
    name_invalid: "Geef het token een naam van hoogstens 255 tekens.",
    too_many_tokens: "U hebt te veel tokens. Trek er eerst een in.",
    home_lead: "Facturen, offertes, betalingen en uitgaven voor meerdere organisaties, via een JSON-API.",
    api_reference: "API-documentatie",
    api_description: "OpenAPI-beschrijving"
  },
  password: {
    forgot: "Wachtwoord vergeten?",
    forgot_lead:
      "Vul uw e-mailadres in. Als het bij een account hoort, sturen we u een link om een nieuw wachtwoord in te stellen.",
    send_link: "Link versturen",
    sent: "Als dit adres bij een account hoort, is er een link onderweg. De link is {minutes} minuten geldig.",
    back_to_login: "Terug naar inloggen",
    set_title: "Nieuw wachtwoord instellen",
    account_of: "Account",
    new_password: "Nieuw wachtwoord",
    current_password: "Huidig wachtwoord",
    rule: "Minstens 8 tekens.",
    common: "Dit wachtwoord komt te vaak voor. Kies een ander.",
    wrong_current: "Het huidige wachtwoord is onjuist.",
    set: "Wachtwoord opslaan",
    change: "Wachtwoord wijzigen",
    change_lead: "U blijft hier ingelogd en wordt in alle andere browsers uitgelogd.",
    done: "Uw wachtwoord is gewijzigd.",
    gone: {
      unknown: "Deze link is niet geldig.",
      used: "Deze link is al gebruikt.",
      replaced: "Deze link is niet meer geldig, omdat een andere is gebruikt.",
      expired: "Deze link is verlopen."
    },
    ask_again: "Nieuwe link aanvragen",
    greeting: "Hallo {name},",
    reset_subject: "Nieuw wachtwoord instellen",
    follow: "Volg deze link om een nieuw wachtwoord in te stellen:",
    validity: "De link is {minutes} minuten geldig en werkt één keer.",
    ignore: "Hebt u dit niet gevraagd, negeer dan dit bericht: uw wachtwoord blijft hetzelfde."
  },
  email: {
    title: "E-mailadres wijzigen",
    lead: "We sturen een link naar het nieuwe adres. Uw adres verandert zodra u de link opent.",
    new_address: "Nieuw e-mailadres",
    sent: "Er is een link onderweg naar {email}. Deze is {minutes} minuten geldig.",
    invalid: "Vul een geldig e-mailadres in, anders dan uw huidige.",
    too_many: "U hebt te veel links aangevraagd. Probeer het over een uur opnieuw.",
    confirm_lead: "Vanaf nu logt u in met {email}.",
    confirm: "Adres bevestigen",
    done: "Uw e-mailadres is nu {email}.",
    taken: "Dit adres kan niet worden gebruikt, want het hoort bij een ander account.",
    subject: "Bevestig uw nieuwe e-mailadres",
    follow: "Open deze link om dit adres voor uw account te gebruiken:",
    ignore: "Hebt u dit niet gevraagd, negeer dan dit bericht: er verandert niets."
  },
  security: {
    title: "Inloggen in twee stappen",
    off_lead:
      "Voor het inloggen is alleen uw wachtwoord nodig. Met een authenticatie-app is ook een code nodig die niemand anders heeft.",
    on_lead: "Voor het inloggen is ook een code van uw authenticatie-app nodig. Ongebruikte herstelcodes: {codes}.",
    turn_on: "Aanzetten",
    turn_off: "Uitzetten",
    app_code: "Code van de app",
    any_code: "Code van de app of een herstelcode",
    scan: "Scan deze afbeelding met een authenticatie-app. Vul daarna de zes cijfers in die de app toont.",
    key: "Of typ deze sleutel in de app:",
    qr: "QR-code voor de authenticatie-app",
    confirm: "Bevestigen",
    code_wrong: "De code is onjuist, te oud of al gebruikt.",
    recovery_title: "Herstelcodes",
    recovery_lead:
      "Bewaar deze codes op een veilige plaats. Elke code werkt één keer, in plaats van de app. Ze worden niet opnieuw getoond.",
    renew: "Nieuwe herstelcodes maken",
    step_title: "Tweede stap",
    step_lead: "Vul de code van uw authenticatie-app in, of een herstelcode.",
    again_title: "Bevestig dat u het bent",
    again_lead: "U bent al enige tijd ingelogd. Vul uw wachtwoord in om verder te gaan.",
    go_on: "Verder",
    back: "Terug naar uw account",
    last_used: "laatst gebruikt op {time}",
    end_others: "Alle andere browsers uitloggen",
    organization: "De toepassing zou handelen voor de organisatie {names}.",
    organizations: "De toepassing zou handelen voor een van uw organisaties: {names}.",
    returns_to: "Daarna keert u terug naar {host}.",
    all_changes:
      "Via gebeurtenissen en webhooks verneemt de toepassing elke wijziging van alle gegevens, met de volledige inhoud, ook van gegevens die niet in deze lijst staan.",
    no_organization: "Uw account hoort bij geen enkele organisatie, dus er is niets dat {client} zou kunnen gebruiken.",
    other_account: "Met een ander account inloggen",
    back_to: "Terug naar {client}"
  },
  notices: {
    password_changed: {
      subject: "Uw wachtwoord is gewijzigd",
      text: "Het wachtwoord van uw account is zojuist gewijzigd en alle andere browsers zijn uitgelogd."
    },
    email_changed: {
      subject: "Uw e-mailadres is gewijzigd",
      text: "Uw account heeft nu het adres {detail}. Was u dit niet, waarschuw dan meteen de beheerder van deze installatie."
    },
    new_login: {
      subject: "Nieuwe login op uw account",
      text: "Er is zojuist op uw account ingelogd in een browser die nog niet bekend was: {detail}."
    },
    new_token: {
      subject: "Nieuw toegangstoken",
      text: "Er is zojuist een persoonlijk toegangstoken met de naam ‘{detail}’ voor uw account gemaakt."
    },
    factor_on: {
      subject: "Inloggen in twee stappen staat aan",
      text: "Vanaf nu is voor het inloggen ook een code van uw authenticatie-app nodig."
    },
    factor_off: {
      subject: "Inloggen in twee stappen staat uit",
      text: "Vanaf nu is voor het inloggen alleen nog het wachtwoord nodig."
    },
    recovery_used: {
      subject: "Er is een herstelcode gebruikt",
      text: "Er is zojuist een herstelcode van uw account gebruikt. Die werkt niet nog een keer."
    },
    recovery_renewed: {
      subject: "Nieuwe herstelcodes",
      text: "Er zijn zojuist nieuwe herstelcodes voor uw account gemaakt. De oude werken niet meer."
    },
    not_you:
      "Was u dit niet? Trek dan onbekende toegangstokens in op uw accountpagina, en stel meteen een nieuw wachtwoord in:"
  },
  setup: {
    title: "Deze installatie in gebruik nemen",
    lead: "Open de eerste organisatie en kies uw wachtwoord. U beheert daarna ook deze installatie.",
    name: "Naam van de organisatie",
    country: "Land",
    country_hint: "De gebruikelijke belastingtarieven komen mee. Het land kan later niet worden gewijzigd.",
    choose: "Maak een keuze",
    currency: "Munteenheid",
    timezone: "Tijdzone",
    language: "Taal",
    owner_email: "Uw e-mailadres",
    owner_name: "Uw naam",
    owner_password: "Uw wachtwoord",
    submit: "Organisatie openen",
    cancel: "Annuleren",
    unchanged: "Er is niets gewijzigd.",
    invalid: "Verbeter deze waarde.",
    gone: "Deze link is verlopen, of de installatie is al in gebruik.",
    gone_lead: "Als er nog niets in gebruik is, maakt deze opdracht een nieuwe link:"
  },
  scopes: {
    things: {
      organizations: "Organisaties",
      customers: "Klanten",
      contacts: "Contactpersonen",
      invoices: "Facturen",
      quotes: "Offertes",
      credit_notes: "Creditnota’s",
      payments: "Betalingen",
      expenses: "Uitgaven",
      bank_accounts: "Bankrekeningen",
      bank_transactions: "Banktransacties",
      bank_rules: "Bankregels",
      einvoicing: "E-facturatie",
      archive: "Archief",
      reports: "Rapporten",
      webhooks: "Webhooks"
    },
    deeds: {
      read: "lezen",
      view: "lezen",
      write: "aanmaken en wijzigen",
      create: "aanmaken",
      update: "wijzigen",
      delete: "verwijderen",
      users: "leden beheren",
      send: "verzenden",
      convert: "omzetten in facturen",
      refund: "terugbetalen",
      import: "importeren",
      submit: "indienen",
      register: "registreren",
      export: "exporteren"
    }
  }
}
