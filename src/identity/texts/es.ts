import type { AccountTexts } from "./en.ts"

export const es: AccountTexts = {
  page: {
    log_in: "Iniciar sesión",
    log_out: "Cerrar sesión",
    to_continue: "para continuar a {client}",
    email: "Correo electrónico",
    password: "Contraseña",
    wrong: "El correo electrónico o la contraseña no son correctos.",
    throttled: "Demasiados intentos. Vuelva a intentarlo en {seconds} segundos.",
    busy: "Demasiados inicios de sesión a la vez. Vuelva a intentarlo en unos segundos.",
    form_expired: "Este formulario ya no es válido. Vuelva a intentarlo.",
    wants_access: "{client} solicita acceso a su cuenta",
    logged_in_as: "Ha iniciado sesión como {email}.",
    would_be_able: "La aplicación podría usar:",
    everything: "todo lo que usted puede hacer",
    allow: "Permitir",
    deny: "Denegar",
    withdraw: "Puede retirarlo en cualquier momento en la página de su cuenta.",
    account: "Su cuenta",
    administration: "Administración",
    sessions: "Navegadores con sesión iniciada",
    this_browser: "este navegador",
    unknown_browser: "Navegador desconocido",
    since: "desde {time}",
    until: "hasta {time}",
    no_end: "sin fecha de fin",
    end: "Cerrar sesión",
    apps: "Aplicaciones conectadas",
    no_apps: "Ninguna aplicación tiene acceso a su cuenta.",
    disconnect: "Desconectar",
    tokens: "Tokens de acceso personal",
    tokens_for: "Para sus propios programas. Quien tenga un token puede actuar en su nombre dentro de sus límites.",
    no_tokens: "No tiene ningún token.",
    revoke: "Revocar",
    token_name: "Nombre del token",
    token_scope: "Puede",
    full_access: "hacerlo todo",
    read_only: "solo leer",
    valid_for: "Válido",
    days: "{days} días",
    unlimited: "sin límite",
    create_token: "Crear un token",
    token_created: "Copie el nuevo token ahora. No se volverá a mostrar.",
    name_invalid: "Dé al token un nombre de 255 caracteres como máximo.",
    too_many_tokens: "Tiene demasiados tokens. Revoque uno primero.",
    home_lead: "Facturas, presupuestos, pagos y gastos de varias organizaciones, mediante una API JSON.",
    api_reference: "Referencia de la API",
    api_description: "Descripción OpenAPI"
  },
  password: {
    forgot: "¿Ha olvidado su contraseña?",
    forgot_lead:
      "Introduzca su correo electrónico. Si pertenece a una cuenta, le enviaremos un enlace para elegir una contraseña nueva.",
    send_link: "Enviar el enlace",
    sent: "Si esta dirección pertenece a una cuenta, el enlace está en camino. Es válido durante {minutes} minutos.",
    back_to_login: "Volver al inicio de sesión",
    set_title: "Elegir una contraseña nueva",
    account_of: "Cuenta",
    new_password: "Contraseña nueva",
    current_password: "Contraseña actual",
    rule: "Al menos 8 caracteres.",
    common: "Esta contraseña es demasiado común. Elija otra.",
    wrong_current: "La contraseña actual no es correcta.",
    set: "Guardar la contraseña",
    change: "Cambiar la contraseña",
    change_lead: "Seguirá conectado aquí y se cerrará la sesión en todos los demás navegadores.",
    done: "Su contraseña se ha cambiado.",
    gone: {
      unknown: "Este enlace no es válido.",
      used: "Este enlace ya se ha utilizado.",
      replaced: "Este enlace ya no es válido, porque se ha utilizado otro.",
      expired: "Este enlace ha caducado."
    },
    ask_again: "Solicitar un enlace nuevo",
    greeting: "Hola, {name}:",
    reset_subject: "Elegir una contraseña nueva",
    follow: "Siga este enlace para elegir una contraseña nueva:",
    validity: "El enlace es válido durante {minutes} minutos y funciona una sola vez.",
    ignore: "Si no lo ha solicitado, ignore este mensaje: su contraseña no cambia."
  },
  email: {
    title: "Cambiar la dirección de correo",
    lead: "Enviamos un enlace a la nueva dirección. Su dirección cambia cuando usted abre el enlace.",
    new_address: "Nueva dirección de correo",
    sent: "Un enlace va de camino a {email}. Es válido durante {minutes} minutos.",
    invalid: "Introduzca una dirección de correo válida, distinta de la actual.",
    too_many: "Ha pedido demasiados enlaces. Inténtelo de nuevo dentro de una hora.",
    confirm_lead: "A partir de ahora, usted inicia sesión con {email}.",
    confirm: "Confirmar la dirección",
    done: "Su dirección de correo es ahora {email}.",
    taken: "Esta dirección no se puede usar, porque pertenece a otra cuenta.",
    subject: "Confirme su nueva dirección de correo",
    follow: "Siga este enlace para usar esta dirección en su cuenta:",
    ignore: "Si no lo ha pedido, ignore este mensaje: nada cambia."
  },
  security: {
    title: "Inicio de sesión en dos pasos",
    off_lead:
      "Para iniciar sesión solo hace falta su contraseña. Con una aplicación de autenticación hace falta además un código que nadie más tiene.",
    on_lead:
      "Para iniciar sesión hace falta además un código de su aplicación de autenticación. Códigos de recuperación restantes: {codes}.",
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
    returns_to: "Después volverá a {host}.",
    all_changes:
      "Mediante eventos y webhooks, la aplicación recibe cada cambio de todos los registros con todo su contenido, también de los datos que no figuran en esta lista.",
    no_organization: "Su cuenta no pertenece a ninguna organización, así que no hay nada que {client} pueda usar.",
    other_account: "Iniciar sesión con otra cuenta",
    back_to: "Volver a {client}"
  },
  notices: {
    password_changed: {
      subject: "Su contraseña se ha cambiado",
      text: "La contraseña de su cuenta acaba de cambiarse y se ha cerrado la sesión en los demás navegadores."
    },
    email_changed: {
      subject: "Se ha cambiado su dirección de correo",
      text: "Su cuenta tiene ahora la dirección {detail}. Si no ha sido usted, avise enseguida al operador de esta instalación."
    },
    new_login: {
      subject: "Nuevo inicio de sesión en su cuenta",
      text: "Alguien acaba de iniciar sesión en su cuenta con un navegador desconocido: {detail}."
    },
    new_token: {
      subject: "Nuevo token de acceso",
      text: "Se acaba de crear un token de acceso personal llamado «{detail}» para su cuenta."
    },
    factor_on: {
      subject: "Inicio de sesión en dos pasos activado",
      text: "Desde ahora, iniciar sesión en su cuenta requiere también un código de su aplicación de autenticación."
    },
    factor_off: {
      subject: "Inicio de sesión en dos pasos desactivado",
      text: "Desde ahora, iniciar sesión en su cuenta solo requiere la contraseña."
    },
    recovery_used: {
      subject: "Se ha usado un código de recuperación",
      text: "Se acaba de usar un código de recuperación de su cuenta. Ya no volverá a funcionar."
    },
    recovery_renewed: {
      subject: "Nuevos códigos de recuperación",
      text: "Se acaban de crear nuevos códigos de recuperación para su cuenta. Los anteriores ya no funcionan."
    },
    not_you:
      "Si no ha sido usted, revoque los tokens de acceso desconocidos en la página de su cuenta y establezca de inmediato una contraseña nueva:"
  },
  setup: {
    title: "Configurar esta instalación",
    lead: "Abra la primera organización y elija su contraseña. También administrará esta instalación.",
    name: "Nombre de la organización",
    country: "País",
    country_hint: "Incluye sus tipos impositivos habituales. No se puede cambiar después.",
    choose: "Elija una opción",
    currency: "Moneda",
    timezone: "Zona horaria",
    language: "Idioma",
    owner_email: "Su correo electrónico",
    owner_name: "Su nombre",
    owner_password: "Su contraseña",
    submit: "Abrir la organización",
    cancel: "Cancelar",
    unchanged: "No se ha cambiado nada.",
    invalid: "Corrija este valor.",
    gone: "Este enlace ha caducado o la instalación ya está configurada.",
    gone_lead: "Si todavía no hay nada configurado, esta orden crea un enlace nuevo:"
  },
  scopes: {
    things: {
      organizations: "Organizaciones",
      customers: "Clientes",
      contacts: "Contactos",
      invoices: "Facturas",
      quotes: "Presupuestos",
      credit_notes: "Notas de crédito",
      payments: "Pagos",
      expenses: "Gastos",
      bank_accounts: "Cuentas bancarias",
      bank_transactions: "Movimientos bancarios",
      bank_rules: "Reglas bancarias",
      einvoicing: "Facturación electrónica",
      archive: "Archivo",
      reports: "Informes",
      webhooks: "Webhooks"
    },
    deeds: {
      read: "leer",
      view: "leer",
      write: "crear y modificar",
      create: "crear",
      update: "modificar",
      delete: "eliminar",
      users: "gestionar miembros",
      send: "enviar",
      convert: "convertir en facturas",
      refund: "reembolsar",
      import: "importar",
      submit: "presentar",
      register: "registrar",
      export: "exportar"
    }
  }
}
