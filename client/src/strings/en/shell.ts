// English: the sentences of the shell, and those that several pages share. Markup: `expression` is code, [term|words]
// explains a term.

const s = (count: number): string => (count === 1 ? '' : 's')
const number = (value: number): string => value.toLocaleString('en')

export const EN = {
  // shell
  'app.title': 'Invariant Discovery Game',
  'app.short': 'IDG',
  'app.skip': 'Skip to the content',
  'nav.map': 'Levels',
  'nav.tutorial': 'The beginning',
  'nav.glossary': 'Words and signs',
  'nav.own': 'Own programs',
  'nav.settings': 'Settings',
  'nav.main': 'Pages',
  'nav.theme': 'Dark or light',
  'page.loading': 'Loading …',
  'nothing.title': 'There is nothing here',
  'nothing.text': 'No page of the game has this address:',
  'nothing.home': 'To the start',
  'page.failed': 'This page could not be loaded.',
  'page.retry': 'Try again',
  'part.failed': 'This part could not be loaded. Is there a connection?',
  'gone.banner': 'The server cannot be reached. What you typed is kept; this page tries again by itself.',
  'score.total': (gems: number, coins: number) =>
    `In total: ${number(gems)} gem${s(gems)}, ${number(coins)} coin${s(coins)}`,
  'score.level': (gem: boolean, coins: number) =>
    `This level: ${gem ? 'a gem' : 'no gem yet'}, ${number(coins)} coin${s(coins)}`,
  'score.levelShort': 'Level',

  // level: bar
  'level.menu': 'Level menu',
  'level.all': 'All levels',
  'level.reset': 'Reset level',
  'level.previous': 'Previous level',
  'level.next': 'Next level',
  'level.opening': 'Opening the level …',
  'level.notFound': 'There is no such level here.',
  'level.wrongCode': 'There is no room with this code. Ask for the link again.',
  'level.helperLoop': (loop: number, helper: string) => `Loop ${loop} in ${helper}`,
  'level.loop': (loop: number) => `Loop ${loop}`,
  'level.loops': 'Loops',
  'level.partner': 'Play with the computer',
  'level.rooms': 'Play together',

  // medals
  'medal.fewest-invariants': 'Fewest facts',
  'medal.fewest-proposals': 'Fewest proposals',
  'medal.no-hint': 'Without a hint',
} as const
