import { existsSync, readFileSync, statfsSync } from "node:fs"
import { availableParallelism } from "node:os"
import { resolve } from "node:path"
import { defineConfig } from "vitest/config"
import { BaseSequencer, type TestSpecification } from "vitest/node"
import { isInstalled } from "./test/support/counterparts/Programs.ts"

const architecture = "test/architecture.test.ts"

const memory = "/dev/shm"
const room_bytes_min = 4_000_000_000

/**
 * Tells whether the folder of Linux whose files stay in memory has enough room. PostgreSQL is also run from a temporary
 * folder, which some containers forbid there.
 */
const hasRoomInMemory = () => {
  if (!existsSync(memory) || /^\S+ \/dev\/shm .*noexec/m.test(readFileSync("/proc/mounts", "utf8"))) return false
  const { bavail, bsize } = statfsSync(memory)
  return bavail * bsize >= room_bytes_min
}
// A new database in memory costs a tenth of the processor time that it costs on a disk.
if (hasRoomInMemory()) process.env["TMPDIR"] ??= memory

/** Test files whose counterparts are made by a program that a machine may lack. They are left out aloud. */
const needing: Readonly<Record<string, ReadonlyArray<string>>> = {
  openssl: [
    "test/contract/Answers.test.ts",
    "test/einvoicing/peppol/PeppolDirectory.test.ts",
    "test/einvoicing/providers/Faults.test.ts",
    "test/einvoicing/received/{ArrivalReader,FatturaReader}.test.ts",
    "test/einvoicing/sdi/Sdi*.test.ts",
    "test/einvoicing/verifactu/{Aeat,AeatAnswers,Cancellations,KeptBooks,KeptRecords}.test.ts",
    "test/platform/crypto/{CmsSigner,TimestampAuthority}.test.ts",
    "test/platform/ocr/DocumentReader.test.ts",
    "test/webhooks/Signatures.test.ts"
  ],
  xmlsec1: ["test/einvoicing/received/FatturaReader.test.ts", "test/einvoicing/sdi/SdiOffices.test.ts"]
}
const left_out = Object.entries(needing).flatMap(([program, files]) =>
  isInstalled(program, files.join(", ")) ? [] : files
)

const isLong = ({ moduleId }: TestSpecification) =>
  /\/test\/(processes|model|docs|expenses\/receipts\/reading)\//.test(moduleId)

/**
 * Starts with the short files that take long, because their processes do the work. Without the times of an earlier
 * run, vitest starts with the largest files, and the last worker would run such a file alone.
 */
class LongFirst extends BaseSequencer {
  override async sort(files: Array<TestSpecification>) {
    // oxlint-disable-next-line no-array-sort -- the method of vitest sorts no array in place
    const sorted = await super.sort(files)
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: LongFirst },
    pool: "forks",
    // A third of the time of a worker is spent waiting for processes, mail servers and timeouts.
    maxWorkers: availableParallelism() + 1,
    // Each file starts its own app on its own database, and shares only the modules, which halves the time of the suite.
    isolate: false,
    // PostgreSQL may take half a minute to stop.
    teardownTimeout: 60_000,
    // Processes that tests start cache their compiled code, which saves a third of the time of a command.
    env: { NODE_COMPILE_CACHE: resolve("node_modules/.cache/compiled") },
    projects: [
      { extends: true, test: { name: "architecture", include: [architecture] } },
      {
        extends: true,
        test: {
          name: "all",
          include: ["test/**/*.test.ts"],
          exclude: [architecture, ...left_out],
          globalSetup: "test/support/service/globalSetup.ts",
          // Detects tests that hang: no other test takes nearly as long, even on a slow machine.
          testTimeout: 180_000,
          hookTimeout: 180_000
        }
      }
    ]
  }
})
