// English: studies, for those who take part. What is stored is what src/idg/study/texts.py says; a test compares them.

const plural = (count: number): string => (count === 1 ? '' : 's')

export const EN_STUDY = {
  title: 'Study',
  'none.title': 'There is no such study',
  'none.text': 'Studies send you here with a link. There is no study with the name that this link has.',
  'closed.title': 'This study is closed',
  'closed.text': 'Nobody else can begin. Whoever has begun can go on with the device on which they began.',
  'noId.title': 'Your link is not complete',
  'noId.text':
    'The link to this study names everybody who takes part by an id, as in `?pid=…` at its end. This link has none. ' +
    'Please use the link as it was given to you.',
  toGame: 'To the game',
  failed: 'The server cannot be reached. Nothing is lost; try again in a moment.',
  refused: (message: string) => `This is not possible: ${message}.`,
  retry: 'Try again',

  // Information and consent
  'consent.about': 'What this is about',
  'consent.takes': (minutes: number) =>
    `Taking part lasts at most ${minutes} minute${plural(minutes)}, counted from your consent.`,
  'consent.takesOpen': 'There is no bound on the time.',
  'consent.stored': 'What is stored about you',
  'stored.1': 'the id that the link to the study names, and a number in its place in every export',
  'stored.2': 'the version of this text and when you agreed to it',
  'stored.3': 'which of the two games you play, and when you began',
  'stored.4': 'what you propose, the answers to it, the traces and hints that you ask for, each with its time',
  'stored.5':
    'when you open a level, when you are active on the page, and pauses while you type, but not what you type before ' +
    'you send it',
  'stored.6': 'your answers to the questions at the beginning and at the end',
  'stored.7': 'no mail address and no address of your device in the study’s data',
  'consent.rights': 'Stopping and withdrawing',
  'consent.stop':
    'You can stop at any time and come back with the same link on the same device. A cookie and the memory of this ' +
    'browser are used for that.',
  'consent.withdraw':
    '“Withdraw” is on every page of the study. Then everything that is stored about you is deleted at once. Only the ' +
    'fact that somebody withdrew stays.',
  'consent.kept': (days: number) =>
    `What is stored is deleted ${days} day${plural(days)} after you began or finished, and earlier if you withdraw.`,
  'consent.keptOpen': 'What is stored is kept until you withdraw or those who run the study delete it.',
  'consent.other': (id: string) =>
    `On this device somebody else takes part, with the id ${id}. If you begin here, they cannot go on here.`,
  'consent.agree': 'I have read this and I want to take part. I am old enough to decide that myself.',
  'consent.version': (version: string) => `Version ${version} of this text`,
  'consent.start': 'Begin',
  'consent.starting': 'Beginning …',
  'consent.needs': 'Tick the box first.',
  'consent.no': 'No, I do not take part',
  'consent.taken': 'Somebody with this id takes part already. Go on in the browser in which you began.',

  // The bar
  'bar.label': 'Study',
  'bar.levels': 'All levels',
  'bar.left': (minutes: number) => (minutes ? `${minutes} minute${plural(minutes)} left` : 'Less than a minute left'),
  'bar.done': 'Finish',
  'bar.withdraw': 'Withdraw',
  'withdraw.title': 'Withdraw from the study?',
  'withdraw.text':
    'Everything that is stored about you is deleted, at once and for good. You get no completion code then. If you ' +
    'only want to stop playing, choose “Finish”.',
  'withdraw.yes': 'Withdraw and delete everything',
  'withdraw.no': 'No, go on',
  'withdrawn.title': 'You have withdrawn',
  'withdrawn.text': 'Everything that was stored about you is deleted.',

  // Questions
  'background.title': 'A few questions about you',
  'questions.title': 'A few questions at the end',
  'questions.over': 'Your time is over. These questions are left.',
  'questions.text': 'Leave out what you do not want to answer.',
  'questions.none': 'There are no questions. Finish to get your completion code.',
  'questions.final': 'When you have sent this, you cannot go on playing.',
  'questions.scale': '1: not at all, 5: very much',
  'questions.send': 'Send the answers',
  'questions.next': 'Go on',
  'questions.finish': 'Send and finish',
  'questions.sending': 'Sending …',
  'questions.back': 'Back to the levels',

  // Levels
  'levels.title': 'Levels',
  'levels.code':
    'Each level is a small program. Find facts about it until its goal is proved. Play in this order if you can. ' +
    'When you are stuck, go on with another level; you can come back.',
  'levels.trace':
    'Each level is a table. Find facts that are true in every row, in this table and in every other one of the ' +
    'level. Play in this order if you can. When you are stuck, go on with another level; you can come back.',
  'levels.break':
    'You may take a break. The clock of the study goes on, but what you have done is kept, and this link leads back.',
  'levels.breakOpen': 'You may take a break. What you have done is kept, and this link leads back.',
  'levels.number': (number: number) => `Level ${number}`,
  'levels.of': (number: number, count: number) => `Level ${number} of ${count}`,
  'levels.done': 'done',
  'levels.begun': 'begun',
  'levels.new': 'new',
  'levels.play': (number: number) => `Play level ${number}`,
  'levels.allDone': 'You have done all levels.',
  'level.next': 'Next level',
  'level.opening': 'Opening …',

  // The table game
  'table.answer': 'Answer',
  'table.begin': 'What is true in every row?',
  'table.beginText':
    'Type a fact about the columns. Rows in which it is false are marked. Propose it when it fits all rows; you hear ' +
    'whether it is accepted.',
  'table.accepted': (fact: string) => `Accepted: \`${fact}\``,
  'table.acceptedText': (points: number) => `You have ${points} points.`,
  'table.refused': (fact: string) => `Not accepted: \`${fact}\``,
  'table.refusedText': 'Try another fact, or look at a table with other inputs.',
  'table.list': 'Accepted facts',
  'table.empty': 'Facts that are accepted stand here.',
  'table.count': (count: number, target: number) => `${Math.min(count, target)} of ${target}`,
  'table.use': (fact: string) => `Put ${fact} into the entry box`,
  'table.complete': 'You have done this level. Go on with the next one, or look for more facts.',
  'table.points': (points: number) => `${points} point${plural(points)}`,

  // The tutorial
  'tutorial.title': 'Tutorial',
  'tutorial.step': (step: number, count: number) => `Step ${step} of ${count}`,
  'tutorial.back': 'Back',
  'tutorial.next': 'Next',
  'tutorial.done': 'To the levels',
  'tutorial.code.1':
    'The table shows a run of the program, which stands beside it or behind the tab “Code”: one row for each time ' +
    'that the loop begins a turn. Look how the columns change from row to row.',
  'tutorial.code.2': (example: string) =>
    `Type a fact about the columns into the box below the table, such as \`${example}\`. Rows in which it is true ` +
    'and rows in which it is false are marked while you type.',
  'tutorial.code.3':
    'Propose a fact that is true in every row. The answer says whether it is proved, whether it waits, or in which ' +
    'run it is false.',
  'tutorial.code.4':
    'With “+ Run” you see the table for other inputs. Your fact has to be true in those, too. A ghost is a row that ' +
    'no run has, but that your facts still allow: rule it out with a fact that is false in it.',
  'tutorial.code.5':
    'The level is done when your proved facts are enough for its goal. This level here is for trying out and does ' +
    'not count; try as long as you like, and then go on.',
  'tutorial.trace.1':
    'The table shows how some values change: one row for each turn of a loop that you do not see. Look how the ' +
    'columns change from row to row.',
  'tutorial.trace.2': (example: string) =>
    `Type a fact about the columns into the box below the table, such as \`${example}\`. Rows in which it is true ` +
    'and rows in which it is false are marked while you type.',
  'tutorial.trace.3':
    'Propose a fact that is true in every row. The answer says whether it is accepted. A fact can fit this table and ' +
    'still not be accepted.',
  'tutorial.trace.4':
    'With “+ Run” you see the table for other inputs. Your fact has to be true in those, too, in all that there are. ' +
    'A fact that says nothing new is not accepted.',
  'tutorial.trace.5': (target: number) =>
    `Each accepted fact gives points, and the level is done with ${target} of them. This level here is for trying ` +
    'out and does not count; try as long as you like, and then go on.',

  // The end
  'finished.title': 'Thank you!',
  'finished.text': 'Your part in the study is stored. This is your completion code:',
  'finished.copy': 'Copy the code',
  'finished.copied': 'Copied.',
  'finished.leave': 'Leave the study and play the game',
  'finished.leaveText':
    'Then this device forgets that you took part; your code stays on this page. If you played here before, you are ' +
    'that player again.',
}
