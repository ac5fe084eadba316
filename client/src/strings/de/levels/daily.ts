// German: the variations of levels that can be the level of the day.

import type { VariationText } from '../../levels'

export const DE_DAILY: Readonly<Record<string, VariationText>> = {
  'racing-gears': {
    title: 'Schnelle Zahnräder',
    text:
      'Zwei Zahnräder drehen sich miteinander: Immer wenn das große um 5 Zähne weiterrückt, rückt das ' +
      'kleine um 7 weiter.',
    proved: 'Wenn die Schleife endet, ist das kleine Zahnrad um genau 7 mal n Zähne weitergerückt.',
  },
  'shells-for-coins': {
    title: 'Muscheln für Münzen',
    text:
      'Auf dem Markt einer Insel bekommt man 8 Muscheln für 3 Münzen. Wie viele Muscheln bringen n solche ' +
      'Tauschgeschäfte?',
    proved: 'Wenn die Schleife endet, hat der Händler genau 8 mal n Muscheln.',
  },
  'every-third-seat': {
    title: 'Jeder dritte Sitz',
    text: 'Ein Karussell hat 7 Sitze mit den Nummern 0 bis 6. Ein Affe springt jedes Mal um 3 Sitze weiter, rundherum.',
    proved:
      'Wenn die Schleife endet, sitzt der Affe auf dem Sitz, dessen Nummer der Rest von 3 mal n geteilt durch 7 ist.',
  },
  'night-watch': {
    title: 'Nachtwache',
    text:
      'Eine Wache dauert 5 Stunden, und eine folgt der anderen. Die Uhr an der Wand zählt von 0 bis 11 und ' +
      'beginnt von vorn.',
    proved: 'Wenn die Schleife endet, zeigt die Uhr den Rest von 5 mal n geteilt durch 12.',
  },
  'three-by-three': {
    title: 'Zu dritt',
    text:
      'Eine Gondel bringt Wanderer auf den Berg, drei auf einmal, bis alle Dreiergruppen oben sind. Warum ' +
      'ist niemand zu viel?',
    proved: 'Wenn die Schleife endet, sind genau 3 mal teams Wanderer oben.',
  },
  'rows-of-five': {
    title: 'Fünferreihen',
    text: 'Für ein Konzert werden Stühle aufgestellt, fünf auf einmal, solange noch eine Reihe fehlt.',
    proved: 'Wenn die Schleife endet, stehen genau 5 mal rows Stühle da.',
  },
  'tulip-beds': {
    title: 'Tulpenbeete',
    text: 'Eine Gärtnerin bepflanzt ein Beet nach dem anderen mit gleich vielen Tulpen, bis alle Beete fertig sind.',
    proved: 'Wenn die Schleife endet, sind genau each mal beds Tulpen gepflanzt.',
  },
  stamps: {
    title: 'Briefmarken',
    text:
      'Briefe liegen auf einem Stapel, und jeder bekommt eine Marke zum gleichen Preis. Der Stapel nimmt ' +
      'ab, die Cents nehmen zu.',
    proved: 'Wenn die Schleife endet, haben die Marken genau price mal letters Cent gekostet.',
  },
  hourglass: {
    title: 'Sanduhr',
    text: 'Korn um Korn fällt aus dem oberen Glas in das untere, bis das obere leer ist.',
    proved: 'Wenn die Schleife endet, ist der ganze Sand im unteren Glas.',
  },
  ferry: {
    title: 'Fähre',
    text: 'Autos warten auf eine Fähre, die nur mit vollem Deck ablegt. Wie viele bleiben am Kai?',
    proved:
      'Wenn die Schleife endet, sind alle Autos entweder auf einem vollen Deck gefahren oder warten, ' +
      'und die wartenden füllen kein weiteres Deck.',
  },
  'hours-and-minutes': {
    title: 'Stunden und Minuten',
    text:
      'Ein Film dauert so viele Minuten. Das Programm nimmt volle Stunden weg, solange es eine gibt, und ' +
      'zählt sie.',
    proved:
      'Wenn die Schleife endet, sind Stunden und Rest zusammen so lang wie der Film, ' +
      'und der Rest ist kürzer als eine Stunde.',
  },
  quilt: {
    title: 'Flickendecke',
    text:
      'Eine quadratische Decke wächst immer wieder auf zwei Seiten um einen Streifen Flicken. Wie viele ' +
      'Flicken hat sie?',
    proved: 'Wenn die Schleife endet, hat die Decke genau n im Quadrat Flicken.',
  },
  'almost-a-square': {
    title: 'Fast ein Quadrat',
    text: 'Ein Fenster ist immer eine Scheibe breiter als hoch. Jedes Mal kommen eine Zeile und eine Spalte dazu.',
    proved: 'Wenn die Schleife endet, hat das Fenster genau n mal n + 1 Scheiben.',
  },
  'bit-by-bit': {
    title: 'Bit für Bit',
    text:
      'Eine Zahl wird von rechts her zerlegt, eine Binärziffer nach der anderen, und daneben wieder ' +
      'zusammengesetzt.',
    proved: 'Wenn die Schleife endet, ist done wieder die Zahl n.',
  },
}
