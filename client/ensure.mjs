// Installs what package-lock.json says, unless that has been done: `node ensure.mjs`. The stamp is the lock's hash. Tests run in
// several processes: one installs, the others wait.

import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const here = dirname(fileURLToPath(import.meta.url))
const stamp = join(here, 'node_modules', '.lock-hash')
const busy = join(here, '.installing')
const WAIT_MS = 200

function wanted() {
  const inputs = ['package.json', 'package-lock.json', '.npmrc'].map((name) => readFileSync(join(here, name)))
  return createHash('sha256').update(Buffer.concat(inputs)).update(process.version).digest('hex')
}

const isInstalled = () => existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted()

/** Whether the process that is installing, if any, still lives. */
function someoneInstalls() {
  try {
    process.kill(Number(readFileSync(busy, 'utf8')), 0)
    return true
  } catch {
    return false
  }
}

/** Becomes the one process that installs, or waits until another has. */
function claim() {
  for (;;) {
    try {
      writeFileSync(busy, `${process.pid}`, { flag: 'wx' })
      return
    } catch {
      if (someoneInstalls()) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, WAIT_MS)
      else rmSync(busy, { force: true })
    }
  }
}

function install() {
  const npm = spawnSync('npm', ['ci', '--no-audit', '--no-fund'], {
    cwd: here,
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  })
  if (npm.status === 0) writeFileSync(stamp, wanted())
  else
    console.error(
      `the client's packages could not be installed${npm.error ? ` (${npm.error.message})` : ''}; npm ci needs the package registry`,
    )
  return npm.status === 0
}

if (!isInstalled()) {
  claim()
  try {
    if (!isInstalled() && !install()) process.exitCode = 1
  } finally {
    rmSync(busy, { force: true })
  }
}
