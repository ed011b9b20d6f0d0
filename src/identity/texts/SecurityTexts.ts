import type { PageLanguage } from "../../platform/pages/PageLanguage.ts"

const en = {
  title: "Two-step login",
  off_lead: "A login needs your password only. With an authenticator app it also needs a code that nobody else has.",
  on_lead: "A login also needs a code of your authenticator app. You have {codes} unused recovery codes.",
  turn_on: "Turn on",
  turn_off: "Turn off",
  app_code: "Code of the app",
  any_code: "Code of the app, or a recovery code",
  scan: "Scan this picture with an authenticator app. Then enter the six digits that the app shows.",
  key: "Or type this key into the app:",
  qr: "QR code for the authenticator app",
  confirm: "Confirm",
  code_wrong: "The code is wrong, too old or already used.",
  recovery_title: "Recovery codes",
  recovery_lead: "Keep these codes in a safe place. Each works once, instead of the app. They are not shown again.",
  renew: "Make new recovery codes",
  step_title: "Second step",
  step_lead: "Enter the code of your authenticator app, or a recovery code.",
  again_title: "Confirm that it is you",
  again_lead: "Your login was some time ago. Enter your password to go on.",
  go_on: "Go on",
  back: "Back to your account",
  last_used: "last used {time}",
  end_others: "Log out all other browsers",
  organization: "It would act for the organization {names}.",
  organizations: "It would act for one of your organizations: {names}.",
  returns_to: "Afterwards you return to {host}."
}
type SecurityTexts = Readonly<typeof en>

const fr: SecurityTexts = {
  title: "Connexion en deux étapes",
  off_lead:
    "La connexion ne demande que votre mot de passe. Avec une application d’authentification, elle demande aussi un code que vous seul avez.",
  on_lead:
    "La connexion demande aussi un code de votre application d’authentification. Il vous reste {codes} codes de secours.",
  turn_on: "Activer",
  turn_off: "Désactiver",
  app_code: "Code de l’application",
  any_code: "Code de l’application ou code de secours",
  scan: "Scannez cette image avec une application d’authentification, puis saisissez les six chiffres qu’elle affiche.",
  key: "Ou saisissez cette clé dans l’application :",
  qr: "Code QR pour l’application d’authentification",
  confirm: "Confirmer",
  code_wrong: "Le code est incorrect, trop ancien ou déjà utilisé.",
  recovery_title: "Codes de secours",
  recovery_lead:
    "Gardez ces codes en lieu sûr. Chacun fonctionne une fois, à la place de l’application. Ils ne seront plus affichés.",
  renew: "Créer de nouveaux codes de secours",
  step_title: "Deuxième étape",
  step_lead: "Saisissez le code de votre application d’authentification ou un code de secours.",
  again_title: "Confirmez votre identité",
  again_lead: "Votre connexion n’est plus récente. Saisissez votre mot de passe pour continuer.",
  go_on: "Continuer",
  back: "Retour à votre compte",
  last_used: "dernière utilisation le {time}",
  end_others: "Déconnecter tous les autres navigateurs",
  organization: "L’application agirait pour l’organisation {names}.",
  organizations: "L’application agirait pour l’une de vos organisations : {names}.",
  returns_to: "Vous reviendrez ensuite à {host}."
}

const nl: SecurityTexts = {
  title: "Inloggen in twee stappen",
  off_lead:
    "Voor het inloggen is alleen uw wachtwoord nodig. Met een authenticatie-app is ook een code nodig die niemand anders heeft.",
  on_lead: "Voor het inloggen is ook een code van uw authenticatie-app nodig. U hebt nog {codes} herstelcodes.",
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
  returns_to: "Daarna keert u terug naar {host}."
}

