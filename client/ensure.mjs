// Installs the packages of package-lock.json, unless that has been done: `node ensure.mjs`. A stamp, the hash of the
// lock, says what is installed. Where several processes want to install at once, such as tests, one does so and the
// others wait.

import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const here = dirname(fileURLToPath(import.meta.url))
const stamp = join(here, 'node_modules', '.lock-hash')
const busy = join(here, '.installing')
/** How many milliseconds a waiting process pauses between two looks. */
const WAIT_MS = 200

function wanted() {
  const inputs = ['package.json', 'package-lock.json', '.npmrc'].map((name) => readFileSync(join(here, name)))
  return createHash('sha256').update(Buffer.concat(inputs)).update(process.version).digest('hex')
}

const isInstalled = () => existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted()

/** Whether the process that has announced to install is still alive. */
function someoneInstalls() {
  try {
    process.kill(Number(readFileSync(busy, 'utf8')), 0)
    return true
  } catch {
    return false
  }
}

/** Becomes the only process that installs, or waits until another one has finished. */
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
      `the client's packages could not be installed${npm.error ? ` (${npm.error.message})` : ''}; ` +
        'npm ci needs the package registry',
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
