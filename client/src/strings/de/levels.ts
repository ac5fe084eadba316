// German: titles and stories of levels and worlds.

import type { LevelWords } from '../levels'

export const DE_LEVELS: LevelWords = {
  worlds: {
    'first-steps': { title: 'Erste Schritte', text: 'Schleifen, die immer wieder dasselbe addieren.' },
    'sums-and-bounds': {
      title: 'Summen und Schranken',
      text:
        'Was addiert wird, ändert sich von Umlauf zu Umlauf, und manchmal sagt eine Schranke alles, was du ' +
        'brauchst.',
    },
    'hidden-patterns': {
      title: 'Verborgene Muster',
      text: 'Raffinierte Schleifen, deren Zahlen enger verbunden sind, als es aussieht.',
    },
    'new-tools': {
      title: 'Neue Werkzeuge',
      text: 'Schalter, freie Wahl, alte Werte, und eine Schleife nach der anderen.',
    },
    'halves-and-helpers': {
      title: 'Hälften und Helfer',
      text: 'Brüche, Zweierpotenzen und Programme, die einen Helfer fragen.',
    },
    'famous-algorithms': {
      title: 'Berühmte Algorithmen',
      text: 'Kleine Programme, die seit Jahrzehnten bewundert werden, manche seit Jahrhunderten.',
    },
  },
  levels: {
    multiply: {
      title: 'Malnehmen',
      text:
        'Eine Maschine, die nur addieren kann, schafft es doch zu multiplizieren: Sie addiert n immer ' +
        'wieder, insgesamt m-mal.',
    },
    'mult-by-1000': {
      title: 'Mal tausend',
      text: 'Addiere n tausendmal. Die Tabelle ist lang, aber ein kurzer Satz gilt in jeder ihrer Zeilen.',
    },
    'head-start': {
      title: 'Vorsprung',
      text:
        'Eine Schnecke startet zehn Schritte voraus und geht tausendmal denselben Schritt, rückwärts, wenn ' +
        'er negativ ist. Wo kommt sie an?',
    },
    'year-of-saving': {
      title: 'Ein Jahr sparen',
      text:
        'Ein Konto beginnt mit einem Guthaben und ändert sich jeden Tag des Jahres um denselben Betrag. Du ' +
        'darfst Schulden haben, und du darfst Geld ausgeben.',
    },
    'square-times-2': {
      title: 'Zwei Quadrate',
      text: 'Jeder Umlauf legt zwei Reihen mit n Fliesen. Nach n Umläufen sind zwei ganze Quadrate bedeckt.',
    },
    'square-times-const': {
      title: 'Viele Quadrate',
      text: 'Derselbe Trick mit beliebig vielen Quadraten j statt zweien: Jeder Umlauf addiert j mal k.',
    },
    'mult-by-add': {
      title: 'Zählen bis zum Produkt',
      text:
        'Das Programm zählt eins nach dem anderen hoch, solange es unter j mal k ist. Warum schießt es nie ' +
        'darüber hinaus?',
    },
    'rain-barrel': {
      title: 'Regentonne',
      text:
        'In einer Tonne ist vielleicht schon Wasser, wenn es zu regnen beginnt. Am Ende ist mindestens so ' +
        'viel darin, wie der Regen brachte; ist rain negativ, hat die Tonne ein Leck.',
    },
    'stack-of-squares': {
      title: 'Turm aus Quadraten',
      text:
        'Ein Turm wird von oben gebaut: eine Schicht 1 mal 1, darunter eine 2 mal 2, und so weiter. Er ' +
        'braucht mindestens so viele Steine wie seine unterste Schicht; genau zählen musst du nicht.',
    },
    'growing-fields': {
      title: 'Wachsende Felder',
      text:
        'Jedes Jahr wird das Feld einen Schritt breiter und länger, und seine Fläche kommt zur Ernte hinzu. ' +
        'Alle Ernten zusammen sind mindestens so groß wie das letzte Feld.',
    },
    summation: {
      title: 'Summe',
      text:
        'Addiere 1 + 2 + 3 und so weiter bis n. Der junge Gauß soll im Unterricht eine Abkürzung gefunden ' +
        'haben; beweise nun, dass sie stimmt.',
    },
    summation2: {
      title: 'Summe, einen Schritt zurück',
      text: 'Dieselbe Summe, mit einem zweiten Zähler, der dem ersten nachläuft. Nutze ihn oder erkläre ihn weg.',
    },
    cube: {
      title: 'Würfel',
      text:
        'Ein Würfel wächst Schale um Schale, und das Programm addiert nur. Die Hilfsvariable a folgt einem ' +
        'Muster, das du schon kennst.',
    },
    'binary-product': {
      title: 'Binäres Produkt',
      text:
        'Multipliziere wie die Schreiber Ägyptens, durch Verdoppeln und Halbieren. Alle Zahlen ändern sich ' +
        'ständig, und doch bleibt etwas gleich.',
    },
    'mult-of-6': {
      title: 'Summe der Quadrate',
      text:
        'Addiere die ersten n Quadratzahlen. Archimedes kannte eine Formel für das Sechsfache dieser Summe; ' +
        'zeig, dass das Programm mit ihr übereinstimmt.',
    },
    cube2: {
      title: 'Würfel aus Differenzen',
      text:
        'Noch einmal dritte Potenzen, wie eine mechanische Rechenmaschine sie bilden würde: drei laufende ' +
        'Summen, jede speist die vorige, und keine einzige Multiplikation.',
    },
    'int-square-root': {
      title: 'Quadratwurzel',
      text:
        'Finde die größte ganze Zahl, deren Quadrat höchstens n ist, indem du ungerade Zahlen addierst, bis ' +
        'es zu viele sind.',
    },
    'light-switch': {
      title: 'Lichtschalter',
      text:
        'Das Licht ist aus, und jemand drückt n-mal auf den Schalter. Wann ist es am Ende an? Hier ist eine ' +
        'Variable wahr oder falsch statt eine Zahl.',
    },
    handfuls: {
      title: 'Handvoll um Handvoll',
      text:
        'Ein Korb wird in Portionen von einem, zwei oder drei Äpfeln weggetragen; niemand weiß, welche. ' +
        'Trotzdem lässt sich die Zahl der Gänge von beiden Seiten beschränken.',
    },
    'two-stacks': {
      title: 'Zwei Stapel',
      text:
        'Münzen wandern einzeln vom höheren Stapel auf den niedrigeren, bis beide gleich hoch sind, oder ' +
        'fast. Das Programm ändert seine eigenen Eingaben: old(left) ist, was left am Anfang war.',
    },
    'small-change': {
      title: 'Kleingeld',
      text:
        'Bezahle einen Preis mit Fünfern, solange es geht, dann mit Einern. Es gibt zwei Schleifen, und jede ' +
        'braucht eigene Invarianten.',
    },
    'half-the-cake': {
      title: 'Der halbe Kuchen',
      text:
        'Jeden Tag wird die Hälfte dessen gegessen, was vom Kuchen übrig ist. Etwas bleibt immer, und du ' +
        'kannst genau sagen, wie viel.',
    },
    'knock-out': {
      title: 'K.-o.-Turnier',
      text:
        'In einem K.-o.-Turnier geht nach jeder Runde die Hälfte der Spieler nach Hause, also muss ihre Zahl ' +
        'eine Zweierpotenz sein. Wie viele Spiele braucht es, bis der Sieger feststeht?',
    },
    'casting-out-nines': {
      title: 'Neunerprobe',
      text:
        'Addiere die Ziffern einer Zahl, dann die Ziffern der Summe, bis eine Ziffer übrig ist: eine alte ' +
        'Probe auf Teilbarkeit durch neun. Vom Helfer digit_sum darfst du benutzen, was sein post verspricht.',
    },
    'bean-can': {
      title: 'Die Bohnendose',
      text:
        'Zieh zwei Bohnen aus einer Dose: Zwei von einer Farbe werden durch eine schwarze ersetzt, zwei ' +
        'verschiedene durch eine weiße. Das Glück entscheidet jeden Zug, aber nicht die Farbe der letzten ' +
        'Bohne. Ein Rätsel, das Dijkstra erzählt hat.',
    },
    'closing-in': {
      title: 'Einkreisen',
      text:
        'Noch einmal die Quadratwurzel, auf dem schnellen Weg: Halte sie zwischen zwei Schranken und sieh ' +
        'jedes Mal in der Mitte nach.',
    },
    'doubling-division': {
      title: 'Division durch Verdoppeln',
      text:
        'Teile n durch d mit Rest: Zieh d so oft verdoppelt ab, wie es passt, und beginne mit dem Rest von ' +
        'vorn. Eine Schleife lebt in der anderen.',
    },
    'gcd-and-lcm': {
      title: 'Zwei zum Preis von einem',
      text:
        'Euklid findet den größten gemeinsamen Teiler allein durch Abziehen. Zwei weitere Variablen, von ' +
        'Dijkstra hinzugefügt, ergeben im Mittel das kleinste gemeinsame Vielfache.',
    },
    'rabbit-pairs': {
      title: 'Kaninchenpaare',
      text:
        'Fibonaccis Kaninchen: Jeden Monat werden die beiden neuesten Zahlen addiert. Nachbarn in dieser ' +
        'Folge erfüllen beinahe eine Gleichung; sie verfehlen sie um eins, mal auf dieser Seite, mal auf ' +
        'jener.',
    },
  },
}
