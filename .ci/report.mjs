// Reads what the test runner reported as JSON. In plain JavaScript: it runs on whatever Node the machine has.
import { readFileSync } from "node:fs"

const [command, ...paths] = process.argv.slice(2)

const print = (line) => process.stdout.write(`${line}\n`)

const read = (path) => {
  const text = readFileSync(path, "utf8")
  return text === "" ? [] : JSON.parse(text).testResults
}

const failuresOf = (file) => file.assertionResults.filter((test) => test.status === "failed")

/** A file that cannot be loaded has no test that could fail. */
const hasFailed = (file) => file.status === "failed" || failuresOf(file).length > 0

if (command === "failed") {
  for (const file of read(paths[0]).filter(hasFailed)) print(file.name)
} else {
  const [first = [], second = []] = paths.map(read)
  const again = new Map(second.map((file) => [file.name, file]))
  for (const file of first.filter((file) => again.has(file.name) && !hasFailed(again.get(file.name)))) {
    for (const test of failuresOf(file)) print(`unsteady, passed only when run again: ${test.fullName}`)
  }
  const last = first.map((file) => again.get(file.name) ?? file)
  const passed = last.flatMap((file) => file.assertionResults).filter((test) => test.status === "passed").length
  const failed = last.filter(hasFailed).reduce((sum, file) => sum + Math.max(failuresOf(file).length, 1), 0)
  print(`${passed} passed, ${last.length === 0 ? 1 : failed} failed`)
}
