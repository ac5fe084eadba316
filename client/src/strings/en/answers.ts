// English: the sentences of what is loaded after the board: answers, lists, what stands below the table. Markup as in
// shell.ts.

const s = (count: number): string => (count === 1 ? '' : 's')
const number = (value: number): string => value.toLocaleString('en')

export const EN_ANSWERS = {
  'trace.input': (name: string) => `Input ${name}`,
  'trace.run': 'Run',
  'trace.seed': 'Other choices',
  'level.resetSure': 'Forget all facts of this level and start again? Coins and gems stay.',
  'level.resetYes': 'Yes, start again',
  'level.resetNo': 'Keep them',
  'code.expressions': 'Expressions',
  'code.statements': 'Code',
  'code.example': 'Example:',
  'code.choose': 'Choose a sign to see what it means.',
  'trace.rows': (count: number) => `${number(count)} row${s(count)}`,
  'trace.cut': (shown: number, total: number) => `The first ${number(shown)} of ${number(total)} rows.`,
  'trace.more': 'Show more rows',
  'trace.noCall': (helper: string) => `This run does not call ${helper}. Try other inputs.`,
  'trace.empty': 'This run does not reach the loop. Try other inputs.',
  'trace.running': 'Running …',
  'trace.returned': (value: string) => `Returned ${value}.`,
  'trace.ended': 'The run reached its end.',
  'trace.failed': (message: string) => `The run stopped: ${message}.`,
  'trace.bound': (message: string) => `The run was cut: ${message}.`,
  'trace.ignored': (message: string) => `These inputs do not count: ${message}.`,
  'trace.nextFailing': 'Next failing row',
  'trace.chart': 'Chart',
  'trace.chartOf': (names: string) => `${names} over the turns`,
  'trace.chartChoose': 'Variables in the chart',
  'trace.parts': 'Parts as columns',
  'trace.keep': 'Keep as a column',
  'entry.missingAfter': (sign: string) => `Something is missing after \`${sign}\`.`,
  'entry.missingBefore': (sign: string) => `Something is missing before \`${sign}\`.`,
  'entry.missingBetween': (one: string, other: string) => `Something is missing between \`${one}\` and \`${other}\`.`,
  'entry.missingClose': (sign: string) => `A \`${sign}\` is missing.`,
  'entry.keysHelp': 'Keys',
  'entry.backspace': 'Delete one sign',

  // level: lists
  'list.inductive': 'Proved facts',
  'list.potential': 'Not proved yet',
  'list.unknown': 'Not decided',
  'list.inductiveEmpty': 'Facts that are proved stand here.',
  'list.potentialEmpty': 'Facts that no run breaks wait here until they are proved.',
  'list.why': (text: string) => `Why is ${text} not proved yet?`,
  'list.by': (name: string) => `found by ${name}`,
  'list.rests': (places: string) => `rests on ${places}`,
  'list.use': (text: string) => `Put ${text} into the entry box`,

  // level: message window
  'message.title': 'Answer',
  'message.someone': 'Somebody',
  'message.by': (name: string) => `${name} proposed it.`,

  'new.headline': 'Look for what stays true.',
  'new.text': 'Type a fact that is true in every row and false at the ghost.',
  'new.headlineResumed': 'Welcome back.',
  'new.textResumed': 'Your facts are still here.',

  'look.ask': 'How do I begin?',
  'look.opposite': (up: string, down: string) =>
    `\`${up}\` grows while \`${down}\` shrinks. What do they make together? Type it: the table shows its value.`,
  'look.together': (one: string, other: string) =>
    `\`${one}\` and \`${other}\` grow together. What makes one out of the other? Type it: the table shows its value.`,
  'look.one': (name: string) => `Only \`${name}\` moves. How far can it get? Compare it with another column.`,
  'look.cells': (array: string) =>
    `Which cells of \`${array}\` has the loop seen when it comes to a row? What is true of all of them?`,
  'look.number': (value: string) => `Which column could stand where you wrote ${value}?`,
  'look.plain': 'Which columns move together? Type what they make: the table shows its value.',

  'tautology.headline': (fact: string) => `Always true: \`${fact}\``,
  'tautology.text': 'It follows from the [type|types] of the variables alone, so it says nothing about this loop.',
  'tautology.next': 'Look at what the loop does: which variables move together?',

  'displaced.headline': (fact: string) => `Already known: \`${fact}\``,
  'displaced.headlineResting': (fact: string) => `Already there: \`${fact}\``,
  'displaced.same': 'It is among the [inductive|proved facts] already.',
  'displaced.by': (facts: string) => `It follows from ${facts}, so it rules out nothing new.`,
  'displaced.code': 'The code before the loop says so already.',
  'displaced.next': 'Find something that those facts do not say.',

  'displacedPotential.headline': (fact: string) => `Already waiting: \`${fact}\``,
  'displacedPotential.same': 'It is among the facts that are [potential|not proved yet].',
  'displacedPotential.by': (facts: string) =>
    `Given what is proved, it says the same as ${facts}. It would be proved together with that.`,
  'displacedPotential.next': 'Look for another fact, one that helps to prove them.',

  'nonInvariant.headline': (fact: string) => `False: \`${fact}\``,
  'nonInvariant.entry': (run: string) => `The run \`${run}\` makes it false at the first arrival. The table shows it.`,
  'nonInvariant.turns': (run: string, turns: number) =>
    `The run \`${run}\` makes it false after ${number(turns)} turn${s(turns)}. The table shows it.`,
  'nonInvariant.helper': (helper: string) =>
    `It is a run of \`${helper}\` by itself: a fact about its loop must hold for all arguments that its pre allows.`,
  'nonInvariant.initial': (values: string) => `It starts with ${values}, before anything is assigned there.`,
  'nonInvariant.next': 'A fact must be true in every run. Change it so that it fits this run, too.',

  'inductive.headline': (fact: string) => `Proved: \`${fact}\``,
  'inductive.text': 'It is true at the first arrival, and every turn keeps it true.',
  'inductive.promoted': (facts: string, count: number) =>
    `With its help ${facts} ${count === 1 ? 'is' : 'are'} proved, too.`,
  'removed.text': (fact: string, by: string) => `\`${fact}\` went off the shelf: ${by} says it already.`,
  'removed.code': (fact: string) => `\`${fact}\` went off the shelf: it is no longer needed.`,

  'rests.text': (places: string, count: number) =>
    `This rests on ${places}, which ${count === 1 ? 'is' : 'are'} not proved yet.`,
  'rests.place': (place: string, text: string) => `${place}, \`${text}\``,
  'rests.withoutCode': 'This rests on something else in the program that is not proved yet.',
  'rests.listWithoutCode': 'rests on something that is not proved yet',

  'potential.headline': (fact: string) => `Not proved yet: \`${fact}\``,
  'potential.text': 'No known run breaks it, so it is kept. Technically: a [potential|potential invariant].',
  'potential.next': 'Find a fact that is false at the ghost before the turn. Then this one may be proved, too.',
  'potential.nextEntry': 'Find a fact that is false at the ghost. Then this one may be proved, too.',
  'transition.turn': 'No run that we know breaks it, but one turn from ghost B would.',
  'transition.broken': (facts: string) => `One turn from ghost B would break it. Ghost B is held only by ${facts}.`,
  'transition.passing': (loops: string) => `By what is known of ${loops}, a turn from ghost B may break it.`,
  'transition.passingBroken': (loops: string, facts: string) =>
    `By what is known of ${loops}, a turn from ghost B may break it. Ghost B is held only by ${facts}.`,
  'transition.entry': 'Your facts do not pin down the first arrival yet: at ghost B it would be false.',
  'transition.entryPassing': (loops: string) =>
    `By what is known of ${loops}, the first arrival may be ghost B, and there it is false.`,
  'transition.loop': (loop: number) => `loop ${number(loop)}`,
  'transition.waits': (facts: string) => `It waits for ${facts}: with that, every turn keeps it.`,
  'transition.none': 'Neither a proof nor a step that breaks it was found. Simpler facts may help.',
  'transition.note': 'Perhaps no run ever reaches ghost B. If so, find the fact that says why.',
  'transition.noteEntry': 'Perhaps no run ever arrives there. If so, find the fact that says why.',

  'unknown.headline': (fact: string) => `Not decided: \`${fact}\``,
  'unknown.text': 'No run breaks it, and no proof was found within the limits. That does not mean that it is false.',
  'unknown.kept': 'It is kept in a list of its own, and tried again whenever you find something new.',
  'unknown.because': (reason: string) => `The reason: ${reason}.`,
  'unknown.tried': (tried: string) => `Tried: ${tried}.`,
  'unknown.next': 'Simpler facts often help: try a part of it, or a fact about fewer variables.',
  'limited.headline': (fact: string) => `No answer: \`${fact}\``,
  'limited.time': 'It took longer than this server allows.',
  'limited.memory': 'It needed more memory than this server allows.',
  'limited.died': 'The program that analyses it stopped each time.',
  'limited.error': 'The engine made a mistake, which was written to the log.',
  'limited.text': 'That says nothing about your fact. It is not kept.',

  'batch.headline': (name: string, count: number) => `${name}: ${number(count)} fact${s(count)} at once`,
  'batch.kinds': (inductive: number, potential: number, unknown: number) =>
    `Proved: ${number(inductive)}. Not proved yet: ${number(potential)}.` +
    (unknown ? ` Not decided: ${number(unknown)}.` : ''),

  'rejudged.now': 'Everything is being checked again.',
  'rejudged.nowText': 'The engine was improved. You can look around and propose meanwhile.',
  'rejudged.headline': 'Everything was checked again.',
  'rejudged.wrong': (fact: string) => `The engine was improved: ${fact} is not true in every run after all.`,
  'rejudged.open': (fact: string) => `${fact} is not proved any more.`,
  'rejudged.gone': (fact: string) => `${fact} is not on the lists any more.`,
  'rejudged.gained': (facts: string, count: number) => `${facts} ${count === 1 ? 'is' : 'are'} proved now.`,
  'rejudged.kept': (count: number) =>
    count === 1 ? 'One fact that was found still holds.' : `${number(count)} facts that were found still hold.`,
  'rejudged.unsolved': 'So the level is not solved yet.',

  'state.headline': 'Rule out ghost A',
  'state.never': 'We know no run that reaches this state. Which fact makes it impossible?',
  'state.waiting': 'We know no run that reaches this state. Facts that are not proved yet rule it out.',
  'state.noOther': 'No other ghost was found.',
  'suffices.headline': 'Almost: prove what waits',
  'suffices.text': (facts: string) => `As soon as ${facts} is proved, so is the goal. Look at ghost B.`,
  'nothing.headline': 'This program promises nothing.',
  'nothing.text': 'It has no guarantee and no assert, so there is nothing to prove.',
  'open.headline': 'No ghost in sight',
  'open.text': 'Neither a proof of the goal nor a state that breaks it was found. More facts will help.',
  'open.explain': 'What is missing?',
  'tooLarge.headline': 'Too large to be analysed',
  'tooLarge.text': (why: string) => `The engine says: ${why}.`,
  'tooLarge.next': 'You can still run it and look at its traces. Choose another level, or make the program smaller.',
  'failing.headline': 'The program breaks its promise.',
  'failing.text': (inputs: string, place: string) =>
    `${inputs ? `Started with \`${inputs}\`, it` : 'It'} breaks ${place}. No fact can prove what is not true.`,
  'failing.inputs': 'The inputs',
  'failing.helperHeadline': (helper: string) => `\`${helper}\` does not keep its promise.`,
  'failing.helper': (helper: string, given: string, place: string) =>
    `${given ? `Called with \`${given}\`, \`${helper}\`` : `\`${helper}\``} breaks ${place}. ` +
    'No fact can prove what is not true.',
  'failing.helperNext': 'The helper would have to be changed, or its pre would have to exclude these arguments.',
  'failing.next': 'Run it with these inputs to see how it fails. The program would have to be changed.',
  'entry.measureBegun': 'Which number falls in every turn? Several, with commas: the first weighs most.',
  'entry.endlessBegun': (inputs: string) => `Name the inputs of a run that never ends: ${inputs}`,
  'entry.measureFalls': 'Falls in every turn here. Enter proposes it.',
  'entry.measureNoTurn': 'There is no turn to test it on. Enter proposes it.',
  'entry.measureStays': (from: number, to: number, before: string, after: string) =>
    `Does not fall from row ${number(from)} to row ${number(to)}: ${before} → ${after}.`,
  'entry.measureRun': (row: number, run: string) => `Does not fall before row ${number(row)} of the run ${run}.`,
  'entry.endless': 'Enter asks the engine whether this run never ends.',
  'measure.falls': (text: string) => `It falls: \`${text}\``,
  'measure.fallsText': 'It falls in every turn, from a value that is at least 0. So the loop cannot go on for ever.',
  'measure.uses': (facts: string) => `This uses ${facts}.`,
  'measure.technical': 'Technically: a [measure|measure] of the loop.',
  'measure.doesNotFall': (text: string) => `It does not always fall: \`${text}\``,
  'measure.inRun': (run: string, row: number) => `In the run ${run}, look at the turn from row ${number(row)}.`,
  'measure.doesNotFallNext': 'Look for a number that every turn makes smaller, or add one after a comma.',
  'measure.stays': (value: string) => `It stays at ${value}.`,
  'measure.goes': (before: string, after: string) => `It goes from ${before} to ${after}.`,
  'measure.below': (before: string, after: string) =>
    `It goes from ${before} to ${after}: a fall counts only from a value of at least 0.`,
  'measure.noValue': 'It has no value there.',
  'measure.mayNotFall': (text: string) => `Not proved yet: \`${text}\` falls`,
  'measure.mayNotFallText': 'We know no run in which it does not fall, but your facts allow the turn of ghost C.',
  'measure.mayNotFallPlain':
    'We know no run in which it does not fall, but your facts do not show that it always does.',
  'measure.mayNotFallNext': 'Find a fact that is false at the ghost before the turn. The measure waits for it.',
  'measure.waitsFor': (facts: string) => `It waits for ${facts}: with that it falls in every turn.`,
  'measure.nowProved': (text: string) => `And now \`${text}\` is proved to fall in every turn.`,
  'measure.unknown': (text: string) => `Could not be decided: \`${text}\` falls`,
  'measure.unknownText':
    'We know no run in which it does not fall. A simpler measure, or another fact first, may help.',
  'ending.ends': 'Every loop has its measure: every run ends. The second lamp is lit.',
  'ending.oneProof': 'Our second verifier did not finish, so this rests on one proof.',
  'ending.never': 'So it is not true that every run ends.',
  'ending.loops': (loops: string) => `Still without a measure: loop ${loops}.`,
  'ending.functions': (names: string) => `Not known yet: that every call of ${names} ends.`,
  'ending.asksMeasure': 'One lamp is left: does every run end? Type `decreases` and then what falls in every turn.',
  'ending.asksRun': 'One lamp is left: some run never ends. Find its inputs.',
  'endless.never': (run: string) => `It never ends: ${run}`,
  'endless.repeats': (row: number, again: number) =>
    `Rows ${number(row)} and ${number(again)} are the same, so it goes round for ever.`,
  'endless.stays': (facts: string, row: number) =>
    `From row ${number(row)} on, ${facts} holds in every row, so the loop is never left.`,
  'endless.calls': (name: string) => `\`${name}\` calls itself with the same arguments, again and again.`,
  'endless.callsAgain': (name: string, facts: string) =>
    facts
      ? `Where ${facts} holds of its arguments, no call of \`${name}\` can return.`
      : `No call of \`${name}\` can return.`,
  'endless.ends': (run: string) => `This run ends: ${run}`,
  'endless.outcome': 'The table shows it to its last row. Try other inputs.',
  'endless.notShown': (run: string) => `Not shown: ${run} never ends`,
  'endless.notShownText':
    'The run is long, but we found no state that comes again, and no reason why it should never end.',
  'endless.choices': 'A run of this program depends on more than its inputs.',
  'endless.button': 'This run never ends',
  'measures.title': 'What falls',
  'measures.empty': 'A measure falls in every turn, so that the loop ends: type `decreases` and then what falls.',
  'measures.nudge': 'A nudge',
  'measures.falls': 'Falls in every turn.',
  'measures.waits': 'Not proved yet.',
  'measures.waitsGhost': 'Waits for a fact that is false at ghost C.',
  'second.label': 'Second lamp: does every run end?',
  'second.ends': 'Every run ends.',
  'second.never': 'A run never ends.',
  'second.open': 'Not known yet whether every run ends.',
  'solved.headline': 'The goal is proved.',
  'solved.text': 'Your facts prove the [guarantee|goal] in every run, for all inputs, however large.',
  'solved.goOn': 'You can go on here: a proof with fewer facts is worth a medal.',
  'explain.headline': 'What each proof uses',
  'explain.proved': (place: string) => `${place}: proved`,
  'explain.uses': (facts: string) => ` with ${facts}`,
  'explain.refuted': (place: string) => `${place}: your facts do not pin it down yet`,
  'explain.unknown': (place: string) => `${place}: neither proved nor refuted`,

  'earned.coins': (coins: number) => `+${number(coins)} coin${s(coins)}`,
  'earned.doubled': (coins: number, form: string) =>
    `+${number(coins)} coin${s(coins)}, doubled: your first fact of the form ${form} here`,
  'fact.loop': (fact: string, loop: number) => `\`${fact}\` (loop ${loop})`,

  // evidence and actions
  'evidence.copy': 'Copy',
  'evidence.copied': 'Copied.',
  'evidence.changed': 'changed',
  'evidence.earlier': (count: number) => `${number(count)} earlier row${s(count)} not shown`,
  'evidence.test': (value: boolean) => `loop test ${value ? 'true' : 'false'}`,
  'action.showRun': 'Show this run',
  'action.back': 'Back to the ghost',
  'action.backToTable': 'Back',
  'action.nextLevel': 'Next level',
  'action.map': 'All levels',

  // trouble
  'trouble.retry': 'Try again',
  'trouble.gone': 'The server cannot be reached.',
  'trouble.goneText': 'Your fact is kept. It is sent again as soon as the server answers, and judged once.',
  'trouble.busy': 'The server is busy.',
  'trouble.busyText': 'All engines are at work. Your fact is kept and sent again by itself.',
  'trouble.tooFast': 'Too fast for the server.',
  'trouble.tooFastText': 'It takes only so many requests a second. Your fact is kept and sent again by itself.',
  'trouble.cannotSave': 'The server cannot save now.',
  'trouble.cannotSaveText': 'Your fact is kept. It is sent again by itself until the server can save it.',
  'trouble.wait': (seconds: number) => `Next try in ${Math.ceil(seconds)} s.`,
  'trouble.noEngine': 'The engine cannot be reached now.',
  'trouble.noEngineText':
    'The server works, but nobody can compute analyses at the moment. Rooms that you have opened can still be read.',
  'trouble.noAnswer': 'There is no answer.',
  'trouble.noAnswerText': 'The analysis ran out of its limits. That says nothing about your fact. You can ask again.',
  'trouble.badText': 'The server cannot read this.',
  'trouble.badInputs': 'The program cannot be run with these inputs.',
  'trouble.notPotential': 'This no longer waits to be proved.',
  'trouble.reused': 'This was answered before.',
  'trouble.left': 'You have left this room.',
  'trouble.tooMany': 'A bound of the server is reached.',
  'trouble.other': 'Something went wrong.',
  'trouble.said': (message: string) => `The server says: ${message}.`,

  // trace-only game
  'traceGame.headline': 'What holds in every row?',
  'traceGame.text':
    'Run it with other inputs, watch the [trace|table], and type facts that are true each time. Facts that ' +
    'tie several variables together earn the most.',
  'traceGame.turn': 'No run that we know breaks it, but one more turn from ghost B would.',
  'traceGame.moveTogether': 'Look at the columns: which of them move together?',
  'traceGame.start': 'It is plain from how every run starts. It is not kept.',
  'traceGame.solved': 'You have found what the table hides.',
  'traceGame.solvedText':
    'Behind the table there is a program, and your facts prove all that it promises, for all inputs, however large.',
  'entry.keysNames': 'Names and usual signs',
  'entry.keysOthers': 'Numbers and more signs',
  'entry.keysArrays': 'Signs for arrays',
  'message.details': 'Details',
  'tautology.technical': 'Technically: a tautology. It is not kept.',
  'displaced.technical': 'Technically: displaced. It is not kept.',
  'inductive.technical': 'Technically: an [inductive|inductive invariant].',
  'state.technical': 'Technically: a state to rule out. All your facts allow it.',
  'solved.show': 'See the proof',
  'state.row': 'state',
  'state.loop': (loop: number) => `It is a state of loop ${loop}.`,
  'hint.loop': (loop: number) => ` (loop ${loop})`,
  'inductive.headlineResting': (fact: string) => `Every turn keeps it: \`${fact}\``,
  'inductive.textResting': 'It holds at the first arrival, and every turn keeps it, but only if something else holds.',

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
export type TermName = After<keyof typeof EN_ANSWERS>
