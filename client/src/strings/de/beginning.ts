// German: the beginning.

import type { EN_BEGINNING } from '../en/beginning'
import type { Translation } from '../tables.svelte'

export const DE_BEGINNING: Translation<typeof EN_BEGINNING> = {
  title: 'Der Anfang',
  step: (step, all) => `Schritt ${step} von ${all}`,
  skipAll: 'Kenne ich, überspringen',
  skip: 'Diesen Schritt überspringen',
  back: 'Einen Schritt zurück',
  again: 'Von vorn beginnen',
  goOn: 'Weiter',
  failed: 'Der Anfang konnte nicht geöffnet werden.',
  failedMove: (message) => `Es gibt keine Antwort: ${message}.`,
  gone: 'Der Server ist nicht zu erreichen. Was du geschrieben hast, bleibt; versuch es gleich noch einmal.',
  retry: 'Noch einmal versuchen',
  opening: 'Die Tabelle wird aufgebaut …',
  asking: 'Denkt nach …',
  hint: 'Gib mir einen Tipp',
  use: 'Schreib es für mich',

  // the table
  row: 'Zeile',
  guess: 'Deine Vermutung',
  run: (inputs) => `Ein Lauf mit ${inputs}`,
  secondRun: (inputs) => `Dasselbe Programm, gestartet mit ${inputs}`,
  newRun: (inputs) => `Der Lauf, der es zeigt: ${inputs}`,
  ghost: 'Geist',
  ghostTitle: 'Ein Geist: Kein Lauf, den wir kennen, kommt hierher',
  before: 'Vorher',
  after: 'Nachher',
  stepTitle: 'Ein Geisterschritt: Ein Umlauf führt von „vorher“ zu „nachher“',
  yes: 'wahr',
  no: 'falsch',
  noValue: 'kein Wert',
  stays: 'der Geist bleibt',
  goes: 'der Geist würde gehen',
  entry: (left, relation) => (relation === '=' ? `${left} ist gleich` : `${left} ist höchstens`),
  fact: 'Deine Aussage',
  insert: 'Einfügen',
  delete: 'Ein Zeichen löschen',

  // the board so far
  board: 'Dein Brett bisher',
  'board.later': 'Die anderen Teile erscheinen nach und nach, wenn du sie brauchst.',
  'board.table': 'Tabelle',
  'board.entry': 'Vermutung',
  'board.ghosts': 'Geister',
  'board.program': 'Programm',
  'board.waiting': 'Noch nicht bewiesen',
  'board.proof': 'Beweis',

  // predict a row
  'predict.title': 'Was kommt als Nächstes?',
  'predict.text':
    'Eier kommen in Kartons. Jede Zeile ist ein Blick auf die Zahlen: wie viele Eier ein Karton fasst ' +
    '(`size`), wie viele Kartons gewünscht sind (`want`), wie viele voll sind (`boxes`) und wie viele ' +
    'Eier (`eggs`) das sind.',
  'predict.ask': (row) => `Wie viele Eier sind es in Zeile ${row}?`,
  'predict.check': 'Das glaube ich',
  'predict.right': (value) => `Ja, es sind ${value}.`,
  'predict.rightText': 'Du hast gesehen, wie es weitergeht. Jetzt sagst du es.',
  'predict.wrong': (value) => `Es sind nicht ${value}.`,
  'predict.wrongText': 'Schau die letzte Spalte hinunter: Um wie viel wächst sie von Zeile zu Zeile?',
  'predict.number': 'Hier fehlt eine Zahl.',
  'predict.numberText': 'Schau die letzte Spalte hinunter und schreib, was als Nächstes kommt.',
  'predict.show': 'Zeig es mir',

  // say the rule
  'rule.title': (value) => `Du wusstest, dass es ${value} sind. Woher?`,
  'rule.text': 'Sag es so, dass es für jede Zeile passt. Eine falsche Vermutung kostet nichts.',
  'rule.check': 'So ist es',
  'rule.empty': 'Schau eine Zeile entlang.',
  'rule.emptyText': 'Welche zwei Spalten ergeben eggs?',
  'rule.circular': 'Das erklärt eggs durch eggs.',
  'rule.circularText': 'Sag es mit den anderen Spalten.',
  'rule.some': (hits, all) => `Passt in ${hits} von ${all} Zeilen.`,
  'rule.someText': 'Eine Zeile, die nicht passt, zeigt beide Zahlen.',
  'rule.one': 'Gut für den ersten Lauf, nicht für den zweiten.',
  'rule.oneText': 'Welche Spalte könnte da stehen, wo du eine Zahl geschrieben hast?',
  'rule.both': 'Ja: in beiden Läufen.',
  'rule.bothText': 'Ist es in jedem Lauf so? Niemand kann alle ausprobieren: Dafür gibt es Beweise.',
  'rule.hint': 'Jeder volle Karton fasst `size` Eier, und `boxes` Kartons sind voll.',

  // meet a ghost
  'ghost.title': 'Ein Geist geht um',
  'ghost.text':
    'Wir kennen keinen Lauf, der zu der violetten Zeile kommt. Aber nichts, was bisher gesagt wurde, ' +
    'schließt sie aus, also spukt sie in der Tabelle. Ein Beweis muss solche Geister vertreiben.',
  'ghost.ask': (rule) => `Deine Regel ist \`${rule}\`. Was ist sie für den Geist?`,
  'ghost.true': 'Wahr: Der Geist bleibt',
  'ghost.false': 'Falsch: Der Geist würde gehen',
  'ghost.right': 'Richtig.',
  'ghost.not': 'Schau dir die Zeile noch einmal an.',
  'ghost.goesText': (numbers) =>
    `${numbers}: Deine Regel ist dort falsch. Zeilen von Läufen wollen ✓, Geister wollen ✗.`,
  'ghost.staysText': (numbers) => `${numbers}: Deine Regel ist dort wahr, also vertreibt sie diesen Geist nicht.`,
  'ghost.noRule': 'Da ist er, in Violett.',
  'ghost.noRuleText': 'An ihm würde deine Regel geprüft. Du hast noch keine gesagt; geh weiter.',
  'ghost.none': 'Kein Geist in Sicht',
  'ghost.noneText': 'Der Server hat keinen Zustand gefunden, den er zeigen könnte. Das kommt vor; geh weiter.',

  // see the program
  'program.title': 'Woher die Zahlen kommen',
  'program.text':
    'Die Tabelle ist ein Lauf dieses Programms. Eine seiner Zeilen verspricht, was am Ende wahr sein ' +
    'muss: das Ziel.',
  'program.ask': 'Welche Zeile ist das Ziel? Wähle sie.',
  'program.label': 'Programm',
  'program.right': 'Ja, das ist das Ziel.',
  'program.rightText': (goal) =>
    `Wenn die Schleife endet, muss \`${goal}\` gelten. Für den Geist wäre es falsch. Vertreib die ` +
    `Geister, und das Ziel ist für alle Läufe auf einmal bewiesen.`,
  'program.loop': 'Diese Zeile sagt, wie lange es weitergeht.',
  'program.inside': 'Diese Zeile tut in jedem Umlauf etwas.',
  'program.other': 'Diese Zeile bereitet nur vor.',
  'program.wrongText': 'Such die Zeile, die etwas behauptet (assert).',

  // true but not proved
  'waiting.title': 'Wie viele Eier höchstens?',
  'waiting.text':
    'Sag eine Grenze, die kein Lauf überschreitet, was auch immer `size` und `want` sind. Dann bitte um ' +
    'einen Beweis.',
  'waiting.check': 'Vorschlagen',
  'waiting.empty': 'Nie sind es mehr als am Ende.',
  'waiting.emptyText': 'Wie viele sind es am Ende? Das Ziel sagt es: `eggs = size * want`.',
  'waiting.circular': 'Das erklärt eggs durch eggs.',
  'waiting.circularText': 'Sag die Grenze mit den Eingaben.',
  'waiting.some': (hits, all) => `Wahr in ${hits} von ${all} Zeilen.`,
  'waiting.someText': 'Eine Grenze darf in keiner Zeile überschritten werden.',
  'waiting.ready': 'Hier in jeder Zeile wahr.',
  'waiting.readyText': 'Schlag es vor: Der Prüfer versucht, es für alle Läufe zu beweisen.',
  'waiting.hint': 'Am Ende sind `want` Kartons voll, mit je `size` Eiern.',
  'waiting.done': 'Noch nicht bewiesen.',
  'waiting.doneText':
    'Wir fanden keinen Lauf, der es widerlegt, aber bewiesen ist es auch nicht. Das ist kein Fehler: Es ' +
    'wartet. Der Geisterschritt zeigt, warum: Nichts schließt die Zeile „vorher“ aus, und einen Umlauf ' +
    'später ist die Grenze überschritten.',
  'waiting.doneTextPlain':
    'Es wurde kein Lauf gefunden, der es widerlegt, aber bewiesen ist es auch nicht. Das ist kein ' +
    'Fehler: Es wartet.',
  'waiting.proved': 'Sofort bewiesen!',
  'waiting.provedText': 'Hier muss also nichts warten. Versuch eine Grenze mit `want`, oder geh weiter.',

  // light the lamp
  'lamp.title': 'Bring die Lampe zum Leuchten',
  'lamp.text':
    'Du hast eine Regel gesagt, die in jeder Zeile passt. Ist sie für alle Geister falsch? Dann bitte um ' +
    'ihren Beweis.',
  'lamp.check': 'Vorschlagen',
  'lamp.empty': 'Sag etwas, das in jeder Zeile wahr ist.',
  'lamp.emptyText': 'Für die Geister sollte es falsch sein.',
  'lamp.number': 'Das ist eine Zahl, noch keine Aussage.',
  'lamp.numberText': 'Sag, wem sie gleich ist oder was sie nie überschreitet.',
  'lamp.some': (hits, all) => `Wahr in ${hits} von ${all} Zeilen.`,
  'lamp.someText': 'Nur was in jeder Zeile wahr ist, lässt sich beweisen.',
  'lamp.ready': (gone, all) => `In jeder Zeile wahr, und ${gone} von ${all} Geisterzeilen würden gehen.`,
  'lamp.readyText': 'Das ist eine Vorschau. Schlag es vor: Nur ein Beweis vertreibt Geister.',
  'lamp.hint': 'Deine Regel sagte, wem `eggs` gleich ist. Schreib sie hier als ganze Aussage.',

  // another one: the table game
  'more.title': 'Finde noch eine',
  'more.text':
    'Im Tabellenspiel siehst du kein Programm, nur seine Zahlen. Jede neue Aussage, die in allen Läufen ' +
    'gilt, zählt: Sechs davon, oder ein Beweis dessen, was das Programm verspricht, gewinnen den ' +
    'Edelstein.',
  'more.check': 'Vorschlagen',
  'more.empty': 'Was ist noch in jeder Zeile wahr?',
  'more.emptyText': 'Vergleiche zwei Spalten: Ist eine nie größer als die andere?',
  'more.ready': 'Hier in jeder Zeile wahr.',
  'more.readyText': 'Schlag es vor: Der Prüfer sucht einen Lauf, der es widerlegt.',
  'more.hint': 'Schau auf `boxes` und `want`: Was ist nie größer?',
  'more.done': 'Es zählt.',
  'more.doneText': 'So geht das Tabellenspiel weiter: eine Aussage nach der anderen.',

  // answers to proposals
  'said.false': 'Ein Lauf widerlegt es.',
  'said.falseText': 'Schau auf die neuen Zeilen: Dort ist es falsch. Behalte sie im Auge und sag etwas Besseres.',
  'said.known': 'Das ist schon bekannt.',
  'said.knownText': 'Es folgt aus dem, was du hast. Sag etwas Neues.',
  'said.always': 'Das ist immer wahr.',
  'said.alwaysText': 'Es wäre für alle Zahlen wahr, also sagt es nichts über dieses Programm.',
  'said.undecided': 'Das ließ sich nicht entscheiden.',
  'said.undecidedText': 'Es ist weder bewiesen noch falsch. Sag es einfacher, oder geh weiter.',
  'said.proved': 'Bewiesen.',
  'said.provedText': 'Es steht im Beweisregal. Aber ein Geist ist übrig: Schau, wo deine Aussage für ihn wahr ist.',
  'said.waits': 'Noch nicht bewiesen.',
  'said.waitsText': 'Es wartet auf eine andere Aussage. Was weißt du über `eggs` und `boxes`?',

  // the lamp is lit
  'done.title': 'Die Lampe leuchtet!',
  'done.text': 'Du hast nicht alle Läufe ausprobiert. Du hast es bewiesen, für alle:',
  'done.facts': 'Dein Beweis',
  'done.skipped': 'Das war der Anfang.',
  'done.skippedText':
    'Die Lampe von Eierkartons leuchtet noch nicht. Du kannst sie jetzt zum Leuchten bringen oder ' +
    'anderswo weitermachen.',
  'done.trace': 'Du kannst das Tabellenspiel spielen.',
  'done.traceText': 'Such, was die Zahlen verbergen. Jede neue Aussage, die in allen Läufen gilt, zählt.',
  'done.words':
    'Auf dem Brett findest du alles wieder: die Tabelle, die Geister, das Programm, was wartet, und den ' +
    'Beweis. Wenn du nicht weiterweißt, hilft ein Tipp, Schritt für Schritt.',
  'done.nextNamed': (title) => `Nächste Lampe: ${title}`,
  'done.play': 'Eierkartons spielen',
  'done.map': 'Zur Karte',
}
