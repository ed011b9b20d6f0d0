import { execFile } from "node:child_process"
import { promisify } from "node:util"

/**
 * Runs `npm run admin` and returns the JSON that it prints. The environment `variables` contain ADMIN_TOKEN, or the
 * DATA_DIR in which the token is stored.
 */
export const administration =
  (url: string, variables: NodeJS.ProcessEnv) =>
  async (...command: ReadonlyArray<string>) => {
    const parameters = ["scripts/admin.ts", "--url", url, "--json", ...command]
    const { stdout } = await promisify(execFile)(process.execPath, parameters, {
      env: { ...process.env, ...variables }
    })
    return JSON.parse(stdout)
  }
