import { type Client, redirect_uris_max } from "../../../identity/clients/Client.ts"
import { mobileScopes } from "../../../identity/Scope.ts"
import type { PageRequest, PageRows } from "../../../kernel/Envelope.ts"
import { html } from "../../../platform/pages/Html.ts"
import { scopeChoices } from "../organizations/TokensPage.ts"
import { panelForm, type Typed } from "../PanelForm.ts"
import type { PanelContent } from "../PanelFrame.ts"
import { panelList } from "../PanelList.ts"

const section = "/admin/clients"

/** The edge refuses larger forms. */
const redirect_characters_max = 10_000

export const toClients = { path: section, label: "OAuth clients" }

const kindOf = ({ confidential, first_party, password_grant }: Client) =>
  [
    first_party ? "ours, no consent is asked" : "of somebody else",
    confidential ? "has a secret" : "public",
    ...(password_grant ? ["may use passwords"] : [])
  ].join(", ")

export const clientsPage = (slice: PageRows<Client>, request: PageRequest): PanelContent => ({
  title: "OAuth clients",
  section,
  body: html`<p><a class="button" href="${section}/new">Register a client</a></p>
    ${panelList({
      slice,
      request,
      path: section,
      none: "No client is registered.",
      row: (client) =>
        html`<div>
            ${client.name}<br />
            <small>${kindOf(client)}</small>
            <details>
              <summary>Details</summary>
              <p>client_id <code>${client.id}</code></p>
              <p>Leads back to ${client.redirect_uris.map((uri) => html`<code>${uri}</code> `)}</p>
              <p>Scopes: ${client.scopes.join(" ")}</p>
            </details>
          </div>
          ${
            client.confidential
              ? html`<div class="actions">
                  <a
                    class="button quiet"
                    href="${section}/${client.id}/secret"
                    aria-label="New secret for ${client.name}"
                    >New secret</a
                  >
                </div>`
              : null
          }`
    })}`
})

const yesOrNo = [
  { value: "false", label: "No" },
  { value: "true", label: "Yes" }
]

export const registerPage = (typed: Typed): PanelContent => ({
  title: "Register a client",
  section,
  back: toClients,
  body: panelForm({
    typed,
    submit: "Register the client",
    cancel: section,
    fields: [
      { name: "name", label: "Name", hint: "Users read it when they are asked", required: true, characters_max: 255 },
      { name: "first_party", label: "Ours", hint: "Users of our own clients are not asked", choices: yesOrNo },
      {
        name: "confidential",
        label: "Has a secret",
        hint: "Only for what runs on a server: an app or a page cannot keep one",
        choices: yesOrNo
      },
      { name: "password_grant", label: "May use passwords", hint: "For an old integration only", choices: yesOrNo },
      {
        name: "redirect_uris",
        label: "Addresses it may lead back to",
        kind: "area",
        hint: `One a line, ${redirect_uris_max} at most`,
        characters_max: redirect_characters_max
      },
      { name: "scopes", label: "The most it may ask for", choices: scopeChoices, several: true, value: mobileScopes }
    ]
  })
})

export const rotatePage = (client: Client, typed: Typed): PanelContent => ({
  title: `New secret for ${client.name}?`,
  section,
  back: toClients,
  body: panelForm({
    typed,
    submit: "Make a new secret",
    danger: true,
    cancel: section,
    before: html`<p>The old secret is refused at once. The client cannot get tokens until it has the new one.</p>`
  })
})
