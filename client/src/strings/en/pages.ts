// English: the sentences of the other pages. Markup as in shell.ts.

const s = (count: number): string => (count === 1 ? '' : 's')

export const EN_PAGES = {
  // glossary and reference
  'glossary.title': 'Words and signs',
  'glossary.intro': 'What the words of the game mean, and everything you can write in an expression or a program.',
  'glossary.terms': 'Words of the game',
  'glossary.expressions': 'Signs in expressions',
  'glossary.expressionsText': 'The loosest first: `a | b & c` is `a | (b & c)`.',
  'glossary.functions': 'Functions',
  'glossary.words': 'Words in programs',
  'glossary.types': 'Types',
  'glossary.contents': 'On this page',
  'glossary.sign': 'Sign',
  'glossary.also': 'Also written',
  'glossary.meaning': 'Meaning',
  'glossary.example': 'Example',
  'glossary.kinds': 'Types',
  'glossary.prefix': 'in front',
  'glossary.search': 'Search',
  'glossary.found': (count: number) => `${count} entr${count === 1 ? 'y' : 'ies'} found`,
  'glossary.nothing': 'Nothing here contains these letters.',
  'glossary.type.nat': '0, 1, 2, … A nat is never negative, which you need not prove.',
  'glossary.type.int': 'Whole numbers of any size, negative ones included.',
  'glossary.type.rat': 'Fractions, exact: `1 / 3` is one third, not 0.333.',
  'glossary.type.bool': '`true` or `false`.',
  'name.invariant': 'invariant',
  'name.inductive': 'proved fact (inductive invariant)',
  'name.potential': 'not proved yet (potential invariant)',
  'name.promoted': 'promoted',
  'name.removed': 'removed',
  'name.guarantee': 'goal (guarantee)',
  'name.mark': 'loop head (the eye)',
  'name.measure': 'measure (what falls)',
  'name.trace': 'table (trace)',
  'name.test': 'loop test',
  'name.type': 'type',
  'glossary.more.ghost': 'ghost (state to rule out)',
  'glossary.more.ghostText':
    'A state that no known run reaches, that the facts so far allow, and in which the goal would fail. ' +
    'A proved fact that is false there drives it away.',
  'glossary.more.ghostStep': 'ghost step (counterexample to induction)',
  'glossary.more.ghostStepText':
    'Two states, before and after one turn: a fact that waits is true before and false after. ' +
    'A fact that rules out the state before helps to prove it.',
  'glossary.more.known': 'already known (displaced)',
  'glossary.more.knownText': 'It follows from facts that are on the board, so it adds nothing.',
  'glossary.more.state': 'state',
  'glossary.more.stateText':
    'The values of all variables at one moment. A state to rule out is one that your facts still allow, ' +
    'although we know no run that reaches it.',
  'glossary.more.run': 'run',
  'glossary.more.runText': 'What happens when the program is started with certain inputs, from the start to the end.',
  'glossary.more.turn': 'turn',
  'glossary.more.turnText': 'The body of the loop carried out once, from one arrival at its head to the next.',
  'glossary.more.secondLamp': 'second lamp (termination)',
  'glossary.more.secondLampText':
    'Solved means: if the program ends, its promise holds. The second lamp says that every run does end, by a ' +
    'measure ' +
    'for each loop, or that a run was found that never ends.',
  'glossary.more.endless': 'run that never ends',
  'glossary.more.endlessText':
    'A run that comes back to a state in which it was before, or that no turn lets out of its loop. Type ' +
    '`endless` and ' +
    'its inputs, such as `endless n = 3`.',
  'glossary.more.tautology': 'always true (tautology)',
  'glossary.more.tautologyText': 'An expression that is true whatever the program does, such as `x = x`.',
  'glossary.more.array': 'array',
  'glossary.more.arrayText':
    'A list of values with a fixed length, such as `[3, 1, 4]`. Its cells are numbered from 0: `a[0]` is the first ' +
    'one, and `a[len(a) - 1]` the last. A cell that is not there has no value, so a fact that reads it does not hold.',
  'glossary.more.quantifier': 'for all, there is (quantifier)',
  'glossary.more.quantifierText':
    'Says something about many cells at once: `forall k in 0..i - 1: a[k] <= m` says that each of the cells 0 to ' +
    '`i - 1` is at most `m`. With `exists` it is enough that one is. Where the range is empty, `forall` is true.',
  'glossary.more.coin': 'coin',
  'glossary.more.coinText':
    'For information: coins count the states near the traces that a fact is the first to rule out. Ten ' +
    'bounds on the same counter earn no more than the strongest.',
  'glossary.more.gem': 'gem',
  'glossary.more.gemText':
    'For a proof: everyone with a part in it gets one. In the game without code also for six accepted facts.',
  'glossary.more.medal': 'medal',
  'glossary.more.medalText':
    'Fewest facts, fewest proposals, without a hint: three ways to solve a level especially well.',

  // own programs
  'own.title': 'Your own programs',
  'own.intro': 'Write or paste a program with a loop and a guarantee. It becomes a level that you can play and share.',
  'own.name': 'Title',
  'own.namePlaceholder': 'A program',
  'own.source': 'Program',
  'own.template': 'Start from',
  'own.templateChoose': 'Choose a template …',
  'own.template.count': 'Counting up',
  'own.template.sum': 'A sum, with a post',
  'own.template.divide': 'Division, with a pre',
  'own.template.array': 'The largest cell of an array',
  'own.template.helper': 'A program with a helper',
  'own.template.loops': 'Two loops',
  'own.undo': 'Bring my text back',
  'own.submit': 'Make it a level',
  'own.submitting': 'Checking …',
  'own.good': 'This is a program. It can become a level.',
  'own.noLoop': 'The last function has no loop, so there is nothing to find. Add a while.',
  'own.noGuarantee': 'Nothing is promised. Add a post at the top or an assert at the end.',
  'own.empty': 'Write a program, or choose a template.',
  'own.problems': (count: number) => `${count} problem${s(count)}`,
  'own.more': (count: number) => `and ${count} more`,
  'own.place': (line: number, column: number) => `Line ${line}, column ${column}`,
  'own.ready': 'Your level is ready.',
  'own.play': 'Play it',
  'own.link': 'Link to share',
  'own.copy': 'Copy the link',
  'own.copied': 'Copied.',
  'own.copyFailed': 'The browser does not allow copying. Select the link and copy it.',
  'own.list': 'Programs you have made or played',
  'own.listEmpty': 'None yet.',
  'own.remove': (title: string) => `Take ${title} off this list`,
  'own.edit': (title: string) => `Edit ${title}`,
  'own.editShort': 'Edit',
  'own.solved': 'solved',
  'own.failed': (message: string) => `It could not be submitted: ${message}.`,
  'own.gone': 'The server cannot be reached. Your text is kept in this browser; try again later.',
  'own.untitled': 'A program',
  'own.help': 'Words and signs',
  'own.notOpened': (message: string) => `It could not be opened: ${message}.`,

  // what the agent makes of an own program
  'assess.title': 'What our agent makes of it',
  'assess.asking': 'Our agent tries to prove it …',
  'assess.askingText': 'That can take half a minute. You can play or share the level meanwhile.',
  'assess.solved': 'Our agent has proved the guarantee.',
  'assess.difficulty': (difficulty: number) =>
    `Difficulty: ${['very easy', 'easy', 'medium', 'hard', 'very hard'][difficulty - 1] ?? ''}.`,
  'assess.needed': (invariants: number, degree: number, rounds: number) =>
    `It needed ${invariants} fact${s(invariants)}` +
    `${degree < 2 ? '' : degree === 2 ? ' with squares or products' : ` with powers up to the degree ${degree}`}, ` +
    `found in ${rounds} round${s(rounds)} of trying.`,
  'assess.people': 'People may find it easier or harder.',
  'assess.nothing':
    'No fact is needed: the loop test and the code around the loop are enough. As a level it is ' +
    'solved at once. Promise more, and there is something to find.',
  'assess.refuted': 'The guarantee is wrong.',
  'assess.goesWrong': 'This program goes wrong.',
  'assess.started': (inputs: string, place: string, expression: string) =>
    `Started with \`${inputs}\`, ${place} becomes false: \`${expression}\`.`,
  'assess.startedWrong': (inputs: string, place: string, expression: string) =>
    `Started with \`${inputs}\`, ${place} goes wrong: \`${expression}\`.`,
  'assess.ends': (place: string, expression: string) => `When it is run, ${place} becomes false: \`${expression}\`.`,
  'assess.endsWrong': (place: string, expression: string) => `When it is run, ${place} goes wrong: \`${expression}\`.`,
  'assess.long': (inputs: string) =>
    `${inputs ? `Started with \`${inputs}\` it` : 'It'} breaks its promise. The run is too long to be ` +
    'shown to its end.',
  'assess.chosen': 'This run starts variables and chooses as its table shows.',
  'assess.choices': (seed: number) => `Where the program chooses, this run takes the choices of seed ${seed}.`,
  'assess.nobody':
    'Nobody can win this level: what is not true cannot be proved. Change the program or its guarantee, and ' +
    'make it a level again.',
  'assess.run': 'The run, at the loop head',
  'assess.runLoop': (loop: number) => `The run, at the head of loop ${loop}`,
  'assess.place': 'Where it fails',
  'assess.line': (line: number) => `line ${line}`,
  'assess.open': 'Our agent could not prove the guarantee.',
  'assess.openText': (invariants: number, rounds: number) =>
    `That does not mean that it is wrong: no run that breaks it was found, either. In ${rounds} ` +
    `round${s(rounds)} of trying ` +
    (invariants
      ? `our agent proved ${invariants} fact${s(invariants)}, but that is not enough.`
      : 'our agent proved no fact.'),
  'assess.state': (place: string) =>
    `What it found still allows this state at the loop head. The loop would end there, and ${place} would be false.`,
  'assess.stateWrong': (place: string) =>
    `What it found still allows this state at the loop head. The loop would end there, and ${place} would go wrong.`,
  'assess.stateInside': (place: string) =>
    `What it found still allows this state at the loop head, and going on from it breaks ${place}.`,
  'assess.stateTitle': 'A state to rule out',
  'assess.stateLeft':
    'If a run can get there, the guarantee is wrong. If none can, players have to find a fact that says so.',
  'assess.noState': 'There is no state to show: what is left could be neither proved nor refuted.',
  'assess.failing': (inputs: string, place: string) =>
    `${inputs ? `With \`${inputs}\` it` : 'It'} seems to break ${place}, but that run is too long to be sure.`,
  'assess.tooLargeText': (why: string) =>
    `The engine says: ${why}. Nobody can win this level; make the program smaller.`,
  'assess.noAnswer': 'Our agent came to no end within the limits of this server.',
  'assess.noAnswerText': 'That says nothing about the program. People may still prove it.',
  'assess.notFound': 'The server does not have this program any more.',
  'assess.notFoundText': 'Make it a level once more.',
  'assess.failed': 'Our agent could not be asked.',
  'assess.kept': 'Your level is there all the same.',

  // rooms
  'room.title': 'Play together',
  'room.invite': 'Invite others',
  'room.inviteText': 'Whoever has this link or code can join and see what happened here.',
  'room.makeCode': 'Make a link',
  'room.code': 'Code',
  'room.link': 'Link',
  'room.copy': 'Copy the link',
  'room.copied': 'Copied.',
  'room.here': 'Who is here',
  'room.away': 'away',
  'room.agent': 'agent',
  'room.you': 'you',
  'room.proved': (count: number) => `${count} proved`,
  'room.waiting': (count: number) => `${count} waiting`,
  'room.credit': 'Who found what',
  'room.creditEmpty': 'Nothing is proved yet.',
  'room.foundBy': (name: string) => `by ${name}`,
  'room.foundByAgent': (name: string) => `by ${name} (agent)`,
  'room.history': 'What happened',
  'room.historyEmpty': 'Nothing yet.',
  'room.older': 'Show older ones',
  'room.computer': 'Computer',
  'room.crowd': 'All players together',
  'room.someone': 'Somebody',
  'room.proposed': (name: string) => `${name}:`,
  'room.joined': (name: string) => `${name} came in.`,
  'room.left': (name: string) => `${name} left.`,
  'room.reset': (name: string) => `${name} started the level again.`,
  'room.hint': (name: string, what: string) => `${name} took a hint: ${what}.`,
  'room.hint.variable': 'which variable to look at',
  'room.hint.together': 'which variables belong together',
  'room.hint.shape': 'the form of a fact',
  'room.hint.template': 'a fact with gaps',
  'room.hint.invariant': 'a whole fact',
  'room.hint.falls': 'what to look at for a measure',
  'room.hint.measure-template': 'a measure with gaps',
  'room.hint.measure': 'a whole measure',
  'room.hint.endless': 'which inputs to look at',
  'room.hint.endless-run': 'a run that never ends',
  'room.solved': (names: string) => `Solved! Proved by ${names}.`,
  'room.solvedPlain': 'Solved!',
  'room.batch': (name: string, count: number) => `${name} proposed ${count} facts at once`,
  'room.imported': (name: string, count: number) => `${name} imported ${count} facts`,
  'room.batchResult': (inductive: number, potential: number) => `${inductive} proved, ${potential} waiting`,
  'room.kind.inductive': 'proved',
  'room.kind.potential': 'not proved yet',
  'room.kind.unknown': 'not decided',
  'room.kind.non-invariant': 'false in a run',
  'room.kind.displaced': 'already known',
  'room.kind.displaced-potential': 'already waiting',
  'room.kind.type-tautology': 'always true',
  'room.kind.falls': 'falls in every turn',
  'room.kind.does-not-fall': 'does not fall in a run',
  'room.kind.may-not-fall': 'not proved yet to fall',
  'room.kind.never-ends': 'never ends',
  'room.kind.run-ends': 'ends',
  'room.kind.not-shown': 'not shown',
  'room.ends': (names: string) => `Every run ends, proved by ${names}.`,
  'room.neverEnds': (names: string) => `A run that never ends, found by ${names}.`,
  'room.kind.limited': 'no answer',
  'room.judging': 'being judged …',
  'room.promoted': (facts: string) => `proved with its help: ${facts}`,
  'room.removed': (facts: string) => `no longer needed: ${facts}`,
  'room.name': 'Your name',
  'room.nameSave': 'Change',
  'room.nameSaved': 'Your name is changed.',
  'room.leave': 'Leave the room',
  'room.leaveSure': 'Leave? Your part of its history stays. You can come back with the code.',
  'room.leaveYes': 'Yes, leave',
  'room.leaveNo': 'Stay',
  'room.failed': (message: string) => `That did not work: ${message}.`,
  'room.gone': 'The server cannot be reached. Try again in a moment.',

  // settings
  'settings.title': 'Settings and progress',
  'settings.you': 'You',
  'settings.name': 'Your name',
  'settings.nameHelp': 'Others in your rooms see it.',
  'settings.nameSave': 'Change the name',
  'settings.nameSaved': 'Your name is changed.',
  'settings.nobody': 'You have not played on this server yet. A name is made up for you at your first level.',
  'settings.look': 'Look',
  'settings.language': 'Language',
  'settings.theme': 'Brightness',
  'settings.theme.system': 'As the device',
  'settings.theme.light': 'Light',
  'settings.theme.dark': 'Dark',
  'settings.rows': 'Colours of rows',
  'settings.rows.clear': 'Blue and orange: clear for every kind of vision',
  'settings.rows.classic': 'Green and red, as in the original game',
  'settings.rowsSample': 'How rows look',
  'settings.motion': 'Motion',
  'settings.motion.system': 'As the device',
  'settings.motion.reduced': 'Nothing moves',
  'settings.game': 'Game',
  'settings.liveDrafts': 'Live drafts: in a room, others see what you type, and you see what they type',
  'settings.sound': 'Play a short sound when the goal is proved',
  'settings.openAll': 'Open all islands of the map, whatever is solved',
  'settings.device': 'Another device',
  'settings.deviceText':
    'Make a code here and use it there. It works once, for 15 minutes; afterwards both devices are the same player.',
  'settings.makeCode': 'Make a code',
  'settings.codeIs': 'Your code',
  'settings.codeUntil': (time: string) => `good until ${time}`,
  'settings.useCode': 'Code from another device',
  'settings.useCodeButton': 'Continue here',
  'settings.useCodeWarn': 'What you have played on this device as another player stays with that player.',
  'settings.codeUsed': (name: string) => `Welcome back, ${name}. This device plays as you now.`,
  'settings.codeWrong': 'This code is not known, was used already, or is too old.',
  'settings.codeFast': 'Too many codes were tried. Wait a moment.',
  'settings.file': 'Progress as a file',
  'settings.fileText': 'The file has all your facts. When it is read in, each of them is judged again.',
  'settings.export': 'Save to a file',
  'settings.import': 'Read a file in',
  'settings.importing': 'Judging what is in the file …',
  'settings.imported': (rooms: number, facts: number, solved: number) =>
    `${rooms} level${s(rooms)} with ${facts} fact${s(facts)} read in, ${solved} of them solved.`,
  'settings.sealed': 'Medals, coins and hints are as they were.',
  'settings.unsealed': (changed: boolean, medals: number) =>
    (changed
      ? 'The file was changed, or another server made it, so its facts were judged again.'
      : 'The file has no seal of this server, so its facts were judged again.') +
    (medals ? ` It names ${medals} medal${s(medals)} that it cannot prove.` : ''),
  'settings.importBad': 'This is not a progress file of this game.',
  'settings.logs': 'For research',
  'settings.logsText':
    'The server stores what you propose; the game needs that. If you allow it, your browser also tells ' +
    'when you type, pause and look away, never what stands in other tabs. It helps to make the game better.',
  'settings.logsAllow': 'My browser may tell when I type and pause',
  'settings.reset': 'Forget everything',
  'settings.resetText':
    'Removes settings, drafts and the link to your player from this browser. Save your progress to a file ' +
    'or make a code first, or nobody can get it back.',
  'settings.resetSure': 'Really forget everything in this browser?',
  'settings.resetYes': 'Yes, forget everything',
  'settings.resetNo': 'No',
  'settings.resetDone': 'Everything is forgotten. This browser is a new player.',
  'settings.failed': (message: string) => `That did not work: ${message}.`,
  'settings.gone': 'The server cannot be reached. Try again in a moment.',
} as const
