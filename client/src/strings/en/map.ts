// English: the sentences of the map. Markup as in shell.ts.

const s = (count: number): string => (count === 1 ? '' : 's')

export const EN_MAP = {
  'welcome.title': 'Prove programs by looking at numbers',
  'welcome.text':
    'You see a small program and a table of its numbers. Find out what is true in every row, and the game ' +
    'turns it into a proof. No training is needed: the tutorial takes five minutes, and you play from the ' +
    'first step.',
  'welcome.start': 'Start the tutorial',
  'welcome.skip': 'or go straight to the first level',
  'tutorial.resume': (step: number, all: number) => `Go on with the tutorial (step ${step} of ${all})`,
  'continue.title': 'Go on',
  'continue.unfinished': 'Where you left off',
  'continue.next': 'Next level',
  'continue.play': (title: string) => `Play ${title}`,
  'continue.all': 'You have solved every level. There are medals left to earn, and programs of your own to prove.',
  'totals.solved': (solved: number, all: number) => `${solved} of ${all} levels solved`,
  'totals.medals': (count: number) => `${count} medal${s(count)}`,
  'totals.gems': (count: number) => `${count} gem${s(count)}`,
  'totals.coins': (count: number) => `${count} coin${s(count)}`,
  'world.solved': (solved: number, all: number) => `${solved} of ${all} solved`,
  'level.begun': 'begun',
  'level.solved': 'solved',
  'level.new': 'new',
  'level.next': 'next',
  'study.joined': (name: string) => `You take part in the study “${name}”.`,
  'study.end': 'I am done: to the questions',
  offline: 'The server cannot be reached. You see what this browser remembers.',
  'join.title': 'Play together',
  'join.text': 'Has somebody given you the code of a room?',
  'join.label': 'Code',
  'join.button': 'Join',
} as const
