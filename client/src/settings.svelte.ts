// What the whole client knows: the settings and the player's scores. The settings are part of the local save.

import type { Variant } from './api'
import type { PlayerAnswer, PlayerScores, ScoreTotal } from './wire'
import { readSave, type Save, type Settings, writeSave } from './game/save'
import * as net from './net'
import { speak } from './strings'

let saved = $state.raw<Save>(readSave(storage()))
let earned = $state.raw<PlayerScores | null>(null)
let gone = $state(false)
let dark = $state(wantsDark())

/** The browser's storage. Where the browser forbids it, the save lasts as long as the page. */
function storage(): Pick<Storage, 'getItem' | 'setItem'> {
  try {
    return localStorage
  } catch {
    return { getItem: () => null, setItem: () => {} }
  }
}

export const save = (): Save => saved

/** Changes the save and writes it at once. */
export function updateSave(change: (save: Save) => Save): void {
  saved = writeSave(storage(), change(saved))
}

/** The name of the study that this browser takes part in now; null for none. */
export const currentStudy = (): string | null => saved.study.current ?? null

export const settings = (): Settings => saved.settings

export function changeSettings(change: Partial<Settings>): void {
  updateSave((old) => ({ ...old, settings: { ...old.settings, ...change } }))
  apply()
}

export const liveDrafts = (): boolean => settings().liveDrafts !== false

export const variant = (): Variant => settings().variant

function wantsDark(): boolean {
  const { theme } = saved.settings
  return theme === 'system' ? matchMedia('(prefers-color-scheme: dark)').matches : theme === 'dark'
}
/** Whether the page is dark now, by the setting or by the system. */
export const isDark = (): boolean => dark

/** Makes the page look as the settings say. */
export function apply(): void {
  const { rows, language, motion } = settings()
  const root = document.documentElement
  dark = wantsDark()
  root.dataset.theme = dark ? 'dark' : 'light'
  root.dataset.rows = rows
  root.dataset.motion = motion
  void speak(language).catch(() => {
    // Without its table of sentences the page stays in the language that it has.
  })
}

export const scores = (): PlayerScores | null => earned
export const total = (): ScoreTotal | null => earned?.total ?? null
export const isGone = (): boolean => gone
export const setGone = (now: boolean): void => {
  gone = now
}

/** Remembers who the player is. From then on this browser asks the server for scores. */
export function knowPlayer({ player, name }: PlayerAnswer): void {
  if (saved.player?.player !== player || saved.player.name !== name)
    updateSave((old) => ({ ...old, player: { player, name } }))
}

/** Fetches gems and coins, if this browser has a player. */
export async function refreshScores(): Promise<void> {
  if (!saved.player) return
  try {
    earned = await net.scores()
    updateSave((old) => ({ ...old, levels: { ...old.levels, ...earned?.levels } }))
  } catch (error) {
    if (!(error instanceof net.NetError)) throw error
  }
}