const de: SecurityTexts = {
  title: "Anmeldung in zwei Schritten",
  off_lead:
    "Eine Anmeldung braucht nur Ihr Passwort. Mit einer Authenticator-App braucht sie auch einen Code, den sonst niemand hat.",
  on_lead:
    "Eine Anmeldung braucht auch einen Code Ihrer Authenticator-App. Sie haben noch {codes} Wiederherstellungscodes.",
  turn_on: "Einschalten",
  turn_off: "Ausschalten",
  app_code: "Code der App",
  any_code: "Code der App oder Wiederherstellungscode",
  scan: "Scannen Sie dieses Bild mit einer Authenticator-App. Geben Sie dann die sechs Ziffern ein, die sie anzeigt.",
  key: "Oder tippen Sie diesen Schlüssel in die App:",
  qr: "QR-Code für die Authenticator-App",
  confirm: "Bestätigen",
  code_wrong: "Der Code ist falsch, zu alt oder schon benutzt.",
  recovery_title: "Wiederherstellungscodes",
  recovery_lead:
    "Bewahren Sie diese Codes sicher auf. Jeder gilt einmal, anstelle der App. Sie werden nicht noch einmal angezeigt.",
  renew: "Neue Wiederherstellungscodes erstellen",
  step_title: "Zweiter Schritt",
  step_lead: "Geben Sie den Code Ihrer Authenticator-App ein, oder einen Wiederherstellungscode.",
  again_title: "Bestätigen Sie, dass Sie es sind",
  again_lead: "Ihre Anmeldung liegt einige Zeit zurück. Geben Sie Ihr Passwort ein, um fortzufahren.",
  go_on: "Weiter",
  back: "Zurück zu Ihrem Konto",
  last_used: "zuletzt benutzt am {time}",
  end_others: "Alle anderen Browser abmelden",
  organization: "Die Anwendung würde für die Organisation {names} handeln.",
  organizations: "Die Anwendung würde für eine Ihrer Organisationen handeln: {names}.",
  returns_to: "Danach kehren Sie zu {host} zurück."
}

const es: SecurityTexts = {
  title: "Inicio de sesión en dos pasos",
  off_lead:
    "Para iniciar sesión solo hace falta su contraseña. Con una aplicación de autenticación hace falta además un código que nadie más tiene.",
  on_lead:
    "Para iniciar sesión hace falta además un código de su aplicación de autenticación. Le quedan {codes} códigos de recuperación.",
  turn_on: "Activar",
  turn_off: "Desactivar",
  app_code: "Código de la aplicación",
  any_code: "Código de la aplicación o de recuperación",
  scan: "Escanee esta imagen con una aplicación de autenticación. Después introduzca las seis cifras que muestra.",
  key: "O escriba esta clave en la aplicación:",
  qr: "Código QR para la aplicación de autenticación",
  confirm: "Confirmar",
  code_wrong: "El código es incorrecto, demasiado antiguo o ya se ha usado.",
  recovery_title: "Códigos de recuperación",
  recovery_lead:
    "Guarde estos códigos en un lugar seguro. Cada uno funciona una vez, en lugar de la aplicación. No se volverán a mostrar.",
  renew: "Crear nuevos códigos de recuperación",
  step_title: "Segundo paso",
  step_lead: "Introduzca el código de su aplicación de autenticación o un código de recuperación.",
  again_title: "Confirme que es usted",
  again_lead: "Su inicio de sesión no es reciente. Introduzca su contraseña para continuar.",
  go_on: "Continuar",
  back: "Volver a su cuenta",
  last_used: "último uso: {time}",
  end_others: "Cerrar sesión en los demás navegadores",
  organization: "La aplicación actuaría para la organización {names}.",
  organizations: "La aplicación actuaría para una de sus organizaciones: {names}.",
  returns_to: "Después volverá a {host}."
}

const it: SecurityTexts = {
  title: "Accesso in due passaggi",
  off_lead: "Per accedere basta la password. Con un’app di autenticazione serve anche un codice che nessun altro ha.",
  on_lead: "Per accedere serve anche un codice della Sua app di autenticazione. Le restano {codes} codici di recupero.",
  turn_on: "Attivare",
  turn_off: "Disattivare",
  app_code: "Codice dell’app",
  any_code: "Codice dell’app o di recupero",
  scan: "Scansioni questa immagine con un’app di autenticazione. Poi inserisca le sei cifre che l’app mostra.",
  key: "Oppure digiti questa chiave nell’app:",
  qr: "Codice QR per l’app di autenticazione",
  confirm: "Confermare",
  code_wrong: "Il codice è errato, troppo vecchio o già usato.",
  recovery_title: "Codici di recupero",
  recovery_lead:
    "Conservi questi codici in un luogo sicuro. Ognuno funziona una volta, al posto dell’app. Non saranno più mostrati.",
  renew: "Creare nuovi codici di recupero",
  step_title: "Secondo passaggio",
  step_lead: "Inserisca il codice della Sua app di autenticazione o un codice di recupero.",
  again_title: "Confermi la Sua identità",
  again_lead: "L’accesso non è recente. Inserisca la password per continuare.",
  go_on: "Continuare",
  back: "Torna al Suo account",
  last_used: "ultimo uso: {time}",
  end_others: "Uscire da tutti gli altri browser",
  organization: "L’applicazione agirebbe per l’organizzazione {names}.",
  organizations: "L’applicazione agirebbe per una delle Sue organizzazioni: {names}.",
  returns_to: "Poi tornerà a {host}."
}

export const securityTexts: Readonly<Record<PageLanguage, SecurityTexts>> = { en, fr, nl, de, es, it }
