// German: titles and stories of the levels with arrays.

import type { LevelWords } from '../../levels'

export const DE_ROWS_OF_BOXES: LevelWords['levels'] = {
  'painted-fence': {
    title: 'Bemalter Zaun',
    text:
      'Ein Zaun hat viele Bretter. Eins nach dem anderen wird von links nach rechts in der Farbe bemalt, ' +
      'die du wählst. Nach einigen Umläufen haben alle Bretter bis hierher die Farbe: forall k in 0..i - ' +
      '1 spricht von allen auf einmal.',
    idea: 'forall: jedes Kästchen bis hierher',
    proved: 'Wenn die Schleife endet, hat jedes Brett die Farbe, egal wie viele es sind.',
  },
  'tallest-tower': {
    title: 'Der höchste Turm',
    text:
      'Du gehst durch eine Stadt und merkst dir, wie hoch der höchste Turm ist, den du gesehen hast. Am ' +
      'Ende der Stadt ist kein Turm höher. Was weißt du unterwegs?',
    idea: 'so hoch wie alle bisher',
    proved: 'Wenn die Schleife endet, ist kein Turm höher als die Zahl, die du dir gemerkt hast.',
  },
  'lost-key': {
    title: 'Verlorener Schlüssel',
    text:
      'Du öffnest eine Schublade nach der anderen, bis du den Schlüssel findest oder keine mehr übrig ' +
      'ist. Kommst du ans Ende, dann ist er sicher in keiner. Warum?',
    idea: 'in keiner Schublade bisher',
    proved: 'Wenn die Schleife endet, ist entweder noch eine Schublade übrig, oder der Schlüssel ist in keiner.',
  },
  photocopy: {
    title: 'Fotokopie',
    text:
      'Eine Seite wird Zeichen für Zeichen auf eine leere Seite gleicher Länge kopiert, auf der zuerst ' +
      'irgendetwas stehen darf. Wie weit stimmt die Kopie, solange der Kopierer noch arbeitet?',
    idea: 'zwei Reihen, bisher gleich',
    proved: 'Wenn die Schleife endet, ist die Kopie Zeichen für Zeichen wie die Seite.',
  },
  till: {
    title: 'An der Kasse',
    text:
      'Was du kaufst, liegt in einer Reihe, jedes mit seinem Preis, und die Kasse zählt alles ' +
      'nacheinander zusammen. Das Wort sum sagt, was alles zusammen kostet: sum k in 0..3: prices[k].',
    idea: 'die Summe aller Kästchen bisher',
    proved: 'Wenn die Schleife endet, ist total die Summe aller Preise.',
  },
  'traffic-count': {
    title: 'Verkehrszählung',
    text:
      'Jemand sitzt an der Straße und macht für jedes Auto einer Farbe einen Strich. Das Wort count sagt, ' +
      'für wie viele Kästchen etwas wahr ist: count k in 0..3: cars[k] = colour.',
    idea: 'wie viele bisher',
    proved: 'Wenn die Schleife endet, gibt es so viele Striche wie Autos dieser Farbe.',
  },
  'in-line': {
    title: 'In einer Reihe',
    text:
      'Kinder stehen in einer Schlange, und jemand prüft, ob niemand kleiner ist als das Kind davor. Ein ' +
      'Fehler, und auf dem Zettel steht nein. Was heißt es, solange auf dem Zettel noch ja steht?',
    idea: 'jedes Kästchen und das davor',
    proved: 'Wenn die Schleife endet und auf dem Zettel ja steht, ist kein Kind kleiner als das davor.',
  },
  'both-ways': {
    title: 'Von beiden Seiten',
    text:
      'Manche Wörter liest man von beiden Enden gleich, wie 1 2 3 2 1. Das Programm vergleicht von beiden ' +
      'Enden her und hört in der Mitte auf. Warum genügt das halbe Wort?',
    idea: 'jedes Kästchen und sein Spiegelbild',
    proved: 'Wenn die Schleife endet und auf dem Zettel gleich steht, liest man das Wort von beiden Enden gleich.',
  },
  'sheep-and-goats': {
    title: 'Schafe und Ziegen',
    text:
      'Zahlen unter der Grenze sind Schafe, alle anderen Ziegen. Der Hirte geht die Reihe entlang und ' +
      'tauscht jedes Schaf nach vorn. Wo sind die Schafe, solange er unterwegs ist, und wo die Ziegen?',
    idea: 'zwei Teile einer Reihe',
    proved: 'Wenn die Schleife endet, liegen alle Zahlen vor m unter der Grenze und alle anderen nicht.',
  },
  bookshelf: {
    title: 'Bücherregal',
    text:
      'Die Bücher stehen in Ordnung. Um den Platz für ein neues zu finden, siehst du in der Mitte nach ' +
      'und dann immer nur in einer Hälfte des Rests. Was weißt du von den Büchern, die du nicht mehr ' +
      'ansiehst?',
    idea: 'was auf beiden Seiten ausscheidet',
    proved: 'Wenn die Schleife endet, kommen alle Bücher vor dem Platz lo vor dem neuen Buch und kein anderes.',
  },
  'about-turn': {
    title: 'Kehrt um',
    text:
      'Eine Reihe von Leuten dreht sich um: Der erste tauscht mit dem letzten, der zweite mit dem ' +
      'vorletzten und so weiter bis zur Mitte. Manche stehen am neuen Platz, manche noch am alten: ' +
      'old(row) ist die Reihe, wie sie war.',
    idea: 'außen getauscht, innen wie vorher',
    proved: 'Wenn die Schleife endet, steht die Reihe in umgekehrter Ordnung.',
  },
  seesaw: {
    title: 'Zwei Steine',
    text:
      'Die Steine liegen nach Gewicht geordnet. Wiegen zwei von ihnen zusammen genau so viel wie das ' +
      'Ziel? Eine Hand beginnt an jedem Ende: zu leicht, dann rückt die linke weiter, zu schwer, dann die ' +
      'rechte. Welche Paare scheiden für immer aus?',
    idea: 'Paare, die es nicht sein können',
    proved:
      'Wenn die Schleife endet, halten entweder die Hände zwei verschiedene Steine, oder keine zwei ' +
      'Steine wiegen zusammen so viel wie das Ziel.',
  },
  'hand-of-cards': {
    title: 'Karten auf der Hand',
    text:
      'So sortieren Leute die Karten auf ihrer Hand: Nimm die nächste Karte und schiebe sie nach links, ' +
      'bis sie passt. Solange sie wandert, sind alle Karten bis dorthin in Ordnung, bis auf eine.',
    idea: 'in Ordnung, bis auf eins',
    proved: 'Wenn die Schleifen enden, sind die Karten in Ordnung: Keine ist größer als eine, die später kommt.',
  },
}
