// What a room with several players needs besides the board. It is loaded when somebody else comes, or the computer.

export { Live } from '../../room/live.svelte'
export { default as Partner } from './Partner.svelte'
export { default as RoomBar } from './RoomBar.svelte'
export { default as Avatar } from './Avatar.svelte'
export { default as Drafts } from './Drafts.svelte'
export { default as RowMark } from './RowMark.svelte'
export { draftsOf, pointedRow, pointers } from '../../room/drafts'
export { lookOf, looks } from '../../room/players'
