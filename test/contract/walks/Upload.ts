const pdf = "%PDF-1.7\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n"

/** Returns the body and the header of a form. It has optional fields, and then one small file, by default a PDF. */
export const upload = async (name = "signed.pdf", fields: Readonly<Record<string, string>> = {}, content = pdf) => {
  const form = new FormData()
  for (const [field, value] of Object.entries(fields)) form.set(field, value)
  form.set("file", new Blob([content]), name)
  const encoded = new Response(form)
  return { body: await encoded.text(), headers: { "content-type": encoded.headers.get("content-type") ?? "" } }
}
