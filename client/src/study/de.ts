// German: studies, for those who take part.

import type { EN_STUDY } from './en'
import type { Translation } from '../strings/tables.svelte'

export const DE_STUDY: Translation<typeof EN_STUDY> = {
  title: 'Studie',
  'none.title': 'Diese Studie gibt es nicht',
  'none.text':
    'Studien schicken dich mit einem Link hierher. Eine Studie mit dem Namen, den dieser Link hat, gibt es nicht.',
  'closed.title': 'Diese Studie ist geschlossen',
  'closed.text': 'Niemand kann mehr anfangen. Wer angefangen hat, kann auf demselben Gerät weitermachen.',
  'noId.title': 'Dein Link ist nicht vollständig',
  'noId.text':
    'Der Link zu dieser Studie nennt alle, die teilnehmen, mit einer Kennung, wie in `?pid=…` an seinem Ende. Dieser ' +
    'Link hat keine. Bitte benutze den Link so, wie du ihn bekommen hast.',
  toGame: 'Zum Spiel',
  failed: 'Der Server ist nicht zu erreichen. Nichts ist verloren; versuche es gleich noch einmal.',
  refused: (message) => `Das geht nicht: ${message}.`,
  retry: 'Noch einmal versuchen',

  // Information and consent
  'consent.about': 'Worum es geht',
  'consent.takes': (minutes) =>
    `Die Teilnahme dauert höchstens ${minutes} Minute${minutes === 1 ? '' : 'n'}, gezählt ab deiner Einwilligung.`,
  'consent.takesOpen': 'Die Zeit ist nicht begrenzt.',
  'consent.stored': 'Was über dich gespeichert wird',
  'stored.1': 'die Kennung, die der Link zur Studie nennt, und an ihrer Stelle eine Nummer in jedem Export',
  'stored.2': 'die Version dieses Textes und wann du ihm zugestimmt hast',
  'stored.3': 'welches der beiden Spiele du spielst und wann du angefangen hast',
  'stored.4':
    'was du vorschlägst, die Antworten darauf, die Läufe und Hinweise, um die du bittest, jeweils mit der Zeit',
  'stored.5':
    'wann du ein Level öffnest, wann du auf der Seite aktiv bist, und Pausen beim Tippen, aber nicht, was du tippst, ' +
    'bevor du es abschickst',
  'stored.6': 'deine Antworten auf die Fragen am Anfang und am Ende',
  'stored.7': 'keine Mailadresse und keine Adresse deines Geräts in den Daten der Studie',
  'consent.rights': 'Aufhören und zurückziehen',
  'consent.stop':
    'Du kannst jederzeit aufhören und mit demselben Link auf demselben Gerät zurückkommen. Dafür werden ein Cookie ' +
    'und der Speicher dieses Browsers benutzt.',
  'consent.withdraw':
    '„Zurückziehen“ steht auf jeder Seite der Studie. Dann wird alles, was über dich gespeichert ist, sofort ' +
    'gelöscht. Nur dass sich jemand zurückgezogen hat, bleibt.',
  'consent.kept': (days) =>
    `Was gespeichert ist, wird ${days} Tag${days === 1 ? '' : 'e'} nach deinem Anfang oder Abschluss gelöscht, und ` +
    'früher, wenn du dich zurückziehst.',
  'consent.keptOpen':
    'Was gespeichert ist, bleibt, bis du dich zurückziehst oder diejenigen es löschen, die die Studie durchführen.',
  'consent.other': (id) =>
    `Auf diesem Gerät nimmt jemand anderes teil, mit der Kennung ${id}. Wenn du hier anfängst, kann diese Person ` +
    'hier nicht weitermachen.',
  'consent.agree': 'Ich habe das gelesen und möchte teilnehmen. Ich bin alt genug, um das selbst zu entscheiden.',
  'consent.version': (version) => `Version ${version} dieses Textes`,
  'consent.start': 'Anfangen',
  'consent.starting': 'Es fängt an …',
  'consent.needs': 'Setze zuerst den Haken.',
  'consent.no': 'Nein, ich nehme nicht teil',
  'consent.taken':
    'Mit dieser Kennung nimmt schon jemand teil. Mache in dem Browser weiter, in dem du angefangen hast.',

  // The bar
  'bar.label': 'Studie',
  'bar.levels': 'Alle Level',
  'bar.left': (minutes) =>
    minutes ? `Noch ${minutes} Minute${minutes === 1 ? '' : 'n'}` : 'Noch weniger als eine Minute',
  'bar.done': 'Abschließen',
  'bar.withdraw': 'Zurückziehen',
  'withdraw.title': 'Aus der Studie zurückziehen?',
  'withdraw.text':
    'Alles, was über dich gespeichert ist, wird gelöscht, sofort und endgültig. Einen Abschlusscode bekommst du dann ' +
    'nicht. Wenn du nur nicht weiterspielen möchtest, wähle „Abschließen“.',
  'withdraw.yes': 'Zurückziehen und alles löschen',
  'withdraw.no': 'Nein, weitermachen',
  'withdrawn.title': 'Du hast dich zurückgezogen',
  'withdrawn.text': 'Alles, was über dich gespeichert war, ist gelöscht.',

  // Questions
  'background.title': 'Ein paar Fragen zu dir',
  'questions.title': 'Ein paar Fragen zum Schluss',
  'questions.over': 'Deine Zeit ist um. Diese Fragen bleiben noch.',
  'questions.text': 'Lass weg, was du nicht beantworten möchtest.',
  'questions.none': 'Es gibt keine Fragen. Schließe ab, um deinen Abschlusscode zu bekommen.',
  'questions.final': 'Wenn du das abgeschickt hast, kannst du nicht mehr weiterspielen.',
  'questions.scale': '1: gar nicht, 5: sehr',
  'questions.send': 'Antworten abschicken',
  'questions.next': 'Weiter',
  'questions.finish': 'Abschicken und abschließen',
  'questions.sending': 'Wird geschickt …',
  'questions.back': 'Zurück zu den Leveln',

  // Levels
  'levels.title': 'Level',
  'levels.code':
    'Jedes Level ist ein kleines Programm. Finde Aussagen darüber, bis sein Ziel bewiesen ist. Spiele möglichst in ' +
    'dieser Reihenfolge. Wenn du nicht weiterkommst, nimm ein anderes Level; du kannst zurückkommen.',
  'levels.trace':
    'Jedes Level ist eine Tabelle. Finde Aussagen, die in jeder Zeile wahr sind, in dieser Tabelle und in jeder ' +
    'anderen des Levels. Spiele möglichst in dieser Reihenfolge. Wenn du nicht weiterkommst, nimm ein anderes Level; ' +
    'du kannst zurückkommen.',
  'levels.break':
    'Du darfst eine Pause machen. Die Uhr der Studie läuft weiter, aber was du getan hast, bleibt, und dieser Link ' +
    'führt zurück.',
  'levels.breakOpen': 'Du darfst eine Pause machen. Was du getan hast, bleibt, und dieser Link führt zurück.',
  'levels.number': (number) => `Level ${number}`,
  'levels.of': (number, count) => `Level ${number} von ${count}`,
  'levels.done': 'geschafft',
  'levels.begun': 'angefangen',
  'levels.new': 'neu',
  'levels.play': (number) => `Level ${number} spielen`,
  'levels.allDone': 'Du hast alle Level geschafft.',
  'level.next': 'Nächstes Level',
  'level.opening': 'Wird geöffnet …',

  // The table game
  'table.answer': 'Antwort',
  'table.begin': 'Was ist in jeder Zeile wahr?',
  'table.beginText':
    'Tippe eine Aussage über die Spalten. Zeilen, in denen sie falsch ist, werden markiert. Schlage sie vor, wenn ' +
    'sie auf alle Zeilen passt; du erfährst, ob sie angenommen wird.',
  'table.accepted': (fact) => `Angenommen: \`${fact}\``,
  'table.acceptedText': (points) => `Du hast ${points} Punkte.`,
  'table.refused': (fact) => `Nicht angenommen: \`${fact}\``,
  'table.refusedText': 'Versuche eine andere Aussage, oder sieh dir eine Tabelle mit anderen Eingaben an.',
  'table.list': 'Angenommene Aussagen',
  'table.empty': 'Hier stehen Aussagen, die angenommen wurden.',
  'table.count': (count, target) => `${Math.min(count, target)} von ${target}`,
  'table.use': (fact) => `${fact} in das Eingabefeld schreiben`,
  'table.complete': 'Du hast dieses Level geschafft. Nimm das nächste, oder suche weitere Aussagen.',
  'table.points': (points) => `${points} Punkt${points === 1 ? '' : 'e'}`,

  // The tutorial
  'tutorial.title': 'Einführung',
  'tutorial.step': (step, count) => `Schritt ${step} von ${count}`,
  'tutorial.back': 'Zurück',
  'tutorial.next': 'Weiter',
  'tutorial.done': 'Zu den Leveln',
  'tutorial.code.1':
    'Die Tabelle zeigt einen Lauf des Programms, das daneben oder hinter dem Reiter „Text“ steht: eine Zeile für ' +
    'jedes Mal, wenn die Schleife eine Runde beginnt. Sieh dir an, wie sich die Spalten von Zeile zu Zeile ändern.',
  'tutorial.code.2': (example) =>
    `Tippe eine Aussage über die Spalten in das Feld unter der Tabelle, etwa \`${example}\`. Während du tippst, ` +
    'werden Zeilen, in denen sie wahr ist, und Zeilen, in denen sie falsch ist, markiert.',
  'tutorial.code.3':
    'Schlage eine Aussage vor, die in jeder Zeile wahr ist. Die Antwort sagt, ob sie bewiesen ist, ob sie wartet, ' +
    'oder in welchem Lauf sie falsch ist.',
  'tutorial.code.4':
    'Mit „+ Lauf“ siehst du die Tabelle für andere Eingaben. Auch darin muss deine Aussage wahr sein. Ein Geist ist ' +
    'eine Zeile, die kein Lauf hat, die deine Aussagen aber noch zulassen: Schließe ihn mit einer Aussage aus, die ' +
    'darin falsch ist.',
  'tutorial.code.5':
    'Das Level ist geschafft, wenn deine bewiesenen Aussagen für sein Ziel reichen. Dieses Level hier ist zum ' +
    'Ausprobieren und zählt nicht; probiere, solange du willst, und mache dann weiter.',
  'tutorial.trace.1':
    'Die Tabelle zeigt, wie sich einige Werte ändern: eine Zeile für jede Runde einer Schleife, die du nicht siehst. ' +
    'Sieh dir an, wie sich die Spalten von Zeile zu Zeile ändern.',
  'tutorial.trace.2': (example) =>
    `Tippe eine Aussage über die Spalten in das Feld unter der Tabelle, etwa \`${example}\`. Während du tippst, ` +
    'werden Zeilen, in denen sie wahr ist, und Zeilen, in denen sie falsch ist, markiert.',
  'tutorial.trace.3':
    'Schlage eine Aussage vor, die in jeder Zeile wahr ist. Die Antwort sagt, ob sie angenommen wird. Eine Aussage ' +
    'kann auf diese Tabelle passen und trotzdem nicht angenommen werden.',
  'tutorial.trace.4':
    'Mit „+ Lauf“ siehst du die Tabelle für andere Eingaben. Auch darin muss deine Aussage wahr sein, in allen, die ' +
    'es gibt. Eine Aussage, die nichts Neues sagt, wird nicht angenommen.',
  'tutorial.trace.5': (target) =>
    `Jede angenommene Aussage bringt Punkte, und mit ${target} davon ist das Level geschafft. Dieses Level hier ist ` +
    'zum Ausprobieren und zählt nicht; probiere, solange du willst, und mache dann weiter.',

  // The end
  'finished.title': 'Danke!',
  'finished.text': 'Deine Teilnahme an der Studie ist gespeichert. Das ist dein Abschlusscode:',
  'finished.copy': 'Code kopieren',
  'finished.copied': 'Kopiert.',
  'finished.leave': 'Die Studie verlassen und das Spiel spielen',
  'finished.leaveText':
    'Dann vergisst dieses Gerät, dass du teilgenommen hast; dein Code bleibt auf dieser Seite. Wenn du hier schon ' +
    'vorher gespielt hast, bist du wieder diese Person.',
}
