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
  'level.resetSure': 'Forget all facts of this level and start again? Coins and gems stay.',
  'level.resetYes': 'Yes, start again',
  'level.resetNo': 'Keep them',
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

  // terms: shown on hover, focus and tap
  'term.invariant': 'A fact that is true every time the loop head is reached, in every run.',
  'term.inductive':
    'Proved: it holds when the loop is first reached, and each turn that starts with all proved facts keeps it true.',
  'term.potential':
    'Holds in every run that is known, but is not proved yet. It is tried again with every new proposal.',
  'term.promoted': 'Moved from “not proved yet” to the proved facts.',
  'term.removed': 'Taken off the list because other facts say it already.',
  'term.guarantee':
    'What the program promises at its end; a lantern marks the line. The level is solved when it is proved.',
  'term.measure':
    'A number, or several, that every turn makes smaller and that cannot fall for ever. So the loop ends.',
  'term.mark': 'The eye marks where facts must hold: at the loop head, and again at the end of the body.',
  'term.trace': 'The values of the variables each time the loop head is reached, one row a turn.',
  'term.test': 'The condition of the while. As long as it is true, the body is carried out once more.',
  'term.type': 'nat: 0, 1, 2, …; int: whole numbers; rat: fractions; bool: true or false.',
} as const
type After<K> = K extends `term.${infer N}` ? N : never
export type TermName = After<keyof typeof EN>
