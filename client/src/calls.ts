// The network calls of what is loaded after the start page and the board: own programs, the player, the computer as a
// partner, all players together. They are not part of a first load.

import type { PartnerMode, ProgressFile } from './api'
import { request, type RequestOptions } from './net'
import type {
  Assessment,
  CodeAnswer,
  CrowdView,
  ImportedRooms,
  PlayerAnswer,
  PlayerToken,
  ProgramAnswer,
  ReadProgram,
  SocketPartner,
} from './wire'

// Own programs

export const program = (hash: string): Promise<ProgramAnswer> => request('GET', `/programs/${hash}`)
export const submitProgram = (source: string, title?: string): Promise<ProgramAnswer> =>
  request('POST', '/programs', title ? { source, title } : { source })
/** Reads a C text as a program; nothing is stored. */
export const readC = (source: string, integers: 'math' | 'check' | 'machine'): Promise<ReadProgram> =>
  request('POST', '/programs/from-c', { source, integers })
/** Reads a Python text as a program; nothing is stored. */
export const readPython = (source: string): Promise<ReadProgram> => request('POST', '/programs/from-python', { source })
export const assessment = (hash: string, options?: RequestOptions): Promise<Assessment> =>
  request('GET', `/programs/${hash}/assessment`, undefined, { patient: true, ...options })

// Rooms

export const leaveRoom = (id: string): Promise<object> => request('POST', `/rooms/${id}/leave`)
export const setPartner = (id: string, mode: PartnerMode | 'off', paused = false): Promise<SocketPartner> =>
  request('POST', `/rooms/${id}/partner`, { mode, paused })
export const askPartner = (id: string): Promise<SocketPartner> => request('POST', `/rooms/${id}/partner/ask`)
export const crowd = (level: string, options?: RequestOptions): Promise<CrowdView> =>
  request('GET', `/levels/${level}/crowd`, undefined, { patient: true, ...options })

// The player

export const becomePlayer = (name?: string): Promise<PlayerToken> => request('POST', '/players', name ? { name } : {})
export const me = (): Promise<PlayerAnswer> => request('GET', '/players/me')
export const rename = (name: string): Promise<PlayerAnswer> => request('PATCH', '/players/me', { name })
export const newCode = (): Promise<CodeAnswer> => request('POST', '/players/me/codes')
export const continueAs = (code: string): Promise<PlayerToken> => request('POST', '/players/continue', { code })
export const forgetDevice = (): Promise<object> => request('POST', '/players/me/forget')
export const importProgress = (file: ProgressFile): Promise<ImportedRooms> =>
  request('POST', '/players/me/progress', file)
