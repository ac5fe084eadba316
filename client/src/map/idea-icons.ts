// The signs of ideas and patterns on the map, as the paths of a 24 × 24 picture.

export const IDEA_ICONS = {
  product: 'M6 6l12 12M18 6 6 18',
  'kept-sum': 'M12 4.5v15M4.5 12h15',
  limit: 'M18 4.5 6 10l12 5.5M6 19.5h12',
  both: 'M3.5 8.5h7M3.5 13h7M20.5 6l-7 4.5 7 4.5M13.5 18.5h7',
  start: 'M6.5 20.5V4.5h11l-3 3.7 3 3.8h-11',
  swap: 'M4 8.5h15M15 4.5l4 4-4 4M20 16H5M9 12l-4 4 4 4',
  ratio: 'M8.5 6.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 1 0 0-11M17.5 9a3 3 0 1 0 0 6 3 3 0 1 0 0-6M8.5 12h.1M17.5 12h.1',
  old: 'M4.5 12a7.5 7.5 0 1 0 2.4-5.5L4.5 8.8M4.5 4v4.8h4.8M12 8v4l3 2',
  share: 'M5 12h14M12 6.5h.1M12 17.5h.1',
  remainder: 'M18 5 6 19M7.5 5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 1 0 0-5M16.5 14a2.5 2.5 0 1 0 0 5 2.5 2.5 0 1 0 0-5',
  'at-least': 'M6 4.5 18 10 6 15.5M6 19.5h12',
  below: 'M4 8h16M12 11.5V20M8.5 16.5 12 20l3.5-3.5M12 3v2',
  wait: 'M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 1 0 0-17M12 7.5V12l3.2 2.2',
  column: 'M4.5 5h15v14h-15zM9.5 5v14M14.5 5v14M4.5 10h15',
  square: 'M4 9.5 11 19M11 9.5 4 19M15 5.5c.5-2 4.5-2 4.5.5 0 1.8-3 2.5-4.5 5h5',
  sum: 'M17.5 7.5V5H6.5l6 7-6 7h11v-2.5',
  between: 'M5 5v14M19 5v14M12 9.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 1 0 0-5',
  luck: 'M5 5h14v14H5zM9 9h.1M15 9h.1M12 12h.1M9 15h.1M15 15h.1',
  distance: 'M5 5v14M19 5v14M9 9l6 6M15 9l-6 6',
  flag: 'M8 7h8a5 5 0 0 1 0 10H8A5 5 0 0 1 8 7zM16 10a2 2 0 1 0 0 4 2 2 0 1 0 0-4',
  case: 'M5 12h5l8-6.5M10 12l8 6.5M14.5 5h4v4M14.5 19h4v-4',
  'hand-on': 'M4 12h15M13 6l6 6-6 6',
  inner: 'M4 4.5h16v15H4zM9 9.5h6v5H9z',
  half: 'M12 4a8 8 0 1 0 0 16 8 8 0 1 0 0-16M12 4v16M15.5 5v14',
  power: 'M4.5 11.5c.5-3.5 6.5-3.5 6.5.2 0 2.8-5 4.3-6.5 8.3h7M15 10V5.5M15 7.5c.7-2.5 4.5-2.5 4.5.3V10',
  helper: 'M15.5 4.5c-4-1-4.5 2-5 5.5s-1 9-5 8.5M6.5 11h7M14.5 13.5l5 5M19.5 13.5l-5 5',
  falls: 'M3.5 5h5v4.5h5V14h5v5M15.5 16.5l3 3 3-3',
  round: 'M19.5 12a7.5 7.5 0 1 1-2.4-5.5l2.4 2.3M19.5 4v4.8h-4.8',
  row: 'M3.5 9h17v6h-17zM7.8 9v6M12 9v6M16.2 9v6',
  steps: 'M4 20v-4h4v-4h4V8h4V4h4',
  'kept-value': 'M9 6.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 1 0 0-11M15 6.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 1 0 0-11',
} as const
export type IdeaIcon = keyof typeof IDEA_ICONS

/** The drawing of an icon that the server names. One that is not known here is drawn as a small circle. */
export const ideaPath = (name: string): string =>
  Object.hasOwn(IDEA_ICONS, name) ? IDEA_ICONS[name as IdeaIcon] : 'M12 9a3 3 0 1 0 0 6 3 3 0 1 0 0-6'
