// English: the sentences of the game screen, loaded with it. Markup as in shell.ts.

const s = (count: number): string => (count === 1 ? '' : 's')
const number = (value: number): string => value.toLocaleString('en')

export const EN_GAME = {
  // level: program
  'code.title': 'Program',
  'code.guarantee': 'Guarantee',
  'code.guaranteeWhy': 'What is a guarantee?',
  'code.guaranteeHelp':
    'This must be true at [guarantee|[[G]]] in every run. Your task: find [invariant|invariants] at ' +
    '[mark|[[I]]] that prove it. They are facts that hold each time the loop head is reached; when the ' +
    'loop ends, they and the loop test being false must force the guarantee.',
  'code.I': 'Here your invariants must hold: at the loop head and after each turn',
  'code.G': 'Here the guarantee must hold',
  'code.test': 'Loop test',
  'code.reference': 'Signs and words',
  'code.expressions': 'Expressions',
  'code.statements': 'Code',
  'code.example': 'Example:',
  'code.insert': (token: string) => `Insert ${token}`,
  'code.choose': 'Choose a sign to see what it means.',

  // level: trace
  'trace.title': 'Trace',
  'trace.caption': (loop: number) => `States at the head of loop ${loop}, one row a turn`,
  'trace.inputs': 'Inputs',
  'trace.input': (name: string) => `Input ${name}`,
  'trace.run': 'Run',
  'trace.default': 'Default trace',
  'trace.seed': 'Other choices',
  'trace.row': 'Row',
  'trace.holds': 'Holds?',
  'trace.value': 'Value',
  'trace.true': 'holds',
  'trace.false': 'fails',
  'trace.rows': (count: number) => `${number(count)} row${s(count)}`,
  'trace.cut': (shown: number, total: number) => `The first ${number(shown)} of ${number(total)} rows.`,
  'trace.more': 'Show more rows',
  'trace.call': (call: string) => `The table shows the call ${call}.`,
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
  'trace.drop': (text: string) => `Remove the column ${text}`,

  // level: entry
  'entry.label': 'An expression that holds in every row',
  'entry.add': 'Propose',
  'entry.placeholder': (name: string) => `such as ${name} >= 0`,
  'entry.idle': 'Type what you see in the table.',
  'entry.all': (count: number) => `Holds in all ${number(count)} row${s(count)}. Press Enter to propose it.`,
  'entry.some': (holds: number, count: number, row: number) =>
    `Holds in ${number(holds)} of ${number(count)} row${s(count)}, first failure: row ${number(row)}`,
  'entry.numeric': (text: string) =>
    `A number: its value is in each row. Compare it with something to propose it, such as \`${text} = …\`.`,
  'entry.noRows': 'There is no row to test it on; it can be proposed.',
  'entry.duplicate': (list: 'inductive' | 'potential') =>
    list === 'inductive'
      ? 'This is already among the inductive invariants.'
      : 'This is already among the potential invariants.',
  'entry.refuted': 'Holds in this table, but another run has refuted it. Change it so that it fits that run, too.',
  'entry.cannotRows': (row: number) => `It cannot be an invariant: it is false in row ${number(row)}.`,
  'entry.cannotNumeric': 'A number cannot be proposed: an invariant is true or false.',
  'entry.cannotWrong': 'Mend the expression first.',
  'entry.cannotEmpty': 'Type an expression first.',
  'entry.noValue': (cause: string) => `no value: ${cause}`,
  'entry.thinking': 'Thinking …',
  'entry.cancel': 'Stop waiting',
  'entry.keys': 'Keys',
  'entry.keysHelp': 'Tap to insert',
  'entry.backspace': 'Delete one sign',
  'entry.clear': 'Clear',
  'entry.completions': 'Completions',
  'cause.zero-divisor': 'division by zero',
  'cause.negative-exponent': 'negative exponent',
  'cause.number-too-large': 'the number is too large',
  'cause.other': 'cannot be evaluated',

  // level: lists
  'list.inductive': 'Inductive invariants',
  'list.potential': 'Potential invariants',
  'list.unknown': 'Not decided',
  'list.inductiveEmpty': 'None yet. Facts that are proved appear here.',
  'list.potentialEmpty': 'None. Facts that hold in all known runs but are not proved wait here.',
  'list.why': (text: string) => `Why is ${text} not inductive yet?`,
  'list.by': (name: string) => `found by ${name}`,
  'list.rests': (places: string) => `rests on ${places}`,
  'list.use': (text: string) => `Put ${text} into the entry box`,

  // level: message window
  'message.title': 'Message',
  'message.someone': 'Somebody',
  'message.by': (name: string) => `${name} proposed it.`,

  'new.headline': 'Look for what stays true.',
  'new.text':
    'Run the program, watch the [trace|trace], and type a fact that holds in every row. Facts that are ' +
    'true at every [mark|[[I]]] are [invariant|invariants]; enough of them prove the [guarantee|guarantee].',
  'new.headlineResumed': 'Welcome back.',
  'new.textResumed': 'Your invariants are still here.',

  'tautology.headline': (fact: string) => `\`${fact}\` is always true, whatever the program does.`,
  'tautology.text':
    'It follows from the [type|types] of the variables alone, so it says nothing about this loop. It is not kept.',
  'tautology.next': 'Look at what the loop does: which variables move together?',

  'displaced.headline': (fact: string) => `\`${fact}\` is true, and you know it already.`,
  'displaced.headlineResting': (fact: string) => `\`${fact}\` follows from what you have already.`,
  'displaced.same': 'It is already on the list of [inductive|inductive invariants].',
  'displaced.by': (facts: string) => `It follows from ${facts}. It is not kept, since it rules out nothing new.`,
  'displaced.code': 'The code before the loop already says so. It is not kept.',
  'displaced.next': 'Find something that those facts do not say.',

  'displacedPotential.headline': (fact: string) => `\`${fact}\` says the same as something that waits to be proved.`,
  'displacedPotential.same': 'It is already among the [potential|potential invariants].',
  'displacedPotential.by': (facts: string) =>
    `Given what is proved, it is equivalent to ${facts}. It is not kept: it would be proved together with them.`,
  'displacedPotential.next': 'Look for another fact, one that helps to prove them.',

  'nonInvariant.headline': (fact: string) => `\`${fact}\` is not an invariant.`,
  'nonInvariant.entry': 'This run makes it false when the loop is first reached.',
  'nonInvariant.turns': (turns: number) =>
    `This run makes it false after ${number(turns)} turn${s(turns)} of the loop.`,
  'nonInvariant.helper': (helper: string) =>
    `It is a run of \`${helper}\` by itself: a fact about its loop must hold for all arguments that its pre allows.`,
  'nonInvariant.initial': (values: string) => `It starts with ${values}, before anything is assigned there.`,
  'nonInvariant.run': 'The run that breaks it',
  'nonInvariant.next':
    'An [invariant|invariant] must hold in every run. Change the expression so that it fits this run, too.',

  'inductive.headline': (fact: string) => `Well done: \`${fact}\` is an inductive invariant.`,
  'inductive.text': 'It is [inductive|proved]: it holds when the loop is first reached, and every turn keeps it.',
  'inductive.textResting': 'It holds when the loop is first reached, and every turn keeps it.',
  'inductive.promoted': (facts: string, count: number) =>
    `With its help ${facts} ${count === 1 ? 'is' : 'are'} proved, too: [promoted|promoted].`,
  'removed.text': (fact: string, by: string) => `\`${fact}\` was [removed|removed]: it follows from ${by}.`,
  'removed.code': (fact: string) => `\`${fact}\` was [removed|removed]: it is no longer needed.`,

  'rests.text': (places: string, count: number) =>
    `This rests on ${places}, which ${count === 1 ? 'is' : 'are'} not proved yet.`,
  'rests.place': (place: string, text: string) => `${place}, \`${text}\``,
  'rests.withoutCode': 'This rests on something else in the program that is not proved yet.',
  'rests.listWithoutCode': 'rests on something that is not proved yet',

  'potential.headline': (fact: string) => `\`${fact}\` is not proved yet. It may well be true.`,
  'potential.text':
    'No known run breaks it, so it is kept as a [potential|potential invariant]. But what is proved so far ' +
    'does not force it:',
  'potential.next': 'Find a fact that rules out the state before the turn: then this one may be [promoted|promoted].',
  'potential.nextEntry': 'Find a fact that rules out this state: then this one may be [promoted|promoted].',
  'transition.headline': (fact: string) => `Why \`${fact}\` is not inductive yet`,
  'transition.turn':
    'In the first state everything known holds, and so does the [test|loop test]. One turn leads to the ' +
    'second state, and there it is false.',
  'transition.broken': (facts: string) =>
    `In the first state everything proved holds, but not ${facts}. One turn leads to the second state, and there ` +
    'it is false.',
  'transition.passing': (loops: string) =>
    `In the first state everything known holds. As far as ${loops} is known, a turn may lead from there to the last ` +
    'state, and there it is false.',
  'transition.passingBroken': (loops: string, facts: string) =>
    `In the first state everything proved holds, but not ${facts}. As far as ${loops} is known, a turn may lead from ` +
    'there to the last state, and there it is false.',
  'transition.entry':
    'What is known does not exclude this state when the loop is first reached, and it is false there.',
  'transition.entryPassing': (loops: string) =>
    `As far as ${loops} is known, this loop may be reached for the first time in this state, and there it is false.`,
  'transition.loop': (loop: number) => `loop ${number(loop)}`,
  'transition.waits': (facts: string) => `It waits for ${facts}: with that, every turn keeps it. Help to prove that.`,
  'transition.none': 'No state is known that breaks it, and it could not be proved either. Simpler facts may help.',
  'transition.note': 'Perhaps no run ever reaches the first state. If so, find the fact that says why.',
  'transition.noteEntry': 'Perhaps no run ever arrives in this state. If so, find the fact that says why.',
  'transition.table': 'One turn of the loop',
  'transition.possible': 'A possible turn of the loop',
  'transition.arrival': 'The first arrival at the loop',
  'transition.left': (loop: number) => `after loop ${number(loop)}`,
  'transition.before': 'before',
  'transition.after': 'after',
  'transition.first': 'first arrival',

  'unknown.headline': (fact: string) => `About \`${fact}\` nothing could be found out.`,
  'unknown.text': 'No run breaks it, and no proof was found within the limits. That does not mean that it is false.',
  'unknown.kept': 'It is kept in a list of its own, and tried again whenever you find something new.',
  'unknown.because': (reason: string) => `The reason: ${reason}.`,
  'unknown.tried': (tried: string) => `Tried: ${tried}.`,
  'unknown.next': 'Simpler facts often help: try a part of it, or a fact about fewer variables.',
  'limited.headline': (fact: string) => `The analysis of \`${fact}\` ran out of its limits.`,
  'limited.time': 'It took longer than this server allows.',
  'limited.memory': 'It needed more memory than this server allows.',
  'limited.died': 'The program that analyses it stopped each time.',
  'limited.error': 'The engine made a mistake, which was written to the log.',
  'limited.text': 'That says nothing about the expression. It is not kept.',

  'batch.headline': (name: string, count: number) => `${name} proposed ${number(count)} expression${s(count)} at once.`,
  'batch.kinds': (inductive: number, potential: number, unknown: number) =>
    `Proved: ${number(inductive)}. Waiting as potential invariants: ${number(potential)}.` +
    (unknown ? ` Not decided: ${number(unknown)}.` : ''),

  'rejudged.now': 'The engine was improved: everything in this room is being checked again.',
  'rejudged.nowText': 'You can look around and propose meanwhile. You will be told what comes of it.',
  'rejudged.headline': 'The engine was improved: everything in this room was checked again.',
  'rejudged.wrong': (fact: string) => `${fact} is not an invariant after all.`,
  'rejudged.open': (fact: string) => `${fact} is not proved any more.`,
  'rejudged.gone': (fact: string) => `${fact} is not on the lists any more.`,
  'rejudged.gained': (facts: string, count: number) => `${facts} ${count === 1 ? 'is' : 'are'} proved now.`,
  'rejudged.kept': (count: number) =>
    count === 1 ? 'One fact that was found still holds.' : `${number(count)} facts that were found still hold.`,
  'rejudged.unsolved': 'So the level is not solved yet.',

  'state.headline': 'A state to rule out',
  'state.still': 'Still to rule out',
  'state.ends': (place: string) =>
    `Everything you have found allows this state at [mark|[[I]]]. The loop would end there, and ${place} ` +
    'would be false.',
  'state.endsWrong': (place: string) =>
    `Everything you have found allows this state at [mark|[[I]]]. The loop would end there, and ${place} ` +
    'would go wrong.',
  'state.inside': (place: string) =>
    `Everything you have found allows this state at [mark|[[I]]], and from it the body breaks ${place}.`,
  'state.provedEnds': (place: string) =>
    `What is proved so far allows this state at [mark|[[I]]]. The loop would end there, and ${place} would not hold.`,
  'state.provedInside': (place: string) =>
    `What is proved so far allows this state at [mark|[[I]]], and from it the body breaks ${place}.`,
  'state.helperLoop': (loop: number, helper: string) => `It is a state of loop ${loop}, in \`${helper}\`.`,
  'state.loop': (loop: number) => `It is a state of loop ${loop}.`,
  'state.never': 'We know no run that reaches this state. Which fact makes it impossible?',
  'state.waiting': 'We know no run that reaches this state. Facts that are not proved yet rule it out.',
  'state.another': 'Another state',
  'state.noOther': 'No other state was found.',
  'state.row': 'state',
  'suffices.headline': 'Almost: what waits to be proved would be enough.',
  'suffices.text': (facts: string) =>
    `Once ${facts} is proved, the [guarantee|guarantee] is. Press ? beside a fact to see what it lacks, and find ` +
    'facts that make it inductive.',
  'nothing.headline': 'This program promises nothing.',
  'nothing.text': 'It has no guarantee and no assert, so there is nothing to prove.',
  'open.headline': 'Not solved yet.',
  'open.text':
    'There is no state to show now: neither a proof nor a state that breaks the guarantee was found. More ' +
    'facts will help.',
  'open.explain': 'What is missing?',
  'tooLarge.headline': 'This program is too large to be analysed.',
  'tooLarge.text': (why: string) => `The engine says: ${why}.`,
  'tooLarge.next': 'You can still run it and look at its traces. Choose another level, or make the program smaller.',
  'failing.headline': 'This program does not keep its promise.',
  'failing.text': (place: string) =>
    `Started with these inputs, it breaks ${place}. No invariant can prove what is not true.`,
  'failing.inputs': 'The inputs',
  'failing.helperHeadline': (helper: string) => `\`${helper}\` does not keep its promise.`,
  'failing.helper': (helper: string, given: string, place: string) =>
    `${given ? `Called with \`${given}\`, \`${helper}\`` : `\`${helper}\``} breaks ${place}. ` +
    'No invariant can prove what is not true.',
  'failing.helperNext':
    'To solve the level the helper would have to be mended, or its pre would have to exclude these arguments.',
  'failing.next':
    'Run it with these inputs to see how it fails. To solve the level the program would have to be mended.',
  'solved.headline': 'Solved! The guarantee is proved.',
  'solved.text': 'Your invariants force the [guarantee|guarantee] in every run, for all inputs, however large.',
  'solved.gem': 'You have earned a gem.',
  'solved.medals': 'Medals',
  'solved.credited': (names: string) => `Proved together by ${names}.`,
  'solved.explain': 'Which invariants prove it?',
  'solved.goOn': 'You can go on here: fewer invariants, fewer proposals.',
  'explain.headline': 'What each proof uses',
  'explain.proved': (place: string) => `${place}: proved`,
  'explain.uses': (facts: string) => ` with ${facts}`,
  'explain.refuted': (place: string) => `${place}: not implied yet`,
  'explain.unknown': (place: string) => `${place}: neither proved nor refuted`,

  'earned.coins': (coins: number) => `+${number(coins)} coin${s(coins)}`,

  'place.post': (line: number) => `the guarantee in line ${line}`,
  'place.assert': (line: number) => `the assert in line ${line}`,
  'place.claim': (line: number) => `the claim in line ${line}`,
  'place.narrowing': (line: number) => `the assignment in line ${line}`,
  'place.zero-divisor': (line: number) => `the division in line ${line}`,
  'place.negative-exponent': (line: number) => `the power in line ${line}`,
  'place.callee-pre': (line: number) => `the call in line ${line}`,
  'place.invariant': (line: number) => `the given invariant in line ${line}`,
  'place.other': (line: number) => `line ${line}`,
  'fact.loop': (fact: string, loop: number) => `\`${fact}\` (loop ${loop})`,
  'list.and': ' and ',

  // evidence and actions
  'evidence.copy': 'Copy as SIP',
  'evidence.copied': 'Copied.',
  'evidence.changed': 'changed',
  'evidence.earlier': (count: number) => `${number(count)} earlier row${s(count)} not shown`,
  'evidence.test': (value: boolean) => `loop test ${value ? 'true' : 'false'}`,
  'action.tryInput': 'Try this input',
  'action.tryRun': 'Try this run',
  'action.back': 'Back to the state to rule out',
  'action.backToTable': 'Back',
  'action.nextLevel': 'Next level',
  'action.edit': 'Edit the expression',
  'action.map': 'All levels',

  // trouble
  'trouble.retry': 'Try again',
  'trouble.gone': 'The server cannot be reached.',
  'trouble.goneText': 'Your expression is kept. It is sent again as soon as the server answers; nothing is done twice.',
  'trouble.busy': 'The server is busy.',
  'trouble.busyText': 'All engines are at work. Your expression is kept and sent again by itself.',
  'trouble.tooFast': 'That was too fast for the server.',
  'trouble.tooFastText': 'It takes only so many requests a second. Your expression is kept and sent again by itself.',
  'trouble.cannotSave': 'The server cannot save now.',
  'trouble.cannotSaveText': 'Your proposal is kept. It is sent again by itself until the server can save it, once.',
  'trouble.wait': (seconds: number) => `Next try in ${Math.ceil(seconds)} s.`,
  'trouble.noEngine': 'The engine cannot be reached now.',
  'trouble.noEngineText':
    'The server works, but nobody can compute analyses at the moment. Rooms that you have opened can still be read.',
  'trouble.noAnswer': 'There is no answer.',
  'trouble.noAnswerText':
    'The analysis ran out of its limits. That says nothing about your expression. You can ask again.',
  'trouble.badText': 'The server cannot read this expression.',
  'trouble.badInputs': 'The program cannot be run with these inputs.',
  'trouble.notPotential': 'This no longer waits to be proved.',
  'trouble.reused': 'This request was answered before. Propose the expression again.',
  'trouble.left': 'You are no longer in this room.',
  'trouble.tooMany': 'A bound of the server is reached.',
  'trouble.other': 'Something went wrong.',
  'trouble.said': (message: string) => `The server says: ${message}.`,

  // trace-only game
  'traceGame.headline': 'What holds in every row?',
  'traceGame.text':
    'Run it with other inputs, watch the [trace|trace], and type facts that are true each time. Facts that ' +
    'tie several variables together earn the most.',
  'traceGame.note': 'In this game there is no code: find what the table hides.',
  'traceGame.accepted': (count: number, needed: number) =>
    `${count} of ${needed} expressions accepted. ${needed} earn a gem.`,
  'traceGame.still': 'What else holds in every row?',
  'traceGame.turn':
    'In the first state everything known holds. One more turn leads to the second state, and there it is false.',
  'traceGame.moveTogether': 'Look at the columns: which of them move together?',
  'traceGame.start': 'It is plain from how every run starts. It is not kept.',
  'traceGame.solved': 'Solved! You have found what the table hides.',
  'traceGame.solvedText':
    'Behind the table there is a program, and your facts prove all that it promises, for all inputs, however large.',

  // hints
  'hint.title': 'Hints',
  'hint.about':
    'Stuck? A hint tells a little at a time: where to look, which variables belong together, the form, and ' +
    'in the end the fact itself.',
  'hint.ask': (coins: number) =>
    `A hint (costs ${coins === 1 ? '1 coin' : `${number(coins)} coins`}, or what you have)`,
  'hint.loop': (loop: number) => ` (loop ${loop})`,
  'hint.variable': (name: string) => `Look at ${name}: what is known leaves it too free.`,
  'hint.together': (names: string) => `These belong together: ${names}. Compare them row by row.`,
  'hint.shape.equation': 'Two things are equal.',
  'hint.shape.bound': 'One thing is never larger than another.',
  'hint.shape.remainder': 'Remainders are what matters.',
  'hint.shape.different': 'Two things are never equal.',
  'hint.shape.condition': 'Whenever one thing holds, so does another.',
  'hint.shape.cases': 'One of several cases holds.',
  'hint.shape.power': 'Something is a power.',
  'hint.shape.fact': 'Something is true, or false.',
  'hint.degree': (degree: number) => `It is of degree ${degree}: think of squares or products.`,
  'hint.template': (template: string) => `It has this form: ${template}`,
  'hint.invariant': (expression: string) => `Propose: ${expression}`,
  'hint.use': 'Put it into the box',
} as const
