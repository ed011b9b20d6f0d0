import type { AccountTexts } from "./en.ts"

export const fr: AccountTexts = {
  page: {
    log_in: "Se connecter",
    log_out: "Se déconnecter",
    to_continue: "pour continuer vers {client}",
    email: "Adresse e-mail",
    password: "Mot de passe",
    wrong: "L’adresse e-mail ou le mot de passe est incorrect.",
    throttled: "Trop de tentatives. Veuillez réessayer dans {seconds} secondes.",
    busy: "Trop de connexions en cours. Veuillez réessayer dans quelques secondes.",
    form_expired: "Ce formulaire n’est plus valable. Veuillez réessayer.",
    wants_access: "{client} demande l’accès à votre compte",
    logged_in_as: "Vous êtes connecté en tant que {email}.",
    would_be_able: "L’application pourrait utiliser\u00a0:",
    everything: "tout ce que vous pouvez faire",
    allow: "Autoriser",
    deny: "Refuser",
    withdraw: "Vous pouvez retirer cet accès à tout moment sur la page de votre compte.",
    account: "Votre compte",
    administration: "Administration",
    sessions: "Navigateurs connectés",
    this_browser: "ce navigateur",
    unknown_browser: "Navigateur inconnu",
    since: "depuis le {time}",
    until: "jusqu’au {time}",
    no_end: "sans date de fin",
    end: "Déconnecter",
    apps: "Applications connectées",
    no_apps: "Aucune application n’a accès à votre compte.",
    disconnect: "Retirer l’accès",
    tokens: "Jetons d’accès personnels",
    tokens_for: "Pour vos propres scripts. Qui détient un jeton peut agir en votre nom dans ses limites.",
    no_tokens: "Vous n’avez aucun jeton.",
    revoke: "Révoquer",
    token_name: "Nom du jeton",
    token_scope: "Il permet de",
    full_access: "tout faire",
    read_only: "lire seulement",
    valid_for: "Valable",
    days: "{days} jours",
    unlimited: "sans limite",
    create_token: "Créer un jeton",
    token_created: "Copiez le nouveau jeton maintenant. Il ne sera plus affiché.",
    name_invalid: "Donnez au jeton un nom d’au plus 255 caractères.",
    too_many_tokens: "Vous avez trop de jetons. Révoquez-en un d’abord.",
    home_lead: "Factures, devis, paiements et dépenses pour plusieurs organisations, par une API JSON.",
    api_reference: "Référence de l’API",
    api_description: "Description OpenAPI"
  },
  password: {
    forgot: "Mot de passe oublié\u00a0?",
    forgot_lead:
      "Saisissez votre adresse e-mail. Si elle correspond à un compte, nous vous envoyons un lien pour choisir un nouveau mot de passe.",
    send_link: "Envoyer le lien",
    sent: "Si cette adresse correspond à un compte, un lien vient d’être envoyé. Il est valable {minutes} minutes.",
    back_to_login: "Retour à la connexion",
    set_title: "Choisir un nouveau mot de passe",
    account_of: "Compte",
    new_password: "Nouveau mot de passe",
    current_password: "Mot de passe actuel",
    rule: "Au moins 8 caractères.",
    common: "Ce mot de passe est trop courant. Choisissez-en un autre.",
    wrong_current: "Le mot de passe actuel est incorrect.",
    set: "Enregistrer le mot de passe",
    change: "Changer le mot de passe",
    change_lead: "Vous restez connecté ici et êtes déconnecté de tous les autres navigateurs.",
    done: "Votre mot de passe a été modifié.",
    gone: {
      unknown: "Ce lien n’est pas valable.",
      used: "Ce lien a déjà été utilisé.",
      replaced: "Ce lien n’est plus valable, car un autre a été utilisé.",
      expired: "Ce lien a expiré."
    },
    ask_again: "Demander un nouveau lien",
    greeting: "Bonjour {name},",
    reset_subject: "Choisir un nouveau mot de passe",
    follow: "Suivez ce lien pour choisir un nouveau mot de passe\u00a0:",
    validity: "Le lien est valable {minutes} minutes et ne fonctionne qu’une fois.",
    ignore: "Si vous ne l’avez pas demandé, ignorez ce message\u00a0: votre mot de passe reste inchangé."
  },
  email: {
    title: "Changer d’adresse e-mail",
    lead: "Nous envoyons un lien à la nouvelle adresse. Votre adresse change lorsque vous ouvrez le lien.",
    new_address: "Nouvelle adresse e-mail",
    sent: "Un lien est en route vers {email}. Il est valable {minutes} minutes.",
    invalid: "Saisissez une adresse e-mail valide, autre que l’adresse actuelle.",
    too_many: "Vous avez demandé trop de liens. Veuillez réessayer dans une heure.",
    confirm_lead: "Désormais, vous vous connectez avec {email}.",
    confirm: "Confirmer l’adresse",
    done: "Votre adresse e-mail est maintenant {email}.",
    taken: "Cette adresse ne peut pas être utilisée, car elle appartient à un autre compte.",
    subject: "Confirmez votre nouvelle adresse e-mail",
    follow: "Suivez ce lien pour utiliser cette adresse pour votre compte\u00a0:",
    ignore: "Si vous n’avez rien demandé, ignorez ce message\u00a0: rien ne change."
  },
  security: {
    title: "Connexion en deux étapes",
    off_lead:
      "La connexion ne demande que votre mot de passe. Avec une application d’authentification, elle demande aussi un code que vous seul avez.",
    on_lead:
      "La connexion demande aussi un code de votre application d’authentification. Codes de secours restants\u00a0: {codes}.",
    turn_on: "Activer",
    turn_off: "Désactiver",
    app_code: "Code de l’application",
    any_code: "Code de l’application ou code de secours",
    scan: "Scannez cette image avec une application d’authentification, puis saisissez les six chiffres qu’elle affiche.",
    key: "Ou saisissez cette clé dans l’application\u00a0:",
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
    organizations: "L’application agirait pour l’une de vos organisations\u00a0: {names}.",
    returns_to: "Vous reviendrez ensuite à {host}.",
    all_changes:
      "Les événements et les webhooks lui communiquent chaque modification de toutes les données, avec leur contenu complet, même de celles qui ne figurent pas dans cette liste.",
    no_organization: "Votre compte n’appartient à aucune organisation\u00a0: {client} n’aurait donc rien à utiliser.",
    other_account: "Se connecter avec un autre compte",
    back_to: "Retour à {client}"
  },
  notices: {
    password_changed: {
      subject: "Votre mot de passe a été modifié",
      text: "Le mot de passe de votre compte vient d’être modifié et tous les autres navigateurs ont été déconnectés."
    },
    email_changed: {
      subject: "Votre adresse e-mail a été changée",
      text: "Votre compte a maintenant l’adresse {detail}. Si ce n’était pas vous, prévenez tout de suite l’exploitant de cette installation."
    },
    new_login: {
      subject: "Nouvelle connexion à votre compte",
      text: "Une connexion à votre compte vient d’avoir lieu depuis un navigateur inconnu\u00a0: {detail}."
    },
    new_token: {
      subject: "Nouveau jeton d’accès",
      text: "Un jeton d’accès personnel nommé «\u00a0{detail}\u00a0» vient d’être créé pour votre compte."
    },
    factor_on: {
      subject: "Connexion en deux étapes activée",
      text: "Désormais, la connexion à votre compte demande aussi un code de votre application d’authentification."
    },
    factor_off: {
      subject: "Connexion en deux étapes désactivée",
      text: "Désormais, la connexion à votre compte ne demande plus que le mot de passe."
    },
    recovery_used: {
      subject: "Un code de secours a été utilisé",
      text: "Un code de secours de votre compte vient d’être utilisé. Il ne fonctionnera plus."
    },
    recovery_renewed: {
      subject: "Nouveaux codes de secours",
      text: "De nouveaux codes de secours viennent d’être créés pour votre compte. Les anciens ne fonctionnent plus."
    },
    not_you:
      "Si ce n’était pas vous, révoquez les jetons d’accès inconnus sur la page de votre compte, et définissez tout de suite un nouveau mot de passe\u00a0:"
  },
  setup: {
    title: "Mettre en service cette installation",
    lead: "Ouvrez la première organisation et choisissez votre mot de passe. Vous administrerez aussi cette installation.",
    name: "Nom de l’organisation",
    country: "Pays",
    country_hint: "Ses taux de taxe usuels sont repris. Il ne peut plus être changé ensuite.",
    choose: "Veuillez choisir",
    currency: "Devise",
    timezone: "Fuseau horaire",
    language: "Langue",
    owner_email: "Votre adresse e-mail",
    owner_name: "Votre nom",
    owner_password: "Votre mot de passe",
    submit: "Ouvrir l’organisation",
    cancel: "Annuler",
    unchanged: "Rien n’a été modifié.",
    invalid: "Veuillez corriger cette valeur.",
    gone: "Ce lien a expiré, ou l’installation est déjà en service.",
    gone_lead: "Si rien n’est encore en service, cette commande crée un nouveau lien\u00a0:"
  },
  scopes: {
    things: {
      organizations: "Organisations",
      customers: "Clients",
      contacts: "Contacts",
      invoices: "Factures",
      quotes: "Devis",
      credit_notes: "Notes de crédit",
      payments: "Paiements",
      expenses: "Dépenses",
      bank_accounts: "Comptes bancaires",
      bank_transactions: "Opérations bancaires",
      bank_rules: "Règles bancaires",
      einvoicing: "Facturation électronique",
      archive: "Archives",
      reports: "Rapports",
      webhooks: "Webhooks"
    },
    deeds: {
      read: "lire",
      view: "lire",
      write: "créer et modifier",
      create: "créer",
      update: "modifier",
      delete: "supprimer",
      users: "gérer les membres",
      send: "envoyer",
      convert: "convertir en factures",
      refund: "rembourser",
      import: "importer",
      submit: "transmettre",
      register: "inscrire",
      export: "exporter"
    }
  }
}
