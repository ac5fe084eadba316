// English: the sentences of the other pages. Markup as in shell.ts.

const s = (count: number): string => (count === 1 ? '' : 's')

export const EN_PAGES = {
  // tutorial
  'tutorial.title': 'Tutorial',
  'tutorial.coach': 'Coach',
  'tutorial.step': (step: number, all: number) => `Step ${step} of ${all}`,
  'tutorial.skip': 'Skip this step',
  'tutorial.back': 'One step back',
  'tutorial.again': 'Start over',
  'tutorial.leave': 'Leave the tutorial',
  'tutorial.useShort': 'Type it for me',
  'tutorial.show': 'Take me there',
  'tutorial.resetting': 'Starting over …',
  'tutorial.failed': 'The level could not be started again. Try once more in a moment.',
  'tutorial.trace.headline': 'Look at a run',
  'tutorial.trace.text':
    'This program multiplies by adding. The [trace|trace] shows its variables each time the loop comes ' +
    'round, one row a turn. The first row has boxes for the inputs.',
  'tutorial.trace.do': 'Change `m` from 7 to 3 and press Enter. What happens to the table?',
  'tutorial.fails.headline': 'Say something that is wrong',
  'tutorial.fails.text':
    'Whatever you type is tried on every row at once: ✓ where it holds, ✗ where it fails. Nothing is sent ' +
    'while you type, so just play.',
  'tutorial.fails.do': 'Type `cnt < m` into the entry box and look for the row with ✗.',
  'tutorial.guess.headline': 'A guess that looks right',
  'tutorial.guess.text':
    'Right: in the last row `cnt` has reached `m`. What you look for holds in every row, and not only in ' +
    'this table but in every run: an [invariant|invariant].',
  'tutorial.guess.do': 'Type `res >= cnt`. All rows hold, so press Enter to propose it.',
  'tutorial.try.headline': 'A run that shows it',
  'tutorial.try.text':
    'It was not an invariant after all. The message shows a run in which it becomes false. That is how the ' +
    'game says no: with evidence.',
  'tutorial.try.do': 'Press “Try this input” in the message, and see the guess fail in the table.',
  'tutorial.potential.headline': 'True, but not proved',
  'tutorial.potential.text':
    'Now something that is true in every run: the result never gets larger than the product. Yet being ' +
    'true is not the same as being proved.',
  'tutorial.potential.do': 'Propose `res <= n * m`.',
  'tutorial.why.headline': 'Why is it not proved?',
  'tutorial.why.text':
    'It waits among the [potential|potential invariants]. A proof needs that every turn of the loop keeps ' +
    'it, starting from any state that your facts allow, even from states that no run reaches.',
  'tutorial.why.do': 'Press `?` beside it to see a turn that breaks it.',
  'tutorial.promote.headline': 'Help it along',
  'tutorial.promote.text':
    'Look at the state before that turn: `res` does not fit `cnt` there. No run gets into such a state, ' +
    'but nothing you have found says so. Say it, and the waiting fact will be [promoted|promoted].',
  'tutorial.promote.do': 'Propose `res <= n * cnt`.',
  'tutorial.solve.headline': 'Solve the level',
  'tutorial.solve.text':
    'Both are [inductive|inductive] now. One gap is left: the message shows a state in which `res` is too ' +
    'small. Which equation ties `res` to `n` and `cnt` in every row?',
  'tutorial.solve.do': 'Propose `res = n * cnt`. It says more than `res <= n * cnt`, which will be [removed|removed].',
  'tutorial.done.headline': 'You have proved your first program!',
  'tutorial.done.text':
    'For all inputs, however large: that is more than any number of test runs can show. You know all moves ' +
    'now, and every level is played like this. When you are stuck, ask for “Another state”, or take a ' +
    'hint: it costs some coins.',
  'tutorial.done.next': 'Play the next level',
  'tutorial.done.map': 'See all levels',
  'tutorial.done.again': 'Do it again',
  'tutorial.remark.holds-already': 'That holds in every row. Well seen, but for now look for one that fails somewhere.',
  'tutorial.remark.number':
    'A number: the table shows its value in every row. Compare it with something, such as `cnt < m`.',
  'tutorial.remark.really-true':
    'That was no false guess: the engine found no run against it. Try the suggested one to see what a ' +
    'refutation looks like.',
  'tutorial.remark.proved-at-once':
    'Well done, that is proved already! For this step take the suggested one, which needs help.',
  'tutorial.remark.refuted': 'A run breaks that one: look at the message. Then try the suggested one.',
  'tutorial.remark.not-new': 'That says nothing new. Try the suggested one.',
  'tutorial.remark.no-promotion': 'Proved, but it did not help the waiting one. Try the suggested one.',
  'tutorial.remark.early': 'You were quicker than the coach: the level is solved.',
  'tutorial.praise': 'Done.',

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
  'name.inductive': 'inductive invariant',
  'name.potential': 'potential invariant',
  'name.promoted': 'promoted',
  'name.removed': 'removed',
  'name.guarantee': 'guarantee',
  'name.mark': '[[I]]',
  'name.trace': 'trace',
  'name.test': 'loop test',
  'name.type': 'type',
  'glossary.more.state': 'state',
  'glossary.more.stateText':
    'The values of all variables at one moment. A state to rule out is one that your facts still allow, ' +
    'although no run gets there.',
  'glossary.more.run': 'run',
  'glossary.more.runText': 'What happens when the program is started with certain inputs, from the start to the end.',
  'glossary.more.turn': 'turn',
  'glossary.more.turnText': 'The body of the loop carried out once, from [[I]] to [[I]].',
  'glossary.more.tautology': 'tautology',
  'glossary.more.tautologyText': 'An expression that is true whatever the program does, such as `x = x`.',
  'glossary.more.coin': 'coin',
  'glossary.more.coinText':
    'For information: coins count the states near the traces that a fact is the first to rule out. Ten ' +
    'bounds on the same counter earn no more than the strongest.',
  'glossary.more.gem': 'gem',
  'glossary.more.gemText':
    'For a proof: everyone with a part in it gets one. In the game without code also for six accepted expressions.',
  'glossary.more.medal': 'medal',
  'glossary.more.medalText':
    'Fewest invariants, fewest proposals, without a hint: three ways to solve a level especially well.',

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
  'own.template.helper': 'A program with a helper',
  'own.template.loops': 'Two loops',
  'own.undo': 'Bring my text back',
  'own.submit': 'Make it a level',
  'own.submitting': 'Checking …',
  'own.good': 'This is a program. It can become a level.',
  'own.noLoop': 'The last function has no loop, so there are no invariants to find. Add a while.',
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
    `Difficulty ${difficulty} of 5: ${['very easy', 'easy', 'medium', 'hard', 'very hard'][difficulty - 1] ?? ''}.`,
  'assess.needed': (invariants: number, degree: number, rounds: number) =>
    `It needed ${invariants} invariant${s(invariants)} of degree ` +
    `${invariants > 1 && degree > 1 ? 'up to ' : ''}${degree}${degree > 1 ? ' (squares, products)' : ''} ` +
    `and ${rounds} round${s(rounds)} of ideas.`,
  'assess.people': 'People may find it easier or harder.',
  'assess.nothing':
    'No invariant is needed: the loop test and the code around the loop are enough. As a level it is ' +
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
    'Nobody can win this level: what is not true cannot be proved. Mend the program or its guarantee, and ' +
    'make it a level again.',
  'assess.run': 'The run, at the loop head',
  'assess.runLoop': (loop: number) => `The run, at the head of loop ${loop}`,
  'assess.place': 'Where it fails',
  'assess.line': (line: number) => `line ${line}`,
  'assess.open': 'Our agent could not prove the guarantee.',
  'assess.openText': (invariants: number, rounds: number) =>
    `That does not mean that it is wrong: no run that breaks it was found, either. In ${rounds} ` +
    `round${s(rounds)} of ideas ` +
    (invariants
      ? `our agent proved ${invariants} invariant${s(invariants)}, but that is not enough.`
      : 'our agent proved no invariant.'),
  'assess.state': (place: string) =>
    `What it found still allows this state at the loop head. The loop would end there, and ${place} would be false.`,
  'assess.stateWrong': (place: string) =>
    `What it found still allows this state at the loop head. The loop would end there, and ${place} would go wrong.`,
  'assess.stateInside': (place: string) =>
    `What it found still allows this state at the loop head, and from it the body breaks ${place}.`,
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
  'room.solved': (names: string) => `Solved! Proved by ${names}.`,
  'room.solvedPlain': 'Solved!',
  'room.batch': (name: string, count: number) => `${name} proposed ${count} expressions at once`,
  'room.imported': (name: string, count: number) => `${name} imported ${count} expressions`,
  'room.batchResult': (inductive: number, potential: number) => `${inductive} proved, ${potential} waiting`,
  'room.kind.inductive': 'proved',
  'room.kind.potential': 'not proved yet',
  'room.kind.unknown': 'unknown',
  'room.kind.non-invariant': 'refuted by a run',
  'room.kind.displaced': 'known already',
  'room.kind.displaced-potential': 'waiting already',
  'room.kind.type-tautology': 'always true',
  'room.kind.limited': 'no answer',
  'room.judging': 'being judged …',
  'room.promoted': (facts: string) => `promoted: ${facts}`,
  'room.removed': (facts: string) => `removed: ${facts}`,
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
  'settings.fileText': 'The file has all your invariants. When it is read in, each of them is judged again.',
  'settings.export': 'Save to a file',
  'settings.import': 'Read a file in',
  'settings.importing': 'Judging what is in the file …',
  'settings.imported': (rooms: number, facts: number, solved: number) =>
    `${rooms} level${s(rooms)} with ${facts} fact${s(facts)} read in, ${solved} of them solved.`,
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

  // studies
  'study.title': 'Study',
  'study.none': 'Studies send you here with a link. This link names none.',
  'study.welcome': (name: string) => `Study “${name}”`,
  'study.text1':
    'Thank you for your interest. You will play a game about small programs and their numbers. There is ' +
    'nothing to prepare, and you cannot do anything wrong.',
  'study.text2':
    'Which of two kinds of the game you get is decided by chance. The server stores what you propose, when ' +
    'you type and pause, and your answers at the end, under a made-up name. No address and no mail is ' +
    'stored.',
  'study.text3':
    'Taking part is voluntary. You can stop at any time without giving a reason; just close the page. What ' +
    'was stored until then stays, without your name.',
  'study.consent': 'I have read this and I want to take part. I am old enough to decide that myself.',
  'study.start': 'Start',
  'study.startNeeds': 'Tick the box first.',
  'study.no': 'No, only play',
  'study.starting': 'Starting …',
  'study.ready': 'You take part in this study.',
  'study.readyText':
    'Play as long as you like or as you were asked to, then come back to this page and answer a few questions.',
  'study.play': 'Play',
  'study.toQuestions': 'I am done: to the questions',
  'study.questions': 'A few questions',
  'study.questionsText': 'Leave out what you do not want to answer.',
  'study.scale': '1: not at all, 5: very much',
  'study.q.fun': 'I enjoyed playing.',
  'study.q.clear': 'I always knew what to do next.',
  'study.q.hard': 'The levels were difficult.',
  'study.q.learned': 'I learned something about programs.',
  'study.q.programming': 'Have you programmed before?',
  'study.q.logic': 'Have you studied logic or mathematical proofs?',
  'study.experience.none': 'No',
  'study.experience.some': 'A little',
  'study.experience.much': 'A lot',
  'study.q.comment': 'What else do you want to tell us?',
  'study.send': 'Send the answers',
  'study.sending': 'Sending …',
  'study.sendEmpty': 'Answer at least one question.',
  'study.thanks': 'Thank you!',
  'study.thanksText': 'Your answers are stored. You can go on playing as long as you like.',
  'study.failed': 'The server cannot be reached. Your answers are kept here; try again in a moment.',

  // power-ups
  'powers.title': 'Power-ups',
  'powers.text': 'Nobody has used these signs much. Try a fact with one of them:',
  'powers.using': (signs: string) => `Power-up: this uses ${signs}`,
  'powers.none': 'All signs have been used. Well mixed!',
} as const
