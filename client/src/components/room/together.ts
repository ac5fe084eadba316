// What a room with several players needs besides the board. It is loaded when somebody else comes, or the computer.

export { Live } from '../../room/live.svelte'
export { default as Partner } from './Partner.svelte'
export { default as RoomBar } from './RoomBar.svelte'
export { default as Drafts } from './Drafts.svelte'
