// German: the sentences of the game screen. Markup as in ../en/shell.ts.

import type { EN_GAME } from '../en/game'
import type { Translation } from '../tables.svelte'

const number = (value: number): string => value.toLocaleString('de')
const rows = (count: number): string => (count === 1 ? '1 Zeile' : `${number(count)} Zeilen`)
const coins = (count: number): string => (count === 1 ? '1 Münze' : `${number(count)} Münzen`)

export const DE_GAME: Translation<typeof EN_GAME> = {
  // level: program
  'code.title': 'Programm',
  'code.guarantee': 'Garantie',
  'code.guaranteeWhy': 'Was ist eine Garantie?',
  'code.guaranteeHelp':
    'Das muss bei [guarantee|[[G]]] in jedem Lauf wahr sein. Deine Aufgabe: Finde [invariant|Invarianten] ' +
    'bei [mark|[[I]]], die es beweisen. Das sind Aussagen, die jedes Mal gelten, wenn der Kopf der ' +
    'Schleife erreicht wird; endet die Schleife, müssen sie zusammen mit der falschen Schleifenbedingung ' +
    'die Garantie erzwingen.',
  'code.I': 'Hier müssen deine Invarianten gelten: am Kopf der Schleife und nach jedem Umlauf',
  'code.G': 'Hier muss die Garantie gelten',
  'code.test': 'Schleifenbedingung',
  'code.reference': 'Zeichen und Wörter',
  'code.expressions': 'Ausdrücke',
  'code.statements': 'Programmtext',
  'code.example': 'Beispiel:',
  'code.insert': (token: string) => `${token} einfügen`,
  'code.choose': 'Wähle ein Zeichen, um zu sehen, was es bedeutet.',

  // level: trace
  'trace.title': 'Ablauf',
  'trace.caption': (loop: number) => `Zustände am Kopf von Schleife ${loop}, eine Zeile je Umlauf`,
  'trace.inputs': 'Eingaben',
  'trace.input': (name: string) => `Eingabe ${name}`,
  'trace.run': 'Ausführen',
  'trace.default': 'Anfangs-Ablauf',
  'trace.seed': 'Andere Wahl',
  'trace.row': 'Zeile',
  'trace.holds': 'Gilt?',
  'trace.value': 'Wert',
  'trace.true': 'gilt',
  'trace.false': 'gilt nicht',
  'trace.rows': (count: number) => rows(count),
  'trace.cut': (shown: number, total: number) => `Die ersten ${number(shown)} von ${rows(total)}.`,
  'trace.more': 'Mehr Zeilen zeigen',
  'trace.call': (call: string) => `Die Tabelle zeigt den Aufruf ${call}.`,
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
  'trace.drop': (text: string) => `Spalte ${text} entfernen`,

  // level: entry
  'entry.label': 'Ein Ausdruck, der in jeder Zeile gilt',
  'entry.add': 'Vorschlagen',
  'entry.placeholder': (name: string) => `etwa ${name} >= 0`,
  'entry.idle': 'Tippe, was du in der Tabelle siehst.',
  'entry.all': (count: number) =>
    `Gilt in ${count === 1 ? 'der einen Zeile' : `allen ${rows(count)}`}. Enter schlägt es vor.`,
  'entry.some': (holds: number, count: number, row: number) =>
    `Gilt in ${number(holds)} von ${rows(count)}, zuerst falsch: Zeile ${number(row)}`,
  'entry.numeric': (text: string) =>
    `Eine Zahl: Ihr Wert steht in jeder Zeile. Vergleiche sie mit etwas, um sie vorzuschlagen, etwa \`${text} = …\`.`,
  'entry.noRows': 'Es gibt keine Zeile, an der er sich prüfen lässt; vorschlagen kannst du ihn.',
  'entry.duplicate': (list: 'inductive' | 'potential') =>
    list === 'inductive'
      ? 'Das steht schon bei den induktiven Invarianten.'
      : 'Das steht schon bei den möglichen Invarianten.',
  'entry.refuted':
    'Gilt in dieser Tabelle, aber ein anderer Lauf hat es widerlegt. Ändere es so, dass es auch zu jenem Lauf passt.',
  'entry.cannotRows': (row: number) => `Das kann keine Invariante sein: In Zeile ${number(row)} ist es falsch.`,
  'entry.cannotNumeric': 'Eine Zahl lässt sich nicht vorschlagen: Eine Invariante ist wahr oder falsch.',
  'entry.cannotWrong': 'Bring erst den Ausdruck in Ordnung.',
  'entry.cannotEmpty': 'Tippe erst einen Ausdruck.',
  'entry.noValue': (cause: string) => `kein Wert: ${cause}`,
  'entry.thinking': 'Denkt nach …',
  'entry.cancel': 'Nicht mehr warten',
  'entry.keys': 'Tasten',
  'entry.keysHelp': 'Tippen fügt ein',
  'entry.backspace': 'Ein Zeichen löschen',
  'entry.clear': 'Leeren',
  'entry.completions': 'Ergänzungen',
  'cause.zero-divisor': 'Division durch null',
  'cause.negative-exponent': 'negativer Exponent',
  'cause.number-too-large': 'die Zahl ist zu groß',
  'cause.other': 'lässt sich nicht auswerten',

  // level: lists
  'list.inductive': 'Induktive Invarianten',
  'list.potential': 'Mögliche Invarianten',
  'list.unknown': 'Nicht entschieden',
  'list.inductiveEmpty': 'Noch keine. Bewiesene Aussagen erscheinen hier.',
  'list.potentialEmpty':
    'Keine. Aussagen, die in allen bekannten Läufen gelten, aber nicht bewiesen sind, warten hier.',
  'list.why': (text: string) => `Warum ist ${text} noch nicht induktiv?`,
  'list.by': (name: string) => `gefunden von ${name}`,
  'list.rests': (places: string) => `beruht auf: ${places}`,
  'list.use': (text: string) => `${text} ins Eingabefeld setzen`,

  // level: message window
  'message.title': 'Meldung',
  'message.someone': 'Jemand',
  'message.by': (name: string) => `Vorgeschlagen von ${name}.`,

  'new.headline': 'Suche, was wahr bleibt.',
  'new.text':
    'Führe das Programm aus, sieh dir den [trace|Ablauf] an und tippe eine Aussage, die in jeder Zeile ' +
    'gilt. Aussagen, die bei jedem [mark|[[I]]] wahr sind, heißen [invariant|Invarianten]; genug davon ' +
    'beweisen die [guarantee|Garantie].',
  'new.headlineResumed': 'Willkommen zurück.',
  'new.textResumed': 'Deine Invarianten sind noch da.',

  'tautology.headline': (fact: string) => `\`${fact}\` ist immer wahr, was auch immer das Programm tut.`,
  'tautology.text':
    'Das folgt schon aus den [type|Typen] der Variablen und sagt nichts über diese Schleife. Es wird nicht behalten.',
  'tautology.next': 'Sieh dir an, was die Schleife tut: Welche Variablen ändern sich gemeinsam?',

  'displaced.headline': (fact: string) => `\`${fact}\` ist wahr, und du weißt es schon.`,
  'displaced.headlineResting': (fact: string) => `\`${fact}\` folgt schon aus dem, was du hast.`,
  'displaced.same': 'Es steht schon bei den [inductive|induktiven Invarianten].',
  'displaced.by': (facts: string) =>
    `Es folgt aus ${facts}. Es wird nicht behalten, denn es schließt nichts Neues aus.`,
  'displaced.code': 'Der Programmtext vor der Schleife sagt es schon. Es wird nicht behalten.',
  'displaced.next': 'Finde etwas, das diese Aussagen nicht sagen.',

  'displacedPotential.headline': (fact: string) =>
    `\`${fact}\` sagt dasselbe wie etwas, das noch auf seinen Beweis wartet.`,
  'displacedPotential.same': 'Es steht schon bei den [potential|möglichen Invarianten].',
  'displacedPotential.by': (facts: string) =>
    `Mit dem, was bewiesen ist, bedeutet es dasselbe wie ${facts}. Es wird nicht behalten: Es würde ` +
    'zusammen damit bewiesen.',
  'displacedPotential.next': 'Suche eine andere Aussage, eine, die beim Beweis hilft.',

  'nonInvariant.headline': (fact: string) => `\`${fact}\` ist keine Invariante.`,
  'nonInvariant.entry': 'Dieser Lauf macht es falsch, wenn die Schleife zum ersten Mal erreicht wird.',
  'nonInvariant.turns': (turns: number) =>
    `Dieser Lauf macht es nach ${turns === 1 ? 'einem Umlauf' : `${number(turns)} Umläufen`} der Schleife falsch.`,
  'nonInvariant.helper': (helper: string) =>
    `Es ist ein Lauf von \`${helper}\` allein: Eine Aussage über seine Schleife muss für alle Argumente gelten, die ` +
    'seine Vorbedingung erlaubt.',
  'nonInvariant.initial': (values: string) => `Er beginnt mit ${values}, bevor dort etwas zugewiesen wird.`,
  'nonInvariant.run': 'Der Lauf, der dagegen spricht',
  'nonInvariant.next':
    'Eine [invariant|Invariante] muss in jedem Lauf gelten. Ändere den Ausdruck so, dass er auch zu diesem Lauf passt.',

  'inductive.headline': (fact: string) => `Gut gemacht: \`${fact}\` ist eine induktive Invariante.`,
  'inductive.text':
    'Sie ist [inductive|bewiesen]: Sie gilt, wenn die Schleife zum ersten Mal erreicht wird, und jeder ' +
    'Umlauf erhält sie.',
  'inductive.textResting': 'Sie gilt, wenn die Schleife zum ersten Mal erreicht wird, und jeder Umlauf erhält sie.',
  'inductive.promoted': (facts: string, count: number) =>
    count === 1
      ? `Mit ihrer Hilfe ist auch ${facts} bewiesen und [promoted|aufgestiegen].`
      : `Mit ihrer Hilfe sind auch ${facts} bewiesen und [promoted|aufgestiegen].`,
  'removed.text': (fact: string, by: string) => `\`${fact}\` wurde [removed|entfernt]: Es folgt aus ${by}.`,
  'removed.code': (fact: string) => `\`${fact}\` wurde [removed|entfernt]: Es wird nicht mehr gebraucht.`,

  'rests.text': (places: string) => `Das beruht auf etwas, das noch nicht bewiesen ist: ${places}.`,
  'rests.place': (place: string, text: string) => `${place}, \`${text}\``,
  'rests.withoutCode': 'Das beruht auf etwas anderem im Programm, das noch nicht bewiesen ist.',
  'rests.listWithoutCode': 'beruht auf etwas, das noch nicht bewiesen ist',

  'potential.headline': (fact: string) => `\`${fact}\` ist noch nicht bewiesen. Es kann gut wahr sein.`,
  'potential.text':
    'Kein bekannter Lauf widerlegt es, darum wird es als [potential|mögliche Invariante] behalten. Aber ' +
    'was bisher bewiesen ist, erzwingt es nicht:',
  'potential.next':
    'Finde eine Aussage, die den Zustand vor dem Umlauf ausschließt: Dann kann diese hier [promoted|aufsteigen].',
  'potential.nextEntry':
    'Finde eine Aussage, die diesen Zustand ausschließt: Dann kann diese hier [promoted|aufsteigen].',
  'transition.headline': (fact: string) => `Warum \`${fact}\` noch nicht induktiv ist`,
  'transition.turn':
    'Im ersten Zustand gilt alles, was bekannt ist, auch die [test|Schleifenbedingung]. Ein Umlauf führt ' +
    'zum zweiten Zustand, und dort ist es falsch.',
  'transition.broken': (facts: string) =>
    `Im ersten Zustand gilt alles Bewiesene, aber nicht ${facts}. Ein Umlauf führt zum zweiten Zustand, und dort ist ` +
    'es falsch.',
  'transition.passing': (loops: string) =>
    `Im ersten Zustand gilt alles, was bekannt ist. Soweit ${loops} bekannt ist, kann ein Umlauf von dort zum ` +
    'letzten Zustand führen, und dort ist es falsch.',
  'transition.passingBroken': (loops: string, facts: string) =>
    `Im ersten Zustand gilt alles Bewiesene, aber nicht ${facts}. Soweit ${loops} bekannt ist, kann ein Umlauf von ` +
    'dort zum letzten Zustand führen, und dort ist es falsch.',
  'transition.entryPassing': (loops: string) =>
    `Soweit ${loops} bekannt ist, kann diese Schleife zum ersten Mal in diesem Zustand erreicht werden, und dort ist ` +
    'es falsch.',
  'transition.loop': (loop: number) => `Schleife ${number(loop)}`,
  'transition.waits': (facts: string) => `Es wartet auf ${facts}: Damit erhält es jeder Umlauf. Hilf, das zu beweisen.`,
  'transition.entry':
    'Was bekannt ist, schließt diesen Zustand beim ersten Erreichen der Schleife nicht aus, und dort ist es falsch.',
  'transition.none':
    'Es ist kein Zustand bekannt, der es bricht, und beweisen ließ es sich auch nicht. Einfachere Aussagen ' +
    'können helfen.',
  'transition.note': 'Vielleicht erreicht kein Lauf je den ersten Zustand. Dann finde die Aussage, die sagt, warum.',
  'transition.noteEntry':
    'Vielleicht kommt kein Lauf je in diesem Zustand an. Dann finde die Aussage, die sagt, warum.',
  'transition.table': 'Ein Umlauf der Schleife',
  'transition.possible': 'Ein möglicher Umlauf der Schleife',
  'transition.arrival': 'Die erste Ankunft bei der Schleife',
  'transition.left': (loop: number) => `nach Schleife ${number(loop)}`,
  'transition.before': 'vorher',
  'transition.after': 'nachher',
  'transition.first': 'erste Ankunft',

  'unknown.headline': (fact: string) => `Über \`${fact}\` ließ sich nichts herausfinden.`,
  'unknown.text':
    'Kein Lauf widerlegt es, und innerhalb der Grenzen wurde kein Beweis gefunden. Das heißt nicht, dass ' +
    'es falsch ist.',
  'unknown.kept': 'Es steht auf einer eigenen Liste und wird wieder versucht, sobald du etwas Neues findest.',
  'unknown.because': (reason: string) => `Der Grund (auf Englisch): ${reason}.`,
  'unknown.tried': (tried: string) => `Versucht wurde: ${tried}.`,
  'unknown.next': 'Oft helfen einfachere Aussagen: Versuche einen Teil davon oder eine Aussage über weniger Variablen.',
  'limited.headline': (fact: string) => `Die Untersuchung von \`${fact}\` stieß an ihre Grenzen.`,
  'limited.time': 'Sie dauerte länger, als dieser Server erlaubt.',
  'limited.memory': 'Sie brauchte mehr Speicher, als dieser Server erlaubt.',
  'limited.died': 'Das Programm, das sie untersucht, brach jedes Mal ab.',
  'limited.error': 'Dem Server unterlief ein Fehler; er steht im Protokoll.',
  'limited.text': 'Das sagt nichts über den Ausdruck. Er wird nicht behalten.',

  'batch.headline': (name: string, count: number) =>
    `${name} hat ${count === 1 ? 'einen Ausdruck' : `${number(count)} Ausdrücke auf einmal`} vorgeschlagen.`,
  'batch.kinds': (inductive: number, potential: number, unknown: number) =>
    `Bewiesen: ${number(inductive)}. Als mögliche Invarianten warten: ${number(potential)}.` +
    (unknown ? ` Nicht entschieden: ${number(unknown)}.` : ''),

  'rejudged.now': 'Die Prüfung wurde verbessert: In diesem Raum wird gerade alles neu geprüft.',
  'rejudged.nowText': 'Du kannst dich inzwischen umsehen und Ausdrücke vorschlagen. Das Ergebnis siehst du dann hier.',
  'rejudged.headline': 'Die Prüfung wurde verbessert: In diesem Raum wurde alles neu geprüft.',
  'rejudged.wrong': (fact: string) => `${fact} ist doch keine Invariante.`,
  'rejudged.open': (fact: string) => `${fact} ist nicht mehr bewiesen.`,
  'rejudged.gone': (fact: string) => `${fact} steht nicht mehr auf den Listen.`,
  'rejudged.gained': (facts: string, count: number) => `${facts} ${count === 1 ? 'ist' : 'sind'} jetzt bewiesen.`,
  'rejudged.kept': (count: number) =>
    count === 1 ? 'Ein gefundener Ausdruck gilt weiterhin.' : `${number(count)} gefundene Ausdrücke gelten weiterhin.`,
  'rejudged.unsolved': 'Das Level ist damit noch nicht gelöst.',

  'state.headline': 'Ein Zustand zum Ausschließen',
  'state.still': 'Noch auszuschließen',
  'state.ends': (place: string) =>
    'Alles, was du gefunden hast, lässt diesen Zustand bei [mark|[[I]]] zu. Die Schleife würde dort enden, ' +
    `und ${place} wäre falsch.`,
  'state.endsWrong': (place: string) =>
    'Alles, was du gefunden hast, lässt diesen Zustand bei [mark|[[I]]] zu. Die Schleife würde dort enden, ' +
    `und ${place} ginge schief.`,
  'state.inside': (place: string) =>
    `Alles, was du gefunden hast, lässt diesen Zustand bei [mark|[[I]]] zu, und von dort verletzt der Rumpf ${place}.`,
  'state.helperLoop': (loop: number, helper: string) => `Es ist ein Zustand der Schleife ${loop}, in \`${helper}\`.`,
  'state.loop': (loop: number) => `Es ist ein Zustand von Schleife ${loop}.`,
  'state.provedEnds': (place: string) =>
    'Was bisher bewiesen ist, lässt diesen Zustand bei [mark|[[I]]] zu. Die Schleife würde dort enden, ' +
    `und ${place} gälte nicht.`,
  'state.provedInside': (place: string) =>
    `Was bisher bewiesen ist, lässt diesen Zustand bei [mark|[[I]]] zu, und von dort verletzt der Rumpf ${place}.`,
  'state.never': 'Wir kennen keinen Lauf, der diesen Zustand erreicht. Welche Aussage macht ihn unmöglich?',
  'state.waiting':
    'Wir kennen keinen Lauf, der diesen Zustand erreicht. Aussagen, die noch nicht bewiesen sind, schließen ihn aus.',
  'state.another': 'Ein anderer Zustand',
  'state.noOther': 'Ein anderer Zustand wurde nicht gefunden.',
  'state.row': 'Zustand',
  'suffices.headline': 'Fast: Was noch auf seinen Beweis wartet, würde reichen.',
  'suffices.text': (facts: string) =>
    `Sobald ${facts} bewiesen ist, ist es auch die [guarantee|Garantie]. Das ? neben einer Aussage zeigt, was ihr ` +
    'fehlt; finde Aussagen, die sie induktiv machen.',
  'nothing.headline': 'Dieses Programm verspricht nichts.',
  'nothing.text': 'Es hat keine Garantie und kein assert; darum gibt es nichts zu beweisen.',
  'open.headline': 'Noch nicht gelöst.',
  'open.text':
    'Gerade gibt es keinen Zustand zu zeigen: Weder ein Beweis noch ein Zustand, der die Garantie bricht, ' +
    'wurde gefunden. Weitere Aussagen helfen.',
  'open.explain': 'Was fehlt noch?',
  'tooLarge.headline': 'Dieses Programm ist zu groß, um untersucht zu werden.',
  'tooLarge.text': (why: string) => `Der Server sagt: ${why}.`,
  'tooLarge.next':
    'Du kannst es trotzdem ausführen und seine Abläufe ansehen. Wähle ein anderes Level oder mach das ' +
    'Programm kleiner.',
  'failing.headline': 'Dieses Programm hält sein Versprechen nicht.',
  'failing.text': (place: string) =>
    `Mit diesen Eingaben verletzt es ${place}. Keine Invariante kann beweisen, was nicht stimmt.`,
  'failing.inputs': 'Die Eingaben',
  'failing.helperHeadline': (helper: string) => `\`${helper}\` hält sein Versprechen nicht.`,
  'failing.helper': (helper: string, given: string, place: string) =>
    `${given ? `Aufgerufen mit \`${given}\` verletzt \`${helper}\`` : `\`${helper}\` verletzt`} ${place}. ` +
    'Keine Invariante kann beweisen, was nicht stimmt.',
  'failing.helperNext':
    'Um das Level zu lösen, müsste die Hilfsfunktion berichtigt werden, oder ihre Vorbedingung müsste diese ' +
    'Argumente ausschließen.',
  'failing.next':
    'Führe es mit diesen Eingaben aus, um zu sehen, wie es scheitert. Um das Level zu lösen, müsste das ' +
    'Programm berichtigt werden.',
  'solved.headline': 'Gelöst! Die Garantie ist bewiesen.',
  'solved.text':
    'Deine Invarianten erzwingen die [guarantee|Garantie] in jedem Lauf, für alle Eingaben, wie groß sie auch sind.',
  'solved.gem': 'Du hast einen Edelstein verdient.',
  'solved.medals': 'Medaillen',
  'solved.credited': (names: string) => `Gemeinsam bewiesen von ${names}.`,
  'solved.explain': 'Welche Invarianten beweisen es?',
  'solved.goOn': 'Du kannst hier weitermachen: mit weniger Invarianten, mit weniger Vorschlägen.',
  'explain.headline': 'Was jeder Beweis benutzt',
  'explain.proved': (place: string) => `${place}: bewiesen`,
  'explain.uses': (facts: string) => ` mit ${facts}`,
  'explain.refuted': (place: string) => `${place}: folgt noch nicht`,
  'explain.unknown': (place: string) => `${place}: weder bewiesen noch widerlegt`,

  'earned.coins': (count: number) => `+${coins(count)}`,

  'place.post': (line: number) => `die Garantie in Programmzeile ${line}`,
  'place.assert': (line: number) => `das assert in Programmzeile ${line}`,
  'place.claim': (line: number) => `das claim in Programmzeile ${line}`,
  'place.narrowing': (line: number) => `die Zuweisung in Programmzeile ${line}`,
  'place.zero-divisor': (line: number) => `die Division in Programmzeile ${line}`,
  'place.negative-exponent': (line: number) => `die Potenz in Programmzeile ${line}`,
  'place.callee-pre': (line: number) => `die Vorbedingung des Aufrufs in Programmzeile ${line}`,
  'place.invariant': (line: number) => `die gegebene Invariante in Programmzeile ${line}`,
  'place.other': (line: number) => `Programmzeile ${line}`,
  'fact.loop': (fact: string, loop: number) => `\`${fact}\` (Schleife ${loop})`,
  'list.and': ' und ',

  // evidence and actions
  'evidence.copy': 'Als SIP kopieren',
  'evidence.copied': 'Kopiert.',
  'evidence.changed': 'geändert',
  'evidence.earlier': (count: number) => `${number(count)} frühere ${count === 1 ? 'Zeile' : 'Zeilen'} nicht gezeigt`,
  'evidence.test': (value: boolean) => `Schleifenbedingung ${value ? 'wahr' : 'falsch'}`,
  'action.tryInput': 'Diese Eingabe ausprobieren',
  'action.tryRun': 'Diesen Lauf ausprobieren',
  'action.back': 'Zurück zum Zustand, der auszuschließen ist',
  'action.backToTable': 'Zurück',
  'action.nextLevel': 'Nächstes Level',
  'action.edit': 'Den Ausdruck ändern',
  'action.map': 'Alle Level',

  // trouble
  'trouble.retry': 'Noch einmal versuchen',
  'trouble.gone': 'Der Server ist nicht erreichbar.',
  'trouble.goneText':
    'Dein Ausdruck bleibt erhalten. Er wird wieder geschickt, sobald der Server antwortet; nichts geschieht doppelt.',
  'trouble.busy': 'Der Server ist beschäftigt.',
  'trouble.busyText': 'Alle Prüfer arbeiten. Dein Ausdruck bleibt erhalten und wird von selbst wieder geschickt.',
  'trouble.tooFast': 'Das war dem Server zu schnell.',
  'trouble.tooFastText':
    'Er nimmt nur eine bestimmte Zahl von Anfragen je Sekunde an. Dein Ausdruck bleibt erhalten und wird ' +
    'von selbst wieder geschickt.',
  'trouble.cannotSave': 'Der Server kann gerade nicht speichern.',
  'trouble.cannotSaveText':
    'Dein Vorschlag bleibt erhalten. Er wird von selbst wieder geschickt, bis der Server ihn speichern kann, einmal.',
  'trouble.wait': (seconds: number) => `Nächster Versuch in ${Math.ceil(seconds)} s.`,
  'trouble.noEngine': 'Gerade ist kein Prüfer erreichbar.',
  'trouble.noEngineText':
    'Der Server arbeitet, aber im Moment kann niemand etwas prüfen. Offene Räume kannst du weiter lesen.',
  'trouble.noAnswer': 'Es gibt keine Antwort.',
  'trouble.noAnswerText':
    'Die Untersuchung stieß an ihre Grenzen. Das sagt nichts über deinen Ausdruck. Du kannst noch einmal fragen.',
  'trouble.badText': 'Der Server kann diesen Ausdruck nicht lesen.',
  'trouble.badInputs': 'Mit diesen Eingaben lässt sich das Programm nicht ausführen.',
  'trouble.notPotential': 'Das wartet nicht mehr auf einen Beweis.',
  'trouble.reused': 'Diese Anfrage wurde schon beantwortet. Schlage den Ausdruck noch einmal vor.',
  'trouble.left': 'Du bist nicht mehr in diesem Raum.',
  'trouble.tooMany': 'Eine Grenze des Servers ist erreicht.',
  'trouble.other': 'Etwas ging schief.',
  'trouble.said': (message: string) => `Der Server sagt: ${message}.`,

  // game without code
  'traceGame.headline': 'Was gilt in jeder Zeile?',
  'traceGame.text':
    'Führe es mit anderen Eingaben aus, sieh dir den [trace|Ablauf] an und tippe Aussagen, die jedes Mal ' +
    'wahr sind. Am meisten bringen solche, die mehrere Variablen verbinden.',
  'traceGame.note': 'In diesem Spiel gibt es keinen Programmtext: Finde, was die Tabelle verbirgt.',
  'traceGame.accepted': (count: number, needed: number) =>
    `${count} von ${needed} Ausdrücken angenommen. ${needed} bringen einen Edelstein.`,
  'traceGame.still': 'Was gilt noch in jeder Zeile?',
  'traceGame.turn':
    'Im ersten Zustand gilt alles, was bekannt ist. Ein weiterer Umlauf führt zum zweiten Zustand, und ' +
    'dort ist es falsch.',
  'traceGame.moveTogether': 'Sieh dir die Spalten an: Welche ändern sich gemeinsam?',
  'traceGame.start': 'Das ergibt sich schon daraus, wie jeder Lauf beginnt. Es wird nicht behalten.',
  'traceGame.solved': 'Gelöst! Du hast gefunden, was die Tabelle verbirgt.',
  'traceGame.solvedText':
    'Hinter der Tabelle steckt ein Programm, und deine Aussagen beweisen alles, was es verspricht, für ' +
    'alle Eingaben, wie groß sie auch sind.',

  // hints
  'hint.title': 'Hinweise',
  'hint.about':
    'Kommst du nicht weiter? Ein Hinweis verrät immer nur ein wenig: wohin du schauen kannst, welche ' +
    'Variablen zusammengehören, die Form und am Ende die Aussage selbst.',
  'hint.ask': (count: number) => `Ein Hinweis (kostet ${coins(count)} oder was du hast)`,
  'hint.loop': (loop: number) => ` (Schleife ${loop})`,
  'hint.variable': (name: string) => `Schau auf ${name}: Was bekannt ist, lässt ihr zu viel Freiheit.`,
  'hint.together': (names: string) => `Diese gehören zusammen: ${names}. Vergleiche sie Zeile für Zeile.`,
  'hint.shape.equation': 'Zwei Dinge sind gleich.',
  'hint.shape.bound': 'Etwas wird nie größer als etwas anderes.',
  'hint.shape.remainder': 'Auf Reste kommt es an.',
  'hint.shape.different': 'Zwei Dinge sind nie gleich.',
  'hint.shape.condition': 'Immer wenn das eine gilt, gilt auch das andere.',
  'hint.shape.cases': 'Einer von mehreren Fällen gilt.',
  'hint.shape.power': 'Etwas ist eine Potenz.',
  'hint.shape.fact': 'Etwas ist wahr oder falsch.',
  'hint.degree': (degree: number) => `Der Grad ist ${degree}: Denk an Quadrate oder Produkte.`,
  'hint.template': (template: string) => `Es hat diese Form: ${template}`,
  'hint.invariant': (expression: string) => `Schlage vor: ${expression}`,
  'hint.use': 'Ins Feld übernehmen',
}
