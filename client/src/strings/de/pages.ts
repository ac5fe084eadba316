// German: the sentences of the other pages.

import type { EN_PAGES } from '../en/pages'
import type { Translation } from '../tables.svelte'

export const DE_PAGES: Translation<typeof EN_PAGES> = {
  // glossary and reference
  'glossary.title': 'Wörter und Zeichen',
  'glossary.intro':
    'Was die Wörter des Spiels bedeuten, und alles, was du in einem Ausdruck oder Programm schreiben kannst.',
  'glossary.terms': 'Wörter des Spiels',
  'glossary.expressions': 'Zeichen in Ausdrücken',
  'glossary.expressionsText': 'Was am schwächsten bindet, zuerst: `a | b & c` ist `a | (b & c)`.',
  'glossary.functions': 'Funktionen',
  'glossary.words': 'Wörter in Programmen',
  'glossary.types': 'Typen',
  'glossary.contents': 'Auf dieser Seite',
  'glossary.sign': 'Zeichen',
  'glossary.also': 'Auch geschrieben',
  'glossary.meaning': 'Bedeutung',
  'glossary.example': 'Beispiel',
  'glossary.kinds': 'Typen',
  'glossary.prefix': 'vorangestellt',
  'glossary.search': 'Suche',
  'glossary.found': (count) => `${count} ${count === 1 ? 'Eintrag' : 'Einträge'} gefunden`,
  'glossary.nothing': 'Hier enthält nichts diese Buchstaben.',
  'glossary.type.nat': '0, 1, 2, … Ein nat ist nie negativ, das musst du nicht beweisen.',
  'glossary.type.int': 'Ganze Zahlen beliebiger Größe, auch negative.',
  'glossary.type.rat': 'Brüche, exakt: `1 / 3` ist ein Drittel, nicht 0,333.',
  'glossary.type.bool': '`true` (wahr) oder `false` (falsch).',
  'name.invariant': 'Invariante',
  'name.inductive': 'bewiesene Aussage (induktive Invariante)',
  'name.potential': 'noch nicht bewiesen (mögliche Invariante)',
  'name.promoted': 'aufgestiegen',
  'name.removed': 'entfernt',
  'name.guarantee': 'Ziel (Garantie)',
  'name.mark': 'Schleifenkopf (das Auge)',
  'name.measure': 'Maß (was fällt)',
  'name.trace': 'Tabelle (Ablauf)',
  'name.test': 'Schleifenbedingung',
  'name.type': 'Typ',
  'glossary.more.ghost': 'Geist (auszuschließender Zustand)',
  'glossary.more.ghostText':
    'Ein Zustand, den kein bekannter Lauf erreicht, den die bisherigen Aussagen erlauben und in dem das Ziel ' +
    'verfehlt würde. Eine bewiesene Aussage, die dort falsch ist, vertreibt ihn.',
  'glossary.more.ghostStep': 'Geisterschritt (Gegenbeispiel zur Induktion)',
  'glossary.more.ghostStepText':
    'Zwei Zustände, vor und nach einem Umlauf: Eine wartende Aussage ist vorher wahr und nachher falsch. ' +
    'Eine Aussage, die den Zustand davor ausschließt, hilft, sie zu beweisen.',
  'glossary.more.known': 'schon bekannt (verdrängt)',
  'glossary.more.knownText': 'Es folgt aus Aussagen, die schon auf dem Brett sind, und fügt nichts hinzu.',
  'glossary.more.state': 'Zustand',
  'glossary.more.stateText':
    'Die Werte aller Variablen zu einem Zeitpunkt. Ein Zustand zum Ausschließen ist einer, den deine ' +
    'Aussagen noch zulassen, obwohl wir keinen Lauf kennen, der dorthin kommt.',
  'glossary.more.run': 'Lauf',
  'glossary.more.runText':
    'Was geschieht, wenn das Programm mit bestimmten Eingaben gestartet wird, vom Anfang bis zum Ende.',
  'glossary.more.turn': 'Umlauf',
  'glossary.more.turnText': 'Der Rumpf der Schleife, einmal ausgeführt, von einer Ankunft am Kopf bis zur nächsten.',
  'glossary.more.secondLamp': 'zweite Lampe (Terminierung)',
  'glossary.more.secondLampText':
    'Gelöst heißt: Wenn das Programm endet, hält es sein Versprechen. Die zweite Lampe sagt, dass jeder Lauf endet, ' +
    'durch ein Maß für jede Schleife, oder dass ein Lauf gefunden ist, der nie endet.',
  'glossary.more.endless': 'Lauf, der nie endet',
  'glossary.more.endlessText':
    'Ein Lauf, der wieder in einen Zustand kommt, in dem er schon war, oder den kein Umlauf aus seiner Schleife ' +
    'lässt. ' +
    'Tippe `endless` und seine Eingaben, zum Beispiel `endless n = 3`.',
  'glossary.more.tautology': 'immer wahr (Tautologie)',
  'glossary.more.tautologyText': 'Ein Ausdruck, der wahr ist, was das Programm auch tut, etwa `x = x`.',
  'glossary.more.array': 'Feld (Array)',
  'glossary.more.arrayText':
    'Eine Liste von Werten mit fester Länge, etwa `[3, 1, 4]`. Ihre Zellen zählen ab 0: `a[0]` ist die erste, ' +
    '`a[len(a) - 1]` die letzte. Eine Zelle, die es nicht gibt, hat keinen Wert; eine Aussage, die sie liest, gilt ' +
    'nicht.',
  'glossary.more.quantifier': 'für alle, es gibt (Quantor)',
  'glossary.more.quantifierText':
    'Sagt etwas über viele Zellen auf einmal: `forall k in 0..i - 1: a[k] <= m` sagt, dass jede der Zellen 0 bis ' +
    '`i - 1` höchstens `m` ist. Bei `exists` genügt eine. Wo der Bereich leer ist, ist `forall` wahr.',
  'glossary.more.coin': 'Münze',
  'glossary.more.coinText':
    'Für Information: Münzen zählen die Zustände nahe an den Läufen, die eine Aussage als erste ' +
    'ausschließt. Zehn Schranken für denselben Zähler bringen nicht mehr als die stärkste.',
  'glossary.more.gem': 'Edelstein',
  'glossary.more.gemText':
    'Für einen Beweis: Alle, die daran Anteil haben, bekommen einen. Im Spiel ohne Code auch für sechs ' +
    'angenommene Aussagen.',
  'glossary.more.medal': 'Medaille',
  'glossary.more.medalText':
    'Wenigste Aussagen, wenigste Vorschläge, ohne Tipp: drei Arten, ein Level besonders gut zu lösen.',

  // own programs
  'own.title': 'Deine eigenen Programme',
  'own.intro':
    'Schreib ein Programm mit einer Schleife und einer Garantie oder füge eines ein. Es wird ein Level, ' +
    'das du spielen und teilen kannst.',
  'own.name': 'Titel',
  'own.namePlaceholder': 'Ein Programm',
  'own.source': 'Programm',
  'own.template': 'Beginnen mit',
  'own.templateChoose': 'Vorlage wählen …',
  'own.template.count': 'Hochzählen',
  'own.template.sum': 'Eine Summe, mit post',
  'own.template.divide': 'Division, mit pre',
  'own.template.array': 'Die größte Zelle eines Feldes',
  'own.template.helper': 'Ein Programm mit Hilfsfunktion',
  'own.template.loops': 'Zwei Schleifen',
  'own.undo': 'Meinen Text zurückholen',
  'own.submit': 'Daraus ein Level machen',
  'own.submitting': 'Wird geprüft …',
  'own.good': 'Das ist ein Programm. Es kann ein Level werden.',
  'own.noLoop': 'Die letzte Funktion hat keine Schleife, also gibt es nichts zu finden. Füge ein while hinzu.',
  'own.noGuarantee': 'Es wird nichts versprochen. Füge oben ein post oder am Ende ein assert hinzu.',
  'own.empty': 'Schreib ein Programm oder wähle eine Vorlage.',
  'own.problems': (count) => `${count} Problem${count === 1 ? '' : 'e'}`,
  'own.more': (count) => `und ${count} weitere`,
  'own.place': (line, column) => `Zeile ${line}, Spalte ${column}`,
  'own.ready': 'Dein Level ist fertig.',
  'own.play': 'Spielen',
  'own.link': 'Link zum Teilen',
  'own.copy': 'Link kopieren',
  'own.copied': 'Kopiert.',
  'own.copyFailed': 'Der Browser erlaubt das Kopieren nicht. Markiere den Link und kopiere ihn.',
  'own.list': 'Programme, die du gemacht oder gespielt hast',
  'own.listEmpty': 'Noch keine.',
  'own.remove': (title) => `${title} von dieser Liste nehmen`,
  'own.edit': (title) => `${title} bearbeiten`,
  'own.editShort': 'Bearbeiten',
  'own.solved': 'gelöst',
  'own.failed': (message) => `Es konnte nicht eingereicht werden: ${message}.`,
  'own.gone': 'Der Server ist nicht zu erreichen. Dein Text bleibt in diesem Browser; versuch es später noch einmal.',
  'own.untitled': 'Ein Programm',
  'own.help': 'Wörter und Zeichen',
  'own.notOpened': (message) => `Es konnte nicht geöffnet werden: ${message}.`,

  // what the agent makes of an own program
  'assess.title': 'Was unser Agent davon hält',
  'assess.asking': 'Unser Agent versucht, es zu beweisen …',
  'assess.askingText': 'Das kann eine halbe Minute dauern. Spielen oder teilen kannst du das Level schon jetzt.',
  'assess.solved': 'Unser Agent hat die Garantie bewiesen.',
  'assess.difficulty': (difficulty) =>
    `Schwierigkeit: ` + `${['sehr leicht', 'leicht', 'mittel', 'schwer', 'sehr schwer'][difficulty - 1] ?? ''}.`,
  'assess.needed': (invariants, degree, rounds) =>
    `Er brauchte ${invariants === 1 ? 'eine Aussage' : `${invariants} Aussagen`}` +
    `${degree < 2 ? '' : degree === 2 ? ' mit Quadraten oder Produkten' : ` mit Potenzen bis zum Grad ${degree}`}, ` +
    `gefunden nach ${rounds === 1 ? 'einer Runde' : `${rounds} Runden`} Probieren.`,
  'assess.people': 'Menschen kann es leichter oder schwerer fallen.',
  'assess.nothing':
    'Es braucht keine Aussage: Die Bedingung der Schleife und der Text um sie herum genügen. Als Level ' +
    'ist es sofort gelöst. Versprich mehr, dann gibt es etwas zu finden.',
  'assess.refuted': 'Die Garantie ist falsch.',
  'assess.goesWrong': 'In diesem Programm geht etwas schief.',
  'assess.started': (inputs, place, expression) =>
    `Startet man es mit \`${inputs}\`, wird ${place} falsch: \`${expression}\`.`,
  'assess.startedWrong': (inputs, place, expression) =>
    `Startet man es mit \`${inputs}\`, geht ${place} schief: \`${expression}\`.`,
  'assess.ends': (place, expression) => `Im Lauf wird ${place} falsch: \`${expression}\`.`,
  'assess.endsWrong': (place, expression) => `Im Lauf geht ${place} schief: \`${expression}\`.`,
  'assess.long': (inputs) =>
    `${inputs ? `Startet man es mit \`${inputs}\`, hält es` : 'Es hält'} sein Versprechen nicht. Der Lauf ` +
    'ist zu lang, um ihn bis zum Ende zu zeigen.',
  'assess.chosen': 'Dieser Lauf belegt Variablen und wählt, wie seine Tabelle es zeigt.',
  'assess.choices': (seed) => `Wo das Programm wählt, trifft dieser Lauf die Wahl von Nummer ${seed}.`,
  'assess.nobody':
    'Dieses Level kann niemand gewinnen: Was nicht wahr ist, lässt sich nicht beweisen. Bring das Programm ' +
    'oder seine Garantie in Ordnung und mach wieder ein Level daraus.',
  'assess.run': 'Der Lauf, am Kopf der Schleife',
  'assess.runLoop': (loop) => `Der Lauf, am Kopf von Schleife ${loop}`,
  'assess.place': 'Wo es scheitert',
  'assess.line': (line) => `Programmzeile ${line}`,
  'assess.open': 'Unser Agent konnte die Garantie nicht beweisen.',
  'assess.openText': (invariants, rounds) =>
    'Das heißt nicht, dass sie falsch ist: Auch ein Lauf, der sie verletzt, wurde nicht gefunden. In ' +
    `${rounds === 1 ? 'einer Runde' : `${rounds} Runden`} des Probierens hat er ` +
    (invariants
      ? `${invariants === 1 ? 'eine Aussage' : `${invariants} Aussagen`} bewiesen, aber das genügt nicht.`
      : 'keine Aussage bewiesen.'),
  'assess.state': (place) =>
    'Was er gefunden hat, lässt diesen Zustand am Kopf der Schleife noch zu. Sie würde dort enden, und ' +
    `${place} wäre falsch.`,
  'assess.stateWrong': (place) =>
    'Was er gefunden hat, lässt diesen Zustand am Kopf der Schleife noch zu. Sie würde dort enden, und ' +
    `${place} ginge schief.`,
  'assess.stateInside': (place) =>
    'Was er gefunden hat, lässt diesen Zustand am Kopf der Schleife noch zu, und wer von dort ' +
    `weiterläuft, verletzt ${place}.`,
  'assess.stateTitle': 'Ein auszuschließender Zustand',
  'assess.stateLeft':
    'Kommt ein Lauf dorthin, ist die Garantie falsch. Kommt keiner hin, muss im Spiel eine Aussage ' +
    'gefunden werden, die das sagt.',
  'assess.noState': 'Es gibt keinen Zustand zu zeigen: Was übrig ist, ließ sich weder beweisen noch widerlegen.',
  'assess.failing': (inputs, place) =>
    `${inputs ? `Mit \`${inputs}\` scheint es` : 'Es scheint'} ${place} zu verletzen, aber dieser Lauf ist ` +
    'zu lang, um sicher zu sein.',
  'assess.tooLargeText': (why) =>
    `Der Server sagt: ${why}. Dieses Level kann niemand gewinnen; mach das Programm kleiner.`,
  'assess.noAnswer': 'Unser Agent kam in den Grenzen dieses Servers zu keinem Ende.',
  'assess.noAnswerText': 'Das sagt nichts über das Programm. Menschen können es vielleicht trotzdem beweisen.',
  'assess.notFound': 'Der Server hat dieses Programm nicht mehr.',
  'assess.notFoundText': 'Mach noch einmal ein Level daraus.',
  'assess.failed': 'Unser Agent konnte nicht gefragt werden.',
  'assess.kept': 'Dein Level gibt es trotzdem.',

  // rooms
  'room.title': 'Zusammen spielen',
  'room.invite': 'Andere einladen',
  'room.inviteText': 'Wer diesen Link oder Code hat, kann mitmachen und sehen, was hier geschah.',
  'room.makeCode': 'Link erzeugen',
  'room.code': 'Code',
  'room.link': 'Link',
  'room.copy': 'Link kopieren',
  'room.copied': 'Kopiert.',
  'room.here': 'Wer da ist',
  'room.away': 'abwesend',
  'room.agent': 'Agent',
  'room.you': 'du',
  'room.proved': (count) => `${count} bewiesen`,
  'room.waiting': (count) => `${count} wartend`,
  'room.credit': 'Wer was gefunden hat',
  'room.creditEmpty': 'Noch ist nichts bewiesen.',
  'room.foundBy': (name) => `von ${name}`,
  'room.foundByAgent': (name) => `von ${name} (Agent)`,
  'room.history': 'Was geschah',
  'room.historyEmpty': 'Noch nichts.',
  'room.older': 'Ältere zeigen',
  'room.computer': 'Computer',
  'room.crowd': 'Alle Spieler zusammen',
  'room.someone': 'Jemand',
  'room.proposed': (name) => `${name}:`,
  'room.joined': (name) => `${name} ist dazugekommen.`,
  'room.left': (name) => `${name} ist gegangen.`,
  'room.reset': (name) => `${name} hat das Level neu begonnen.`,
  'room.hint': (name, what) => `${name} hat einen Tipp geholt: ${what}.`,
  'room.hint.variable': 'welche Variable zu beachten ist',
  'room.hint.together': 'welche Variablen zusammengehören',
  'room.hint.shape': 'die Form einer Aussage',
  'room.hint.template': 'eine Aussage mit Lücken',
  'room.hint.invariant': 'eine ganze Aussage',
  'room.hint.falls': 'worauf es bei einem Maß ankommt',
  'room.hint.measure-template': 'ein Maß mit Lücken',
  'room.hint.measure': 'ein ganzes Maß',
  'room.hint.endless': 'welche Eingaben zu beachten sind',
  'room.hint.endless-run': 'ein Lauf, der nie endet',
  'room.solved': (names) => `Gelöst! Bewiesen von ${names}.`,
  'room.solvedPlain': 'Gelöst!',
  'room.batch': (name, count) => `${name} hat ${count} Aussagen auf einmal vorgeschlagen`,
  'room.imported': (name, count) => `${name} hat ${count} Aussagen eingelesen`,
  'room.batchResult': (inductive, potential) => `${inductive} bewiesen, ${potential} wartend`,
  'room.kind.inductive': 'bewiesen',
  'room.kind.potential': 'noch nicht bewiesen',
  'room.kind.unknown': 'nicht entschieden',
  'room.kind.non-invariant': 'falsch in einem Lauf',
  'room.kind.displaced': 'schon bekannt',
  'room.kind.displaced-potential': 'wartet schon',
  'room.kind.type-tautology': 'immer wahr',
  'room.kind.falls': 'fällt in jedem Umlauf',
  'room.kind.does-not-fall': 'fällt in einem Lauf nicht',
  'room.kind.may-not-fall': 'noch nicht bewiesen, dass es fällt',
  'room.kind.never-ends': 'endet nie',
  'room.kind.run-ends': 'endet',
  'room.kind.not-shown': 'nicht gezeigt',
  'room.ends': (names: string) => `Jeder Lauf endet, bewiesen von ${names}.`,
  'room.neverEnds': (names: string) => `Ein Lauf, der nie endet, gefunden von ${names}.`,
  'room.kind.limited': 'keine Antwort',
  'room.judging': 'wird beurteilt …',
  'room.promoted': (facts) => `damit bewiesen: ${facts}`,
  'room.removed': (facts) => `nicht mehr nötig: ${facts}`,
  'room.name': 'Dein Name',
  'room.nameSave': 'Ändern',
  'room.nameSaved': 'Dein Name ist geändert.',
  'room.leave': 'Raum verlassen',
  'room.leaveSure': 'Gehen? Dein Teil der Geschichte bleibt. Mit dem Code kannst du zurückkommen.',
  'room.leaveYes': 'Ja, gehen',
  'room.leaveNo': 'Bleiben',
  'room.failed': (message) => `Das hat nicht geklappt: ${message}.`,
  'room.gone': 'Der Server ist nicht zu erreichen. Versuch es gleich noch einmal.',

  // settings
  'settings.title': 'Einstellungen und Fortschritt',
  'settings.you': 'Du',
  'settings.name': 'Dein Name',
  'settings.nameHelp': 'Andere in deinen Räumen sehen ihn.',
  'settings.nameSave': 'Namen ändern',
  'settings.nameSaved': 'Dein Name ist geändert.',
  'settings.nobody':
    'Du hast auf diesem Server noch nicht gespielt. Bei deinem ersten Level bekommst du einen erfundenen Namen.',
  'settings.look': 'Aussehen',
  'settings.language': 'Sprache',
  'settings.theme': 'Helligkeit',
  'settings.theme.system': 'Wie das Gerät',
  'settings.theme.light': 'Hell',
  'settings.theme.dark': 'Dunkel',
  'settings.rows': 'Farben der Zeilen',
  'settings.rows.clear': 'Blau und Orange: für jedes Sehen gut zu unterscheiden',
  'settings.rows.classic': 'Grün und Rot, wie im ursprünglichen Spiel',
  'settings.rowsSample': 'So sehen Zeilen aus',
  'settings.motion': 'Bewegung',
  'settings.motion.system': 'Wie das Gerät',
  'settings.motion.reduced': 'Nichts bewegt sich',
  'settings.game': 'Spiel',
  'settings.liveDrafts':
    'Entwürfe zeigen: In einem Raum sehen die anderen, was du tippst, und du siehst, was sie tippen',
  'settings.sound': 'Einen kurzen Ton spielen, wenn das Ziel bewiesen ist',
  'settings.openAll': 'Alle Inseln der Karte öffnen, egal, was gelöst ist',
  'settings.device': 'Anderes Gerät',
  'settings.deviceText':
    'Erzeuge hier einen Code und benutze ihn dort. Er gilt einmal, 15 Minuten lang; danach spielen beide ' +
    'Geräte als dieselbe Person.',
  'settings.makeCode': 'Code erzeugen',
  'settings.codeIs': 'Dein Code',
  'settings.codeUntil': (time) => `gültig bis ${time}`,
  'settings.useCode': 'Code von einem anderen Gerät',
  'settings.useCodeButton': 'Hier weiterspielen',
  'settings.useCodeWarn': 'Was du auf diesem Gerät unter anderem Namen gespielt hast, bleibt bei jenem Namen.',
  'settings.codeUsed': (name) => `Willkommen zurück, ${name}. Dieses Gerät spielt jetzt für dich.`,
  'settings.codeWrong': 'Dieser Code ist nicht bekannt, schon benutzt oder zu alt.',
  'settings.codeFast': 'Es wurden zu viele Codes versucht. Warte einen Moment.',
  'settings.file': 'Fortschritt als Datei',
  'settings.fileText': 'Die Datei enthält alle deine Aussagen. Beim Einlesen wird jede noch einmal beurteilt.',
  'settings.export': 'In eine Datei speichern',
  'settings.import': 'Datei einlesen',
  'settings.importing': 'Der Inhalt der Datei wird beurteilt …',
  'settings.imported': (rooms, facts, solved) =>
    `${rooms} Level mit ${facts} Aussage${facts === 1 ? '' : 'n'} eingelesen, davon ${solved} gelöst.`,
  'settings.sealed': 'Medaillen, Münzen und Tipps sind, wie sie waren.',
  'settings.unsealed': (changed, medals) =>
    (changed
      ? 'Die Datei wurde verändert oder stammt von einem anderen Server. Darum wurden ihre Aussagen neu beurteilt.'
      : 'Die Datei hat kein Siegel dieses Servers. Darum wurden ihre Aussagen neu beurteilt.') +
    (medals ? ` Sie nennt ${medals} Medaille${medals === 1 ? '' : 'n'}, die sie nicht beweisen kann.` : ''),
  'settings.importBad': 'Das ist keine Fortschrittsdatei dieses Spiels.',
  'settings.logs': 'Für die Forschung',
  'settings.logsText':
    'Der Server speichert, was du vorschlägst; das braucht das Spiel. Wenn du es erlaubst, teilt dein ' +
    'Browser außerdem mit, wann du tippst, innehältst und wegsiehst, nie, was in anderen Tabs steht. Das ' +
    'hilft, das Spiel zu verbessern.',
  'settings.logsAllow': 'Mein Browser darf mitteilen, wann ich tippe und innehalte',
  'settings.reset': 'Alles vergessen',
  'settings.resetText':
    'Entfernt Einstellungen, Entwürfe und die Verbindung zu deinem Spielernamen aus diesem Browser. ' +
    'Speichere vorher deinen Fortschritt in eine Datei oder erzeuge einen Code, sonst kann ihn niemand ' +
    'zurückholen.',
  'settings.resetSure': 'Wirklich alles in diesem Browser vergessen?',
  'settings.resetYes': 'Ja, alles vergessen',
  'settings.resetNo': 'Nein',
  'settings.resetDone': 'Alles ist vergessen. Dieser Browser fängt neu an.',
  'settings.failed': (message) => `Das hat nicht geklappt: ${message}.`,
  'settings.gone': 'Der Server ist nicht zu erreichen. Versuch es gleich noch einmal.',
}
