// German: the sentences of the shell, and those that several pages share. Markup as in ../en/shell.ts.

import type { EN } from '../en/shell'
import type { Translation } from '../tables.svelte'

const number = (value: number): string => value.toLocaleString('de')
const gems = (count: number): string => (count === 1 ? '1 Edelstein' : `${number(count)} Edelsteine`)
const coins = (count: number): string => (count === 1 ? '1 Münze' : `${number(count)} Münzen`)

export const DE: Translation<typeof EN> = {
  // shell
  'app.title': 'Invariant Discovery Game',
  'app.short': 'IDG',
  'app.skip': 'Zum Inhalt springen',
  'nav.map': 'Level',
  'nav.tutorial': 'Der Anfang',
  'nav.glossary': 'Wörter und Zeichen',
  'nav.own': 'Eigene Programme',
  'nav.settings': 'Einstellungen',
  'nav.main': 'Seiten',
  'nav.theme': 'Dunkel oder hell',
  'page.loading': 'Wird geladen …',
  'nothing.title': 'Hier ist nichts',
  'nothing.text': 'Keine Seite des Spiels hat diese Adresse:',
  'nothing.home': 'Zum Anfang',
  'page.failed': 'Diese Seite konnte nicht geladen werden.',
  'page.retry': 'Noch einmal versuchen',
  'part.failed': 'Dieser Teil konnte nicht geladen werden. Gibt es eine Verbindung?',
  'gone.banner':
    'Der Server ist nicht erreichbar. Was du getippt hast, bleibt erhalten; diese Seite versucht es von selbst wieder.',
  'score.total': (gem: number, coin: number) => `Insgesamt: ${gems(gem)}, ${coins(coin)}`,
  'score.level': (gem: boolean, coin: number) =>
    `Dieses Level: ${gem ? 'ein Edelstein' : 'noch kein Edelstein'}, ${coins(coin)}`,
  'score.levelShort': 'Level',

  // level: bar
  'level.menu': 'Level-Menü',
  'level.all': 'Alle Level',
  'level.reset': 'Level zurücksetzen',
  'level.previous': 'Voriges Level',
  'level.next': 'Nächstes Level',
  'level.opening': 'Das Level wird geöffnet …',
  'level.notFound': 'Dieses Level gibt es hier nicht.',
  'level.wrongCode': 'Es gibt keinen Raum mit diesem Code. Frag noch einmal nach dem Link.',
  'level.helperLoop': (loop: number, helper: string) => `Schleife ${loop} in ${helper}`,
  'level.loop': (loop: number) => `Schleife ${loop}`,
  'level.loops': 'Schleifen',
  'level.partner': 'Mit dem Computer spielen',
  'level.rooms': 'Zusammen spielen',

  // medals
  'medal.fewest-invariants': 'Wenigste Aussagen',
  'medal.fewest-proposals': 'Wenigste Vorschläge',
  'medal.no-hint': 'Ohne Tipp',
}
