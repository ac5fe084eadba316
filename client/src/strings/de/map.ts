// German: the sentences of the map.

import type { EN_MAP } from '../en/map'
import type { Translation } from '../tables.svelte'

export const DE_MAP: Translation<typeof EN_MAP> = {
  'welcome.title': 'Beweise Programme, indem du Zahlen ansiehst',
  'welcome.text':
    'Du siehst ein kleines Programm und eine Tabelle seiner Zahlen. Finde heraus, was in jeder Zeile wahr ' +
    'ist, und das Spiel macht daraus einen Beweis. Du brauchst keine Vorkenntnisse: Die Einführung dauert ' +
    'fünf Minuten, und du spielst vom ersten Schritt an.',
  'welcome.start': 'Einführung beginnen',
  'welcome.skip': 'oder gleich zum ersten Level',
  'tutorial.resume': (step, all) => `Mit der Einführung weitermachen (Schritt ${step} von ${all})`,
  'continue.title': 'Weiter geht es',
  'continue.unfinished': 'Wo du aufgehört hast',
  'continue.next': 'Nächstes Level',
  'continue.play': (title) => `${title} spielen`,
  'continue.all': 'Du hast alle Level gelöst. Es gibt noch Medaillen zu gewinnen und eigene Programme zu beweisen.',
  'totals.solved': (solved, all) => `${solved} von ${all} Leveln gelöst`,
  'totals.medals': (count) => `${count} Medaille${count === 1 ? '' : 'n'}`,
  'totals.gems': (count) => `${count} Edelstein${count === 1 ? '' : 'e'}`,
  'totals.coins': (count) => `${count} Münze${count === 1 ? '' : 'n'}`,
  'world.solved': (solved, all) => `${solved} von ${all} gelöst`,
  'level.begun': 'begonnen',
  'level.solved': 'gelöst',
  'level.new': 'neu',
  'level.next': 'als Nächstes',
  'study.joined': (name) => `Du nimmst an der Studie „${name}“ teil.`,
  'study.end': 'Ich bin fertig: zu den Fragen',
  offline: 'Der Server ist nicht zu erreichen. Du siehst, was dieser Browser noch weiß.',
  'join.title': 'Zusammen spielen',
  'join.text': 'Hat dir jemand den Code eines Raums gegeben?',
  'join.label': 'Code',
  'join.button': 'Mitmachen',
}
