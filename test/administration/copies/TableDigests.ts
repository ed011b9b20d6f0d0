import { Client } from "pg"

/** Hashes every table without using the code of the backup. */
export const digests = async (connectionString: string) => {
  const client = new Client({ connectionString })
  await client.connect()
  const { rows: tables } = await client.query(
    "select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace order by 1"
  )
  const found = new Map<string, string>()
  for (const { name } of tables) {
    const { rows } = await client.query(
      `select count(*) || ' ' || coalesce(md5(string_agg(t::text, '|' order by t::text collate "C")), '') as digest from "${name}" t`
    )
    found.set(name, rows[0].digest)
  }
  await client.end()
  return found
}
