// The requests of classes.

import { request } from '../net'
import type {
  Assignment,
  AttendedView,
  ClassTicket,
  ClassEntrance,
  ClassList,
  ClassMessage,
  EnteredClass,
  EventPage,
  Gradebook,
  HandInResults,
  JoinedClass,
  ListedMembers,
  OpenedRoom,
  PersonalCode,
  PlatformState,
  PlayerToken,
  PooledFacts,
  RosterAdded,
  SentScores,
  StudentRooms,
  TaughtClass,
  WorkTable,
} from '../wire'

export type Joining = ClassEntrance['joining']
export type ItemWanted = {
  readonly level?: string
  readonly program?: string
  readonly title?: string
  readonly text?: string
}
export type AssignmentWanted = {
  readonly title: string
  readonly text: string
  readonly items: readonly ItemWanted[]
  readonly pairs: boolean
  readonly hints: boolean
  readonly opens: number | null
  readonly due: number | null
  readonly points: { readonly gem: number; readonly medal: number; readonly effort: number }
}
type Changes = { readonly title?: string; readonly joining?: Joining; readonly archived?: boolean }

export const ownClasses = (): Promise<ClassList> => request('GET', '/classes')
export const entrance = (code: string): Promise<ClassEntrance> => request('POST', '/classes/entrance', { code })
export const joinClass = (code: string, name: string): Promise<JoinedClass> =>
  request('POST', '/classes/join', { code, name })
export const comeBack = (code: string): Promise<PlayerToken> => request('POST', '/classes/continue', { code })
export const leaveClass = (): Promise<object> => request('POST', '/classes/leave')
/** Into which class a ticket of a learning platform leads; the ticket is not used up by that. */
export const ticketOf = (class_id: string, ticket: string): Promise<ClassTicket> =>
  request('POST', '/lti/ticket', { class_id, ticket })
export const enterClass = (class_id: string, ticket: string): Promise<EnteredClass> =>
  request('POST', '/lti/enter', { class_id, ticket })
export const attended = (id: string): Promise<AttendedView> => request('GET', `/classes/${id}/me`)
export const handIn = (id: string, assignment: number): Promise<HandInResults> =>
  request('POST', `/classes/${id}/assignments/${assignment}/hand-in`)

// For teachers

export const makeClass = (title: string, joining: Joining): Promise<TaughtClass> =>
  request('POST', '/classes', { title, joining })
export const teach = (secret: string): Promise<TaughtClass> => request('POST', '/classes/teach', { secret })
export const taught = (id: string): Promise<TaughtClass> => request('GET', `/classes/${id}`)
export const changeClass = (id: string, changes: Changes): Promise<TaughtClass> =>
  request('PATCH', `/classes/${id}`, changes)
export const deleteClass = (id: string): Promise<object> => request('DELETE', `/classes/${id}`)
export const newLinks = (id: string): Promise<TaughtClass> => request('POST', `/classes/${id}/links`)
export const addRoster = (id: string, csv: string): Promise<RosterAdded> =>
  request('POST', `/classes/${id}/roster`, { csv })
export const deleteStudent = (id: string, student: number): Promise<object> =>
  request('DELETE', `/classes/${id}/students/${student}`)
export const personalCode = (id: string, student: number): Promise<PersonalCode> =>
  request('POST', `/classes/${id}/students/${student}/code`)
export const platformState = (id: string): Promise<PlatformState> => request('GET', `/classes/${id}/platform`)
export const fetchMembers = (id: string): Promise<ListedMembers> => request('POST', `/classes/${id}/platform/members`)
export const sendScores = (id: string): Promise<SentScores> => request('POST', `/classes/${id}/platform/scores`)
export const assign = (id: string, wanted: AssignmentWanted): Promise<Assignment> =>
  request('POST', `/classes/${id}/assignments`, wanted)
export const changeAssignment = (id: string, number: number, wanted: AssignmentWanted): Promise<Assignment> =>
  request('PUT', `/classes/${id}/assignments/${number}`, wanted)
export const deleteAssignment = (id: string, number: number): Promise<object> =>
  request('DELETE', `/classes/${id}/assignments/${number}`)
export const workTable = (id: string, assignment: number | null, names: boolean): Promise<WorkTable> =>
  request('GET', `/classes/${id}/table?names=${names}${assignment === null ? '' : `&assignment=${assignment}`}`)
export const pooledFacts = (id: string, assignment: number, item: number): Promise<PooledFacts> =>
  request('GET', `/classes/${id}/assignments/${assignment}/items/${item}/pooled`)
export const studentRooms = (id: string, student: number): Promise<StudentRooms> =>
  request('GET', `/classes/${id}/students/${student}/rooms`)
export const studentBoard = (id: string, student: number, room: string): Promise<OpenedRoom> =>
  request('GET', `/classes/${id}/students/${student}/rooms/${room}`)
export const studentEvents = (id: string, student: number, room: string, after: number): Promise<EventPage> =>
  request('GET', `/classes/${id}/students/${student}/rooms/${room}/events?after=${after}&limit=500`)
export const sendMessage = (
  id: string,
  message: {
    readonly kind: 'hint' | 'invitation'
    readonly student: number | null
    readonly text: string
    readonly code: string | null
  },
): Promise<ClassMessage> => request('POST', `/classes/${id}/messages`, message)
export const gradebook = (id: string): Promise<Gradebook> => request('GET', `/classes/${id}/gradebook`)
