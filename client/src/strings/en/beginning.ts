// English: the beginning. Markup as in shell.ts.

export const EN_BEGINNING = {
  title: 'The beginning',
  step: (step: number, all: number) => `Step ${step} of ${all}`,
  skipAll: 'I know this, skip',
  skip: 'Skip this step',
  back: 'One step back',
  again: 'Start over',
  goOn: 'Go on',
  failed: 'The beginning could not be opened.',
  failedMove: (message: string) => `There is no answer: ${message}.`,
  gone: 'The server cannot be reached. What you wrote is kept; try again in a moment.',
  retry: 'Try again',
  opening: 'The table is being set up …',
  asking: 'Thinking …',
  hint: 'Give me a hint',
  use: 'Write it for me',

  // the table
  row: 'Row',
  guess: 'Your guess',
  run: (inputs: string) => `A run with ${inputs}`,
  secondRun: (inputs: string) => `The same program, started with ${inputs}`,
  newRun: (inputs: string) => `The run that shows it: ${inputs}`,
  ghost: 'Ghost',
  ghostTitle: 'A ghost: no run that we know gets here',
  before: 'Before',
  after: 'After',
  stepTitle: 'A ghost step: one turn from “before” leads to “after”',
  yes: 'true',
  no: 'false',
  noValue: 'no value',
  stays: 'the ghost stays',
  goes: 'the ghost would go',
  entry: (left: string, relation: string) => (relation === '=' ? `${left} equals` : `${left} is at most`),
  fact: 'Your fact',
  insert: 'Insert',
  delete: 'Delete one sign',

  // the board so far
  board: 'Your board so far',
  'board.later': 'The other parts appear one at a time, when you need them.',
  'board.table': 'Table',
  'board.entry': 'Guess',
  'board.ghosts': 'Ghosts',
  'board.program': 'Program',
  'board.waiting': 'Not proved yet',
  'board.proof': 'Proof',

  // predict a row
  'predict.title': 'What comes next?',
  'predict.text':
    'Eggs are put into boxes. Every row is one look at the numbers: how many eggs a box holds (`size`), ' +
    'how many boxes are wanted (`want`), how many are full (`boxes`), and how many `eggs` that is.',
  'predict.ask': (row: number) => `How many eggs are in row ${row}?`,
  'predict.check': 'I think so',
  'predict.right': (value: string) => `Yes, it is ${value}.`,
  'predict.rightText': 'You have seen how it goes on. Next you say it.',
  'predict.wrong': (value: string) => `It is not ${value}.`,
  'predict.wrongText': 'Look down the last column: by how much does it grow from row to row?',
  'predict.number': 'A number is wanted here.',
  'predict.numberText': 'Look down the last column and write what comes next.',
  'predict.show': 'Show me',

  // say the rule
  'rule.title': (value: string) => `You knew it would be ${value}. How?`,
  'rule.text': 'Say it so that it fits every row. A wrong guess costs nothing.',
  'rule.check': 'That’s it',
  'rule.empty': 'Look along a row.',
  'rule.emptyText': 'Which two columns make eggs?',
  'rule.circular': 'That explains eggs by eggs.',
  'rule.circularText': 'Say it with the other columns.',
  'rule.some': (hits: number, all: number) => `Fits ${hits} of ${all} rows.`,
  'rule.someText': 'A row that does not fit shows both numbers.',
  'rule.one': 'Good for the first run, not for the second.',
  'rule.oneText': 'Which column could stand where you wrote a number?',
  'rule.both': 'Yes: in both runs.',
  'rule.bothText': 'Is it so in every run? Nobody can try them all: that is what a proof is for.',
  'rule.hint': 'Every full box holds `size` eggs, and `boxes` of them are full.',

  // meet a ghost
  'ghost.title': 'Meet a ghost',
  'ghost.text':
    'We know no run that gets to the violet row. But nothing that was said so far rules it out, so it ' +
    'haunts the table. A proof has to drive such ghosts away.',
  'ghost.ask': (rule: string) => `Your rule is \`${rule}\`. What is it for the ghost?`,
  'ghost.true': 'True: the ghost stays',
  'ghost.false': 'False: the ghost would go',
  'ghost.right': 'Right.',
  'ghost.not': 'Look at the row once more.',
  'ghost.goesText': (numbers: string) => `${numbers}: your rule is false there. Rows of runs want ✓, ghosts want ✗.`,
  'ghost.staysText': (numbers: string) => `${numbers}: your rule is true there, so it does not drive this ghost away.`,
  'ghost.noRule': 'There it is, in violet.',
  'ghost.noRuleText': 'A rule of yours would be tested on it. You have not said one yet; go on.',
  'ghost.none': 'No ghost in sight',
  'ghost.noneText': 'The server found no state to show. That happens; go on.',

  // see the program
  'program.title': 'Where the numbers come from',
  'program.text':
    'The table is a run of this program. One of its lines promises what must be true at the end: the ' + 'goal.',
  'program.ask': 'Which line is the goal? Choose it.',
  'program.label': 'Program',
  'program.right': 'Yes, this is the goal.',
  'program.rightText': (goal: string) =>
    `When the loop ends, \`${goal}\` must hold. For the ghost it would not. Drive the ghosts away, and ` +
    `the goal is proved for all runs at once.`,
  'program.loop': 'This line says how long it goes on.',
  'program.inside': 'This line does something in every turn.',
  'program.other': 'This line only prepares.',
  'program.wrongText': 'Look for the line that asserts something.',

  // true but not proved
  'waiting.title': 'How many eggs at most?',
  'waiting.text': 'Say a limit that no run can exceed, whatever `size` and `want` are. Then ask for a proof.',
  'waiting.check': 'Propose it',
  'waiting.empty': 'There are never more eggs than at the end.',
  'waiting.emptyText': 'How many are there in the end? The goal says it: `eggs = size * want`.',
  'waiting.circular': 'That explains eggs by eggs.',
  'waiting.circularText': 'Say the limit with the inputs.',
  'waiting.some': (hits: number, all: number) => `True in ${hits} of ${all} rows.`,
  'waiting.someText': 'A limit must not be exceeded in any row.',
  'waiting.ready': 'True in every row here.',
  'waiting.readyText': 'Propose it: the engine tries to prove it for all runs.',
  'waiting.hint': 'In the end `want` boxes are full, with `size` eggs in each.',
  'waiting.done': 'Not proved yet.',
  'waiting.doneText':
    'We found no run that breaks it, but it is not proved either. That is no mistake: it waits. The ' +
    'ghost step shows why: nothing rules out the row “before”, and one turn later the limit is broken.',
  'waiting.doneTextPlain':
    'No run was found that breaks it, but it is not proved either. That is no mistake: it waits.',
  'waiting.proved': 'Proved at once!',
  'waiting.provedText': 'So nothing has to wait. Try a limit with `want` in it, or go on.',

  // light the lamp
  'lamp.title': 'Light the lamp',
  'lamp.text': 'You said a rule that fits every row. Is it false for all the ghosts? Then ask for its proof.',
  'lamp.check': 'Propose it',
  'lamp.empty': 'Say a fact that is true in every row.',
  'lamp.emptyText': 'It should be false for the ghosts.',
  'lamp.number': 'That is a number, not a sentence yet.',
  'lamp.numberText': 'Say what it is equal to, or what it never exceeds.',
  'lamp.some': (hits: number, all: number) => `True in ${hits} of ${all} rows.`,
  'lamp.someText': 'Only what is true in every row can be proved.',
  'lamp.ready': (gone: number, all: number) => `True in every row, and ${gone} of ${all} ghost rows would go.`,
  'lamp.readyText': 'That is a preview. Propose it: only a proof drives ghosts away.',
  'lamp.hint': 'Your rule said what `eggs` is equal to. Write it here as a whole fact.',

  // another one: the table game
  'more.title': 'Find another one',
  'more.text':
    'In the table game you see no program, only its numbers. Every different fact that holds in all ' +
    'runs counts: six of them, or one proof of what the program promises, win the gem.',
  'more.check': 'Propose it',
  'more.empty': 'What else is true in every row?',
  'more.emptyText': 'Compare two columns: is one never larger than the other?',
  'more.ready': 'True in every row here.',
  'more.readyText': 'Propose it: the engine looks for a run that breaks it.',
  'more.hint': 'Look at `boxes` and `want`: which is never larger?',
  'more.done': 'It counts.',
  'more.doneText': 'So the table game goes on: one fact after the other.',

  // answers to proposals
  'said.false': 'A run breaks it.',
  'said.falseText': 'Look at the new rows: there it is false. Keep them in mind, and say something better.',
  'said.known': 'That is already known.',
  'said.knownText': 'It follows from what you have. Say something new.',
  'said.always': 'That is always true.',
  'said.alwaysText': 'It would be true for any numbers, so it says nothing about this program.',
  'said.undecided': 'That could not be decided.',
  'said.undecidedText': 'It is neither proved nor false. Say it more simply, or go on.',
  'said.proved': 'Proved.',
  'said.provedText': 'It is on the proof shelf. But a ghost is left: look where your fact is true for it.',
  'said.waits': 'Not proved yet.',
  'said.waitsText': 'It waits for another fact. What do you know about `eggs` and `boxes`?',

  // the lamp is lit
  'done.title': 'The lamp is lit!',
  'done.text': 'You have not tried all runs. You have proved it, for all of them:',
  'done.facts': 'Your proof',
  'done.skipped': 'That was the beginning.',
  'done.skippedText': 'The lamp of Egg boxes is not lit yet. You can light it now, or go on elsewhere.',
  'done.trace': 'You can play the table game.',
  'done.traceText': 'Look for what the numbers hide. Every different fact that holds in all runs counts.',
  'done.words':
    'On the board you find everything again: the table, the ghosts, the program, what waits, and the ' +
    'proof. When you are stuck, a hint helps, step by step.',
  'done.nextNamed': (title: string) => `Next lamp: ${title}`,
  'done.play': 'Play Egg boxes',
  'done.map': 'To the map',
}
