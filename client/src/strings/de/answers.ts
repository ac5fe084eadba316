// German: the sentences of what is loaded after the board. Markup as in ../en/shell.ts.

import type { EN_ANSWERS } from '../en/answers'
import type { Translation } from '../tables.svelte'

const number = (value: number): string => value.toLocaleString('de')
const rows = (count: number): string => (count === 1 ? '1 Zeile' : `${number(count)} Zeilen`)
const coins = (count: number): string => (count === 1 ? '1 Münze' : `${number(count)} Münzen`)

export const DE_ANSWERS: Translation<typeof EN_ANSWERS> = {
  'trace.input': (name: string) => `Eingabe ${name}`,
  'trace.run': 'Ausführen',
  'trace.seed': 'Andere Wahl',
  'level.resetSure': 'Alle Aussagen dieses Levels vergessen und neu anfangen? Münzen und Edelsteine bleiben.',
  'level.resetYes': 'Ja, neu anfangen',
  'level.resetNo': 'Behalten',
  'code.expressions': 'Ausdrücke',
  'code.statements': 'Programmtext',
  'code.example': 'Beispiel:',
  'code.choose': 'Wähle ein Zeichen, um zu sehen, was es bedeutet.',
  'trace.rows': (count: number) => rows(count),
  'trace.cut': (shown: number, total: number) => `Die ersten ${number(shown)} von ${rows(total)}.`,
  'trace.more': 'Mehr Zeilen zeigen',
  'trace.noCall': (helper: string) => `Dieser Lauf ruft ${helper} nicht auf. Versuche andere Eingaben.`,
  'trace.empty': 'Dieser Lauf erreicht die Schleife nicht. Versuche andere Eingaben.',
  'trace.running': 'Läuft …',
  'trace.returned': (value: string) => `Ergebnis: ${value}.`,
  'trace.ended': 'Der Lauf kam ans Ende.',
  'trace.failed': (message: string) => `Der Lauf brach ab: ${message}.`,
  'trace.bound': (message: string) => `Der Lauf wurde abgeschnitten: ${message}.`,
  'trace.ignored': (message: string) => `Diese Eingaben zählen nicht: ${message}.`,
  'trace.nextFailing': 'Nächste falsche Zeile',
  'trace.chart': 'Diagramm',
  'trace.chartOf': (names: string) => `${names} im Verlauf der Umläufe`,
  'trace.chartChoose': 'Variablen im Diagramm',
  'trace.parts': 'Teile als Spalten',
  'trace.keep': 'Als Spalte behalten',
  'entry.missingAfter': (sign: string) => `Nach \`${sign}\` fehlt noch etwas.`,
  'entry.missingBefore': (sign: string) => `Vor \`${sign}\` fehlt etwas.`,
  'entry.missingBetween': (one: string, other: string) => `Zwischen \`${one}\` und \`${other}\` fehlt etwas.`,
  'entry.missingClose': (sign: string) => `Es fehlt noch eine \`${sign}\`.`,
  'entry.keysHelp': 'Tasten',
  'entry.backspace': 'Ein Zeichen löschen',

  // level: lists
  'list.inductive': 'Bewiesene Aussagen',
  'list.potential': 'Noch nicht bewiesen',
  'list.unknown': 'Nicht entschieden',
  'list.inductiveEmpty': 'Hier stehen Aussagen, die bewiesen sind.',
  'list.potentialEmpty': 'Aussagen, die kein Lauf verletzt, warten hier auf ihren Beweis.',
  'list.why': (text: string) => `Warum ist ${text} noch nicht bewiesen?`,
  'list.by': (name: string) => `gefunden von ${name}`,
  'list.rests': (places: string) => `beruht auf: ${places}`,
  'list.use': (text: string) => `${text} ins Eingabefeld setzen`,

  // level: message window
  'message.title': 'Antwort',
  'message.someone': 'Jemand',
  'message.by': (name: string) => `Vorgeschlagen von ${name}.`,

  'new.headline': 'Suche, was wahr bleibt.',
  'new.text': 'Tippe eine Aussage, die in jeder Zeile wahr und beim Geist falsch ist.',
  'new.headlineResumed': 'Willkommen zurück.',
  'new.textResumed': 'Deine Aussagen sind noch da.',

  'look.ask': 'Wie fange ich an?',
  'look.opposite': (up: string, down: string) =>
    `\`${up}\` wächst, während \`${down}\` schrumpft. Was ergeben sie zusammen? ` +
    'Tippe es: Die Tabelle zeigt den Wert.',
  'look.together': (one: string, other: string) =>
    `\`${one}\` und \`${other}\` wachsen gemeinsam. Wie wird eins aus dem anderen? ` +
    'Tippe es: Die Tabelle zeigt den Wert.',
  'look.one': (name: string) =>
    `Nur \`${name}\` bewegt sich. Wie weit kommt es? Vergleiche es mit einer anderen Spalte.`,
  'look.cells': (array: string) =>
    `Welche Zellen von \`${array}\` hat die Schleife gesehen, wenn sie in einer Zeile ankommt? ` +
    'Was ist für alle von ihnen wahr?',
  'look.number': (value: string) => `Welche Spalte könnte da stehen, wo du ${value} geschrieben hast?`,
  'look.plain': 'Welche Spalten bewegen sich gemeinsam? Tippe, was sie ergeben: Die Tabelle zeigt den Wert.',

  'tautology.headline': (fact: string) => `Immer wahr: \`${fact}\``,
  'tautology.text': 'Es folgt schon aus den [type|Typen] der Variablen und sagt nichts über diese Schleife.',
  'tautology.next': 'Sieh dir an, was die Schleife tut: Welche Variablen ändern sich gemeinsam?',

  'displaced.headline': (fact: string) => `Schon bekannt: \`${fact}\``,
  'displaced.headlineResting': (fact: string) => `Schon da: \`${fact}\``,
  'displaced.same': 'Es ist schon unter den [inductive|bewiesenen Aussagen].',
  'displaced.by': (facts: string) => `Es folgt aus ${facts} und schließt nichts Neues aus.`,
  'displaced.code': 'Der Programmtext vor der Schleife sagt es schon.',
  'displaced.next': 'Finde etwas, was diese Aussagen nicht sagen.',

  'displacedPotential.headline': (fact: string) => `Wartet schon: \`${fact}\``,
  'displacedPotential.same': 'Es ist unter den Aussagen, die [potential|noch nicht bewiesen] sind.',
  'displacedPotential.by': (facts: string) =>
    `Mit dem, was bewiesen ist, sagt es dasselbe wie ${facts}. Es würde zusammen damit bewiesen.`,
  'displacedPotential.next': 'Suche eine andere Aussage, eine, die beim Beweis hilft.',

  'nonInvariant.headline': (fact: string) => `Falsch: \`${fact}\``,
  'nonInvariant.entry': (run: string) =>
    `Der Lauf \`${run}\` macht es bei der ersten Ankunft falsch. Die Tabelle zeigt ihn.`,
  'nonInvariant.turns': (run: string, turns: number) =>
    `Der Lauf \`${run}\` macht es nach ${turns === 1 ? 'einem Umlauf' : `${number(turns)} Umläufen`} falsch. ` +
    'Die Tabelle zeigt ihn.',
  'nonInvariant.helper': (helper: string) =>
    `Es ist ein Lauf von \`${helper}\` allein: Eine Aussage über seine Schleife muss für alle Argumente gelten, die ` +
    'seine Vorbedingung erlaubt.',
  'nonInvariant.initial': (values: string) => `Er beginnt mit ${values}, bevor dort etwas zugewiesen wird.`,
  'nonInvariant.next': 'Eine Aussage muss in jedem Lauf wahr sein. Ändere sie so, dass sie auch zu diesem passt.',

  'inductive.headline': (fact: string) => `Bewiesen: \`${fact}\``,
  'inductive.text': 'Es ist bei der ersten Ankunft wahr, und jeder Umlauf erhält es.',
  'inductive.promoted': (facts: string, count: number) =>
    `Damit ${count === 1 ? 'ist' : 'sind'} auch ${facts} bewiesen.`,
  'removed.text': (fact: string, by: string) => `\`${fact}\` wurde vom Regal genommen: ${by} sagt es schon.`,
  'removed.code': (fact: string) => `\`${fact}\` wurde vom Regal genommen: Es wird nicht mehr gebraucht.`,

  'rests.text': (places: string) => `Das beruht auf etwas, das noch nicht bewiesen ist: ${places}.`,
  'rests.place': (place: string, text: string) => `${place}, \`${text}\``,
  'rests.withoutCode': 'Das beruht auf etwas anderem im Programm, das noch nicht bewiesen ist.',
  'rests.listWithoutCode': 'beruht auf etwas, das noch nicht bewiesen ist',

  'potential.headline': (fact: string) => `Noch nicht bewiesen: \`${fact}\``,
  'potential.text':
    'Kein bekannter Lauf verletzt es, deshalb wird es behalten. Fachwort: [potential|mögliche Invariante].',
  'potential.next':
    'Finde eine Aussage, die beim Geist vor dem Umlauf falsch ist. Dann wird diese vielleicht auch bewiesen.',
  'potential.nextEntry': 'Finde eine Aussage, die beim Geist falsch ist. Dann wird diese vielleicht auch bewiesen.',
  'transition.turn': 'Kein Lauf, den wir kennen, verletzt es, aber ein Umlauf von Geist B würde es.',
  'transition.broken': (facts: string) =>
    `Ein Umlauf von Geist B würde es verletzen. Geist B wird nur von ${facts} gehalten.`,
  'transition.passing': (loops: string) =>
    `Nach dem, was über ${loops} bekannt ist, kann ein Umlauf von Geist B es verletzen.`,
  'transition.passingBroken': (loops: string, facts: string) =>
    `Nach dem, was über ${loops} bekannt ist, kann ein Umlauf von Geist B es verletzen. ` +
    `Geist B wird nur von ${facts} gehalten.`,
  'transition.entryPassing': (loops: string) =>
    `Nach dem, was über ${loops} bekannt ist, kann die erste Ankunft Geist B sein, und dort ist es falsch.`,
  'transition.loop': (loop: number) => `Schleife ${number(loop)}`,
  'transition.waits': (facts: string) => `Es wartet auf ${facts}: Damit erhält es jeder Umlauf.`,
  'transition.entry': 'Deine Aussagen legen die erste Ankunft noch nicht fest: Bei Geist B wäre es falsch.',
  'transition.none':
    'Weder ein Beweis noch ein Schritt, der es verletzt, wurde gefunden. Einfachere Aussagen helfen vielleicht.',
  'transition.note': 'Vielleicht erreicht kein Lauf den Geist B. Dann finde die Aussage, die sagt, warum.',
  'transition.noteEntry': 'Vielleicht kommt kein Lauf dort an. Dann finde die Aussage, die sagt, warum.',

  'unknown.headline': (fact: string) => `Nicht entschieden: \`${fact}\``,
  'unknown.text':
    'Kein Lauf widerlegt es, und innerhalb der Grenzen wurde kein Beweis gefunden. Das heißt nicht, dass ' +
    'es falsch ist.',
  'unknown.kept': 'Es steht auf einer eigenen Liste und wird wieder versucht, sobald du etwas Neues findest.',
  'unknown.because': (reason: string) => `Der Grund (auf Englisch): ${reason}.`,
  'unknown.tried': (tried: string) => `Versucht wurde: ${tried}.`,
  'unknown.next': 'Oft helfen einfachere Aussagen: Versuche einen Teil davon oder eine Aussage über weniger Variablen.',
  'limited.headline': (fact: string) => `Keine Antwort: \`${fact}\``,
  'limited.time': 'Sie dauerte länger, als dieser Server erlaubt.',
  'limited.memory': 'Sie brauchte mehr Speicher, als dieser Server erlaubt.',
  'limited.died': 'Das Programm, das sie untersucht, brach jedes Mal ab.',
  'limited.error': 'Dem Server unterlief ein Fehler; er steht im Protokoll.',
  'limited.text': 'Das sagt nichts über deine Aussage. Sie wird nicht behalten.',

  'batch.headline': (name: string, count: number) =>
    `${name}: ${count === 1 ? 'eine Aussage' : `${number(count)} Aussagen`} auf einmal`,
  'batch.kinds': (inductive: number, potential: number, unknown: number) =>
    `Bewiesen: ${number(inductive)}. Noch nicht bewiesen: ${number(potential)}.` +
    (unknown ? ` Nicht entschieden: ${number(unknown)}.` : ''),

  'rejudged.now': 'Alles wird noch einmal geprüft.',
  'rejudged.nowText': 'Der Prüfer wurde verbessert. Du kannst dich inzwischen umsehen und vorschlagen.',
  'rejudged.headline': 'Alles wurde noch einmal geprüft.',
  'rejudged.wrong': (fact: string) => `Der Prüfer wurde verbessert: ${fact} ist doch nicht in jedem Lauf wahr.`,
  'rejudged.open': (fact: string) => `${fact} ist nicht mehr bewiesen.`,
  'rejudged.gone': (fact: string) => `${fact} steht nicht mehr auf den Listen.`,
  'rejudged.gained': (facts: string, count: number) => `${facts} ${count === 1 ? 'ist' : 'sind'} jetzt bewiesen.`,
  'rejudged.kept': (count: number) =>
    count === 1 ? 'Eine gefundene Aussage gilt weiterhin.' : `${number(count)} gefundene Aussagen gelten weiterhin.`,
  'rejudged.unsolved': 'Das Level ist damit noch nicht gelöst.',

  'state.headline': 'Schließ Geist A aus',
  'state.never': 'Wir kennen keinen Lauf, der diesen Zustand erreicht. Welche Aussage macht ihn unmöglich?',
  'state.waiting':
    'Wir kennen keinen Lauf, der diesen Zustand erreicht. Aussagen, die noch nicht bewiesen sind, schließen ihn aus.',
  'state.noOther': 'Es wurde kein anderer Geist gefunden.',
  'suffices.headline': 'Fast: Beweise, was wartet',
  'suffices.text': (facts: string) => `Sobald ${facts} bewiesen ist, ist es auch das Ziel. Sieh dir Geist B an.`,
  'nothing.headline': 'Dieses Programm verspricht nichts.',
  'nothing.text': 'Es hat keine Garantie und kein assert; darum gibt es nichts zu beweisen.',
  'open.headline': 'Kein Geist in Sicht',
  'open.text': 'Weder ein Beweis des Ziels noch ein Zustand, der es verletzt, wurde gefunden. Weitere Aussagen helfen.',
  'open.explain': 'Was fehlt noch?',
  'tooLarge.headline': 'Zu groß für die Analyse',
  'tooLarge.text': (why: string) => `Der Server sagt: ${why}.`,
  'tooLarge.next':
    'Du kannst es trotzdem ausführen und seine Abläufe ansehen. Wähle ein anderes Level oder mach das ' +
    'Programm kleiner.',
  'failing.headline': 'Das Programm bricht sein Versprechen.',
  'failing.text': (inputs: string, place: string) =>
    `${inputs ? `Mit \`${inputs}\` gestartet, verletzt es` : 'Es verletzt'}: ${place}. ` +
    'Keine Aussage kann beweisen, was nicht wahr ist.',
  'failing.inputs': 'Die Eingaben',
  'failing.helperHeadline': (helper: string) => `\`${helper}\` hält sein Versprechen nicht.`,
  'failing.helper': (helper: string, given: string, place: string) =>
    `${given ? `Aufgerufen mit \`${given}\`, verletzt \`${helper}\`` : `\`${helper}\` verletzt`}: ${place}. ` +
    'Keine Aussage kann beweisen, was nicht wahr ist.',
  'failing.helperNext': 'Die Hilfsfunktion müsste geändert werden, oder ihr pre müsste diese Argumente ausschließen.',
  'failing.next':
    'Lass es mit diesen Eingaben laufen, um zu sehen, wie es scheitert. Das Programm müsste geändert werden.',
  'entry.measureBegun': 'Welche Zahl fällt in jedem Umlauf? Mehrere mit Kommas: Die erste wiegt am meisten.',
  'entry.endlessBegun': (inputs: string) => `Nenne die Eingaben eines Laufs, der nie endet: ${inputs}`,
  'entry.measureFalls': 'Fällt hier in jedem Umlauf. Enter schlägt es vor.',
  'entry.measureNoTurn': 'Es gibt keinen Umlauf, an dem man es prüfen kann. Enter schlägt es vor.',
  'entry.measureStays': (from: number, to: number, before: string, after: string) =>
    `Fällt nicht von Zeile ${number(from)} zu Zeile ${number(to)}: ${before} → ${after}.`,
  'entry.measureRun': (row: number, run: string) => `Fällt vor Zeile ${number(row)} des Laufs ${run} nicht.`,
  'entry.endless': 'Enter fragt den Prüfer, ob dieser Lauf nie endet.',
  'measure.falls': (text: string) => `Es fällt: \`${text}\``,
  'measure.fallsText':
    'Es fällt in jedem Umlauf, von einem Wert, der mindestens 0 ist. Also läuft die Schleife nicht ewig.',
  'measure.uses': (facts: string) => `Der Beweis nutzt ${facts}.`,
  'measure.technical': 'Fachwort: ein [measure|Maß] der Schleife.',
  'measure.doesNotFall': (text: string) => `Es fällt nicht immer: \`${text}\``,
  'measure.inRun': (run: string, row: number) => `Im Lauf ${run}: Sieh dir den Umlauf ab Zeile ${number(row)} an.`,
  'measure.doesNotFallNext': 'Suche eine Zahl, die jeder Umlauf kleiner macht, oder hänge nach einem Komma eine an.',
  'measure.stays': (value: string) => `Es bleibt bei ${value}.`,
  'measure.goes': (before: string, after: string) => `Es geht von ${before} zu ${after}.`,
  'measure.below': (before: string, after: string) =>
    `Es geht von ${before} zu ${after}: Ein Fall zählt nur von einem Wert aus, der mindestens 0 ist.`,
  'measure.noValue': 'Es hat dort keinen Wert.',
  'measure.mayNotFall': (text: string) => `Noch nicht bewiesen: \`${text}\` fällt`,
  'measure.mayNotFallText':
    'Wir kennen keinen Lauf, in dem es nicht fällt, aber deine Aussagen erlauben den Umlauf von Geist C.',
  'measure.mayNotFallPlain':
    'Wir kennen keinen Lauf, in dem es nicht fällt, aber deine Aussagen zeigen nicht, dass es immer fällt.',
  'measure.mayNotFallNext': 'Finde eine Aussage, die beim Geist vor dem Umlauf falsch ist. Das Maß wartet darauf.',
  'measure.waitsFor': (facts: string) => `Es wartet auf ${facts}: Damit fällt es in jedem Umlauf.`,
  'measure.nowProved': (text: string) => `Und jetzt ist bewiesen, dass \`${text}\` in jedem Umlauf fällt.`,
  'measure.unknown': (text: string) => `Nicht entschieden: \`${text}\` fällt`,
  'measure.unknownText':
    'Wir kennen keinen Lauf, in dem es nicht fällt. Ein einfacheres Maß oder zuerst eine weitere Aussage hilft ' +
    'vielleicht.',
  'ending.ends': 'Jede Schleife hat ihr Maß: Jeder Lauf endet. Die zweite Lampe brennt.',
  'ending.oneProof': 'Unser zweiter Prüfer wurde nicht fertig, also beruht das auf einem Beweis.',
  'ending.never': 'Also endet nicht jeder Lauf.',
  'ending.loops': (loops: string) => `Noch ohne Maß: Schleife ${loops}.`,
  'ending.functions': (names: string) => `Noch nicht bekannt: dass jeder Aufruf von ${names} endet.`,
  'ending.asksMeasure': 'Eine Lampe fehlt: Endet jeder Lauf? Tippe `decreases` und dann, was in jedem Umlauf fällt.',
  'ending.asksRun': 'Eine Lampe fehlt: Ein Lauf endet nie. Finde seine Eingaben.',
  'endless.never': (run: string) => `Er endet nie: ${run}`,
  'endless.repeats': (row: number, again: number) =>
    `Die Zeilen ${number(row)} und ${number(again)} sind gleich, also geht es ewig im Kreis.`,
  'endless.stays': (facts: string, row: number) =>
    `Ab Zeile ${number(row)} gilt ${facts} in jeder Zeile, also wird die Schleife nie verlassen.`,
  'endless.calls': (name: string) => `\`${name}\` ruft sich mit denselben Argumenten auf, immer wieder.`,
  'endless.callsAgain': (name: string, facts: string) =>
    facts
      ? `Wo für die Argumente ${facts} gilt, kann kein Aufruf von \`${name}\` zurückkehren.`
      : `Kein Aufruf von \`${name}\` kann zurückkehren.`,
  'endless.ends': (run: string) => `Dieser Lauf endet: ${run}`,
  'endless.outcome': 'Die Tabelle zeigt ihn bis zur letzten Zeile. Versuche andere Eingaben.',
  'endless.notShown': (run: string) => `Nicht gezeigt: ${run} endet nie`,
  'endless.notShownText':
    'Der Lauf ist lang, aber wir fanden keinen Zustand, der wiederkommt, und keinen Grund, warum er nie enden sollte.',
  'endless.choices': 'Ein Lauf dieses Programms hängt von mehr ab als von seinen Eingaben.',
  'endless.button': 'Dieser Lauf endet nie',
  'measures.title': 'Was fällt',
  'measures.empty': 'Ein Maß fällt in jedem Umlauf, damit die Schleife endet: Tippe `decreases` und dann, was fällt.',
  'measures.nudge': 'Ein Schubs',
  'measures.falls': 'Fällt in jedem Umlauf.',
  'measures.waits': 'Noch nicht bewiesen.',
  'measures.waitsGhost': 'Wartet auf eine Aussage, die bei Geist C falsch ist.',
  'second.label': 'Zweite Lampe: Endet jeder Lauf?',
  'second.ends': 'Jeder Lauf endet.',
  'second.never': 'Ein Lauf endet nie.',
  'second.open': 'Noch nicht bekannt, ob jeder Lauf endet.',
  'solved.headline': 'Das Ziel ist bewiesen.',
  'solved.text':
    'Deine Aussagen beweisen das [guarantee|Ziel] in jedem Lauf, für alle Eingaben, wie groß sie auch sind.',
  'solved.goOn': 'Du kannst hier weitermachen: Ein Beweis mit weniger Aussagen ist eine Medaille wert.',
  'explain.headline': 'Was jeder Beweis benutzt',
  'explain.proved': (place: string) => `${place}: bewiesen`,
  'explain.uses': (facts: string) => ` mit ${facts}`,
  'explain.refuted': (place: string) => `${place}: Deine Aussagen legen es noch nicht fest`,
  'explain.unknown': (place: string) => `${place}: weder bewiesen noch widerlegt`,

  'earned.coins': (count: number) => `+${coins(count)}`,
  'earned.doubled': (count: number, form: string) =>
    `+${coins(count)}, verdoppelt: deine erste Aussage der Form ${form} hier`,
  'fact.loop': (fact: string, loop: number) => `\`${fact}\` (Schleife ${loop})`,

  // evidence and actions
  'evidence.copy': 'Kopieren',
  'evidence.copied': 'Kopiert.',
  'evidence.changed': 'geändert',
  'evidence.earlier': (count: number) => `${number(count)} frühere ${count === 1 ? 'Zeile' : 'Zeilen'} nicht gezeigt`,
  'evidence.test': (value: boolean) => `Schleifenbedingung ${value ? 'wahr' : 'falsch'}`,
  'action.showRun': 'Diesen Lauf zeigen',
  'action.back': 'Zurück zum Geist',
  'action.backToTable': 'Zurück',
  'action.nextLevel': 'Nächstes Level',
  'action.map': 'Alle Level',

  // trouble
  'trouble.retry': 'Noch einmal versuchen',
  'trouble.gone': 'Der Server ist nicht erreichbar.',
  'trouble.goneText':
    'Deine Aussage bleibt erhalten. Sie wird wieder geschickt, sobald der Server antwortet, und einmal beurteilt.',
  'trouble.busy': 'Der Server ist beschäftigt.',
  'trouble.busyText': 'Alle Prüfer arbeiten. Deine Aussage bleibt erhalten und wird von selbst wieder geschickt.',
  'trouble.tooFast': 'Zu schnell für den Server.',
  'trouble.tooFastText':
    'Er nimmt nur eine bestimmte Zahl von Anfragen je Sekunde an. Deine Aussage bleibt erhalten und wird ' +
    'von selbst wieder geschickt.',
  'trouble.cannotSave': 'Der Server kann gerade nicht speichern.',
  'trouble.cannotSaveText':
    'Deine Aussage bleibt erhalten. Sie wird von selbst wieder geschickt, bis der Server sie speichern kann.',
  'trouble.wait': (seconds: number) => `Nächster Versuch in ${Math.ceil(seconds)} s.`,
  'trouble.noEngine': 'Gerade ist kein Prüfer erreichbar.',
  'trouble.noEngineText':
    'Der Server arbeitet, aber im Moment kann niemand etwas prüfen. Offene Räume kannst du weiter lesen.',
  'trouble.noAnswer': 'Es gibt keine Antwort.',
  'trouble.noAnswerText':
    'Die Untersuchung stieß an ihre Grenzen. Das sagt nichts über deine Aussage. Du kannst noch einmal fragen.',
  'trouble.badText': 'Der Server kann das nicht lesen.',
  'trouble.badInputs': 'Mit diesen Eingaben lässt sich das Programm nicht ausführen.',
  'trouble.notPotential': 'Das wartet nicht mehr auf einen Beweis.',
  'trouble.reused': 'Das wurde schon beantwortet.',
  'trouble.left': 'Du hast diesen Raum verlassen.',
  'trouble.tooMany': 'Eine Grenze des Servers ist erreicht.',
  'trouble.other': 'Etwas ging schief.',
  'trouble.said': (message: string) => `Der Server sagt: ${message}.`,

  // game without code
  'traceGame.headline': 'Was gilt in jeder Zeile?',
  'traceGame.text':
    'Führe es mit anderen Eingaben aus, sieh dir die [trace|Tabelle] an und tippe Aussagen, die jedes Mal ' +
    'wahr sind. Am meisten bringen solche, die mehrere Variablen verbinden.',
  'traceGame.turn': 'Kein Lauf, den wir kennen, verletzt es, aber ein weiterer Umlauf von Geist B würde es.',
  'traceGame.moveTogether': 'Sieh dir die Spalten an: Welche ändern sich gemeinsam?',
  'traceGame.start': 'Das ergibt sich schon daraus, wie jeder Lauf beginnt. Es wird nicht behalten.',
  'traceGame.solved': 'Du hast gefunden, was die Tabelle verbirgt.',
  'traceGame.solvedText':
    'Hinter der Tabelle steckt ein Programm, und deine Aussagen beweisen alles, was es verspricht, für ' +
    'alle Eingaben, wie groß sie auch sind.',
  'entry.keysNames': 'Namen und häufige Zeichen',
  'entry.keysOthers': 'Zahlen und weitere Zeichen',
  'entry.keysArrays': 'Zeichen für Felder',
  'message.details': 'Einzelheiten',
  'tautology.technical': 'Fachwort: Tautologie. Sie wird nicht behalten.',
  'displaced.technical': 'Fachwort: verdrängt. Es wird nicht behalten.',
  'inductive.technical': 'Fachwort: [inductive|induktive Invariante].',
  'state.technical': 'Fachwort: auszuschließender Zustand. Alle deine Aussagen lassen ihn zu.',
  'solved.show': 'Den Beweis sehen',
  'state.row': 'Zustand',
  'state.loop': (loop: number) => `Es ist ein Zustand von Schleife ${loop}.`,
  'hint.loop': (loop: number) => ` (Schleife ${loop})`,
  'inductive.headlineResting': (fact: string) => `Jeder Umlauf erhält es: \`${fact}\``,
  'inductive.textResting':
    'Es gilt bei der ersten Ankunft, und jeder Umlauf erhält es, aber nur, wenn etwas anderes gilt.',

  // terms
  'term.invariant': 'Eine Aussage, die jedes Mal wahr ist, wenn der Kopf der Schleife erreicht wird, in jedem Lauf.',
  'term.inductive':
    'Bewiesen: Sie gilt, wenn die Schleife zum ersten Mal erreicht wird, und jeder Umlauf, der mit allen ' +
    'bewiesenen Aussagen beginnt, erhält sie.',
  'term.potential':
    'Gilt in allen bekannten Läufen, ist aber noch nicht bewiesen. Sie wird mit jedem neuen Vorschlag wieder geprüft.',
  'term.promoted': 'Von „noch nicht bewiesen“ zu den bewiesenen Aussagen gekommen.',
  'term.removed': 'Von der Liste genommen, weil andere Aussagen es schon sagen.',
  'term.guarantee':
    'Was das Programm an seinem Ende verspricht; eine Laterne markiert die Zeile. Das Level ist gelöst, wenn es ' +
    'bewiesen ist.',
  'term.measure':
    'Eine Zahl oder mehrere, die jeder Umlauf kleiner macht und die nicht ewig fallen können. Also endet die Schleife.',
  'term.mark': 'Das Auge zeigt, wo Aussagen gelten müssen: am Kopf der Schleife und wieder am Ende ihres Rumpfs.',
  'term.trace': 'Die Werte der Variablen jedes Mal, wenn der Kopf der Schleife erreicht wird, eine Zeile je Umlauf.',
  'term.test': 'Die Bedingung des while. Solange sie wahr ist, wird der Rumpf noch einmal ausgeführt.',
  'term.type': 'nat: 0, 1, 2, …; int: ganze Zahlen; rat: Brüche; bool: true oder false.',
}
