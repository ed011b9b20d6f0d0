const pdf = "%PDF-1.7\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n"

/** Body and header of a form with one small PDF file. */
export const upload = async () => {
  const form = new FormData()
  form.set("file", new Blob([pdf]), "signed.pdf")
  const encoded = new Response(form)
  return { body: await encoded.text(), headers: { "content-type": encoded.headers.get("content-type") ?? "" } }
}
