// The network calls of studies. They are loaded with the page of a study.

import type { TraceOrigin, Values } from '../api'
import { request, type RequestOptions } from '../net'
import type { Fact, ParticipantAnswer, StudyAnswer, TableGame, TableRun, TableVerdict } from '../wire'

export const study = (name: string): Promise<StudyAnswer> =>
  request('GET', `/studies/${name}`, undefined, { patient: true })
export const takePart = (name: string, pid: string, consent: string): Promise<ParticipantAnswer> =>
  request('POST', `/studies/${name}/participants`, { pid, consent })
export const myPart = (name: string): Promise<ParticipantAnswer> =>
  request('GET', `/studies/${name}/me`, undefined, { patient: true })
export const answerQuestions = (
  name: string,
  when: 'background' | 'answers',
  answers: Readonly<Record<string, string | number>>,
): Promise<ParticipantAnswer> => request('POST', `/studies/${name}/${when}`, { answers })
export const withdraw = (name: string): Promise<object> => request('POST', `/studies/${name}/withdraw`)

/** A level of the arm without code, by its number. */
export type TablePlace = { readonly study: string; readonly number: number; readonly tutorial: boolean }
const tablePath = ({ study, number, tutorial }: TablePlace, what = ''): string =>
  `/studies/${study}/levels/${number}${what}${tutorial ? '?tutorial=true' : ''}`
export const openTable = (place: TablePlace, options?: RequestOptions): Promise<TableGame> =>
  request('POST', tablePath(place), undefined, { patient: true, ...options })
export const proposeInTable = (
  place: TablePlace,
  fact: Fact,
  requestId: string,
  options?: RequestOptions,
): Promise<TableVerdict> =>
  request('POST', tablePath(place, '/proposals'), { ...fact, request: requestId }, { patient: true, ...options })
export const otherTable = (
  place: TablePlace,
  inputs: Values,
  origin: TraceOrigin,
  options?: RequestOptions,
): Promise<TableRun> => request('POST', tablePath(place, '/traces'), { inputs, origin }, { patient: true, ...options })
