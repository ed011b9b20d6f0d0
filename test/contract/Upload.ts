const pdf = "%PDF-1.7\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n"

/** Body and header of a form with one small PDF file, and with other fields before it. */
export const upload = async (name = "signed.pdf", fields: Readonly<Record<string, string>> = {}) => {
  const form = new FormData()
  for (const [field, value] of Object.entries(fields)) form.set(field, value)
  form.set("file", new Blob([pdf]), name)
  const encoded = new Response(form)
  return { body: await encoded.text(), headers: { "content-type": encoded.headers.get("content-type") ?? "" } }
}
