// Proofs for other verifiers. Few players ask for them, so the call is not loaded with the level.

import { request } from '../../../net'
import type { ExportedProof } from '../../../wire'

export const exportedProof = (id: string, target: string): Promise<ExportedProof> =>
  request('GET', `/rooms/${id}/export?to=${target}`, undefined, { patient: true })
