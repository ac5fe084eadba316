// German: titles and stories of levels and worlds, what is new in a level, and what its proof says.

import type { LevelWords } from '../../levels'
import { DE_ROWS_OF_BOXES } from './rows-of-boxes'

export const DE_LEVELS: LevelWords = {
  worlds: {
    'first-lamps': { title: 'Erste Lampen', text: 'Schleifen, die immer wieder dasselbe addieren.' },
    'what-stays': {
      title: 'Was gleich bleibt',
      text: 'Alle Zahlen bewegen sich, und doch ändert sich etwas zwischen ihnen nie.',
    },
    'at-least-at-most': {
      title: 'Mindestens, höchstens',
      text: 'Manchmal sagt eine Schranke alles, was du brauchst, und manchmal braucht sie Hilfe.',
    },
    'growing-steps': {
      title: 'Wachsende Schritte',
      text: 'Was addiert wird, ändert sich von Umlauf zu Umlauf: Quadrate, Summen, Würfel.',
    },
    'luck-and-switches': {
      title: 'Glück und Schalter',
      text: 'Der Zufall entscheidet, Schalter kippen, und manches ist trotzdem wahr.',
    },
    'loop-after-loop': {
      title: 'Schleife um Schleife',
      text: 'Eine Schleife folgt der anderen oder steckt in ihr, und jede braucht eigene Aussagen.',
    },
    'tens-twos-halves': {
      title: 'Zehner, Zweier, Hälften',
      text: 'Ziffern, Zweierpotenzen, Brüche und ein Helfer, der sein Versprechen hält.',
    },
    'famous-algorithms': {
      title: 'Berühmte Algorithmen',
      text: 'Kleine Programme, die seit Jahrzehnten bewundert werden, manche seit Jahrhunderten.',
    },
    'and-it-ends': {
      title: 'Und es endet',
      text: 'Zwei Lampen für jedes Programm: Es hält sein Versprechen, wenn es endet, und es endet. Oder nicht?',
    },
    'rows-of-boxes': {
      title: 'Reihen von Kästchen',
      text: 'Zahlen stehen in Reihen, und eine Aussage spricht von allen Kästchen bis hierher.',
    },
  },
  levels: {
    'egg-boxes': {
      title: 'Eierkartons',
      text:
        'Kartons werden mit Eiern gefüllt, in jeden gleich viele, bis so viele Kartons voll sind, wie du ' +
        'möchtest. Wie viele Eier sind das?',
      idea: 'eine Spalte ist ein Produkt',
      proved:
        'Wenn die Schleife endet, sind genau size mal want Eier in den Kartons, für jede Größe und jede ' +
        'Zahl von Kartons.',
    },
    candle: {
      title: 'Kerze',
      text:
        'Eine Kerze brennt Stück für Stück herunter. Was an der Kerze fehlt, ist verbrannt, und sonst geht ' +
        'nichts verloren.',
      idea: 'hier mehr, dort weniger',
      proved: 'Wenn die Schleife endet, ist der verbrannte Teil so lang, wie die ganze Kerze war.',
    },
    'mult-by-add': {
      title: 'Zählen bis zum Produkt',
      text:
        'Das Programm zählt eins nach dem anderen hoch, solange es unter j mal k ist. Warum schießt es nie ' +
        'darüber hinaus?',
      idea: 'ein Zähler schießt nie darüber hinaus',
      proved: 'Wenn die Schleife endet, hat i genau bis j mal k gezählt.',
    },
    multiply: {
      title: 'Malnehmen',
      text:
        'Eine Maschine, die nur addieren kann, schafft es doch zu multiplizieren: Sie addiert n immer ' +
        'wieder, insgesamt m-mal.',
      idea: 'Gleichung und Grenze zusammen',
      proved: 'Wenn die Schleife endet, ist res n mal m, für alle n und m ab 0.',
    },
    'mult-by-1000': {
      title: 'Mal tausend',
      text: 'Addiere n tausendmal. Die Tabelle ist lang, aber ein kurzer Satz gilt in jeder ihrer Zeilen.',
      idea: 'eine lange Tabelle, dieselben zwei Aussagen',
      proved: 'Wenn die Schleife endet, ist res 1000 mal n, auch für ein negatives n.',
    },
    'head-start': {
      title: 'Vorsprung',
      text:
        'Eine Schnecke startet zehn Schritte voraus und geht zwölfmal denselben Schritt, rückwärts, wenn ' +
        'er negativ ist. Wo kommt sie an?',
      idea: 'irgendwo beginnen, dann addieren',
      proved:
        'Wenn die Schleife endet, ist die Schnecke bei 10 plus 12 mal ihrem Schritt, vorwärts oder ' + 'rückwärts.',
    },
    'year-of-saving': {
      title: 'Ein Jahr sparen',
      text:
        'Ein Konto beginnt mit einem Guthaben und ändert sich jeden Tag des Jahres um denselben Betrag. Du ' +
        'darfst Schulden haben, und du darfst Geld ausgeben.',
      idea: 'ein beliebiger Anfang, dieselbe Idee',
      proved:
        'Wenn die Schleife endet, ist der Kontostand das, was du am Anfang hattest, plus 365-mal der ' +
        'tägliche Betrag.',
    },
    'square-times-2': {
      title: 'Zwei Quadrate',
      text: 'Jeder Umlauf legt zwei Reihen mit n Fliesen. Nach n Umläufen sind zwei ganze Quadrate bedeckt.',
      idea: 'ein n tauschen, nicht beide',
      proved: 'Wenn die Schleife endet, ist res das Doppelte von n im Quadrat.',
    },
    'square-times-const': {
      title: 'Viele Quadrate',
      text: 'Derselbe Trick mit beliebig vielen Quadraten j statt zweien: Jeder Umlauf addiert j mal k.',
      idea: 'ein beliebiger Faktor, dieselbe Idee',
      proved: 'Wenn die Schleife endet, ist res j mal k im Quadrat.',
    },
    gears: {
      title: 'Zahnräder',
      text:
        'Zwei Zahnräder drehen sich zusammen: Wenn das große um 2 Zähne weiterrückt, rückt das kleine um 3 ' +
        'weiter. Nach n Schritten des großen ist Schluss.',
      idea: 'zwei Tempi, ein Verhältnis',
      proved: 'Wenn die Schleife endet, hat sich das kleine Zahnrad um genau 3 mal n Zähne gedreht.',
    },
    'two-stacks': {
      title: 'Zwei Stapel',
      text:
        'Münzen wandern einzeln vom höheren Stapel auf den niedrigeren, bis beide gleich hoch sind, oder ' +
        'fast. Das Programm ändert seine eigenen Eingaben: old(left) ist, was left am Anfang war.',
      idea: 'die alten Werte merken',
      proved: 'Wenn die Schleife endet, liegt auf dem höheren Stapel die Hälfte aller Münzen, aufgerundet.',
    },
    'sharing-out': {
      title: 'Gerecht teilen',
      text: 'Bonbons werden verteilt: eines für jedes Kind, immer wieder, solange sie noch für alle reichen.',
      idea: 'ganze Teile plus Rest',
      proved:
        'Wenn die Schleife endet, sind es each mal children Bonbons und die übrigen, und übrig sind ' +
        'weniger, als Kinder da sind.',
    },
    'merry-go-round': {
      title: 'Karussell',
      text:
        'Ein Karussell hat die Sitze 0 bis 4. Bei jedem Schritt kommt der nächste Sitz zum Eingang, und ' +
        'nach Sitz 4 kommt wieder Sitz 0.',
      idea: 'immer im Kreis: Reste',
      proved: 'Wenn die Schleife endet, ist der Sitz am Eingang der Rest von n geteilt durch 5.',
    },
    'stack-of-squares': {
      title: 'Turm aus Quadraten',
      text:
        'Ein Turm wird von oben gebaut: eine Schicht 1 mal 1, darunter eine 2 mal 2, und so weiter. Er ' +
        'braucht mindestens so viele Steine wie seine unterste Schicht; genau zählen musst du nicht.',
      idea: 'mindestens genügt',
      proved: 'Wenn die Schleife endet, hat der Turm mindestens so viele Steine wie seine unterste Schicht.',
    },
    'rain-barrel': {
      title: 'Regentonne',
      text:
        'In einer Tonne ist vielleicht schon Wasser, wenn es zu regnen beginnt. Am Ende ist mindestens so ' +
        'viel darin, wie der Regen brachte; ist rain negativ, hat die Tonne ein Leck.',
      idea: 'mindestens, auch unter null',
      proved:
        'Wenn die Schleife endet, ist in der Tonne mindestens hours mal rain, auch wenn das unter null ' + 'liegt.',
    },
    'two-by-two': {
      title: 'Zwei und zwei',
      text:
        'Die Tiere gehen zu zweit an Bord, solange es weniger sind als bestellt. Warum ist es nie eines zu ' + 'viel?',
      idea: 'wahr, braucht aber Hilfe',
      proved: 'Wenn die Schleife endet, sind genau 2 mal pairs Tiere an Bord.',
    },
    'growing-fields': {
      title: 'Wachsende Felder',
      text:
        'Jedes Jahr wird das Feld einen Schritt breiter und länger, und seine Fläche kommt zur Ernte ' +
        'hinzu. Alle Ernten zusammen sind mindestens so groß wie das letzte Feld.',
      idea: 'eine Schranke braucht eine Gleichung',
      proved: 'Wenn die Schleife endet, sind alle Ernten zusammen mindestens years mal length.',
    },
    'growing-square': {
      title: 'Wachsendes Quadrat',
      text:
        'Ein Quadrat wächst an zwei Seiten zugleich: ein Streifen darüber, ein Streifen daneben und eine ' +
        'Fliese für die Ecke.',
      idea: 'wachsende Schritte geben Quadrate',
      proved: 'Wenn die Schleife endet, ist die Fläche n im Quadrat.',
    },
    'odd-tiles': {
      title: 'Ungerade Fliesen',
      text:
        'Dasselbe Quadrat aus ungeraden Zahlen: 1 Fliese, dann 3, dann 5. Das Programm sagt nicht mehr, ' +
        'warum, aber die Spalten wissen es.',
      idea: 'die Hilfsspalte erklären',
      proved: 'Wenn die Schleife endet, ist die Fläche n im Quadrat, was n auch ist.',
    },
    summation: {
      title: 'Summe',
      text:
        'Addiere 1 + 2 + 3 und so weiter bis n. Der junge Gauß soll im Unterricht eine Abkürzung gefunden ' +
        'haben; beweise nun, dass sie stimmt.',
      idea: 'die Hälfte eines Produkts',
      proved: 'Wenn die Schleife endet, ist das Doppelte von sum gleich n mal (n + 1).',
    },
    summation2: {
      title: 'Summe, einen Schritt zurück',
      text: 'Dieselbe Summe, mit einem zweiten Zähler, der dem ersten nachläuft. Nutze ihn oder erkläre ihn ' + 'weg.',
      idea: 'ein zweiter Zähler, den du weglassen kannst',
      proved: 'Wenn die Schleife endet, ist das Doppelte von s gleich n mal (n + 1).',
    },
    'mult-of-6': {
      title: 'Summe der Quadrate',
      text:
        'Addiere die ersten n Quadratzahlen. Archimedes kannte eine Formel für das Sechsfache dieser ' +
        'Summe; zeig, dass das Programm mit ihr übereinstimmt.',
      idea: 'dasselbe Rezept, eine Stufe höher',
      proved: 'Wenn die Schleife endet, ist 6 mal res gleich n mal (n + 1) mal (2n + 1).',
    },
    'int-square-root': {
      title: 'Quadratwurzel',
      text:
        'Finde die größte ganze Zahl, deren Quadrat höchstens n ist, indem du ungerade Zahlen addierst, ' +
        'bis es zu viele sind.',
      idea: 'zwischen zwei Quadraten',
      proved: 'Wenn die Schleife endet, ist cnt der ganze Teil der Quadratwurzel von n.',
    },
    cube: {
      title: 'Würfel',
      text:
        'Ein Würfel wächst Schale um Schale, und das Programm addiert nur. Die Hilfsvariable a folgt einem ' +
        'Muster, das du schon kennst.',
      idea: 'halbe Produkte bauen Würfel',
      proved: 'Wenn die Schleife endet, ist res n mal n mal n.',
    },
    cube2: {
      title: 'Würfel aus Differenzen',
      text:
        'Noch einmal dritte Potenzen, wie eine mechanische Rechenmaschine sie bilden würde: drei laufende ' +
        'Summen, jede speist die vorige, und keine einzige Multiplikation.',
      idea: 'eine Leiter von Helfern',
      proved: 'Wenn die Schleife endet, ist res n mal n mal n.',
    },
    'tide-mark': {
      title: 'Wassermarke',
      text:
        'Das Meer steigt und fällt zufällig, bis zu drei Fuß in der Stunde. Eine Marke an der Mauer wird ' +
        'hochgeschoben und bleibt, wo das Meer am höchsten stand.',
      idea: 'wahr, was auch der Zufall will',
      proved: 'Wenn die Schleife endet, ist die Marke mindestens so hoch wie das Meer jetzt und wie am Anfang.',
    },
    wanderer: {
      title: 'Wanderer',
      text:
        'In jedem Umlauf geht ein Wanderer einen Schritt nach links, einen nach rechts, oder er rastet; ' +
        'niemand weiß, was. Wie weit kann ihn das von zu Hause wegführen?',
      idea: 'Abstand nach beiden Seiten',
      proved:
        'Wenn die Schleife endet, ist der Wanderer höchstens n Schritte von zu Hause entfernt, auf welcher ' +
        'Seite auch immer.',
    },
    handfuls: {
      title: 'Handvoll um Handvoll',
      text:
        'Ein Korb wird in Portionen von einem, zwei oder drei Äpfeln weggetragen; niemand weiß, welche. ' +
        'Trotzdem lässt sich die Zahl der Gänge von beiden Seiten beschränken.',
      idea: 'von beiden Seiten einklemmen',
      proved:
        'Wenn die Schleife endet, gab es höchstens so viele Gänge wie Äpfel und höchstens drei Äpfel für ' +
        'jeden Gang.',
    },
    'bean-can': {
      title: 'Die Bohnendose',
      text:
        'Zieh zwei Bohnen aus einer Dose: Zwei von einer Farbe werden durch eine schwarze ersetzt, zwei ' +
        'verschiedene durch eine weiße. Das Glück entscheidet jeden Zug, aber nicht die Farbe der letzten ' +
        'Bohne. Ein Rätsel, das Dijkstra erzählt hat.',
      idea: 'Gerade bleibt gerade, auch mit Glück',
      proved:
        'Wenn die Schleife endet, ist eine Bohne übrig, und sie ist genau dann weiß, wenn die Zahl der ' +
        'weißen ungerade war.',
    },
    'light-switch': {
      title: 'Lichtschalter',
      text:
        'Das Licht ist aus, und jemand drückt n-mal auf den Schalter. Wann ist es am Ende an? Hier ist ' +
        'eine Variable wahr oder falsch statt eine Zahl.',
      idea: 'wahr genau dann, wenn',
      proved: 'Wenn die Schleife endet, ist das Licht genau dann an, wenn n ungerade ist.',
    },
    'canal-lock': {
      title: 'Schleuse',
      text:
        'Jemand bedient eine Schleuse aufs Geratewohl: Zug 0 füllt oder leert sie, solange beide Tore zu ' +
        'sind; Zug 1 öffnet oder schließt das Tor auf der Höhe des Wassers.',
      idea: 'wenn dies, dann das',
      proved: 'Wenn die Schleife endet, sind nicht beide Tore offen, welche Züge auch gemacht wurden.',
    },
    thermostat: {
      title: 'Thermostat',
      text:
        'Bei 17 Grad geht die Heizung an, bei 22 wieder aus. Dazwischen wird es im Raum jede Stunde ein ' +
        'Grad wärmer oder kälter.',
      idea: 'ein Bereich, zwei Fälle',
      proved: 'Wenn die Schleife endet, hat der Raum zwischen 17 und 22 Grad.',
    },
    'there-and-back': {
      title: 'Hin und zurück',
      text:
        'Geh n Schritte weit hinaus, dann wieder heim. Was die erste Schleife weiß, musst du der zweiten ' +
        'erst sagen.',
      idea: 'eine Aussage weitergeben',
      proved: 'Wenn die zweite Schleife endet, waren es 2 mal n Schritte.',
    },
    'floor-tiles': {
      title: 'Bodenfliesen',
      text:
        'Fliesen werden einzeln gelegt, Reihe um Reihe. Die innere Schleife legt eine Reihe, die äußere ' +
        'zählt die Reihen.',
      idea: 'eine Schleife in der anderen',
      proved: 'Wenn die Schleifen enden, liegen rows mal wide Fliesen auf dem Boden.',
    },
    'small-change': {
      title: 'Kleingeld',
      text:
        'Bezahle einen Preis mit Fünfern, solange es geht, dann mit Einern. Es gibt zwei Schleifen, und ' +
        'jede braucht eigene Invarianten.',
      idea: 'eine Grenze für jede Schleife',
      proved: 'Wenn die Schleifen enden, ergeben Fünfer und Einer genau den Preis, mit weniger als fünf Einern.',
    },
    'doubling-division': {
      title: 'Division durch Verdoppeln',
      text:
        'Teile n durch d mit Rest: Zieh d so oft verdoppelt ab, wie es passt, und beginne mit dem Rest von ' +
        'vorn. Eine Schleife lebt in der anderen.',
      idea: 'Aussagen überstehen innere Schleifen',
      proved: 'Wenn die Schleifen enden, ist q, wie oft d in n passt, und r ist der Rest, kleiner als d.',
    },
    'digit-by-digit': {
      title: 'Ziffer um Ziffer',
      text:
        'Eine Zahl wird Ziffer um Ziffer abgeschrieben, von rechts: Die letzte Ziffer von rest wandert ' +
        'nach done, an die Stelle, die unit angibt.',
      idea: 'erledigt plus noch zu tun',
      proved: 'Wenn die Schleife endet, ist done wieder die Zahl n.',
    },
    'binary-product': {
      title: 'Binäres Produkt',
      text:
        'Multipliziere wie die Schreiber Ägyptens, durch Verdoppeln und Halbieren. Alle Zahlen ändern sich ' +
        'ständig, und doch bleibt etwas gleich.',
      idea: 'alles ändert sich, eine Summe bleibt',
      proved: 'Wenn die Schleife endet, ist res a mal b.',
    },
    'rice-on-a-chessboard': {
      title: 'Reis auf dem Schachbrett',
      text:
        'Ein Reiskorn auf dem ersten Feld, zwei auf dem nächsten, dann vier: Jedes Feld verdoppelt die ' +
        'Körner. Wie viele sind es zusammen?',
      idea: 'Verdoppeln ist eine Potenz',
      proved: 'Wenn die Schleife endet, liegt ein Korn weniger als 2 hoch n auf dem Brett.',
    },
    'half-the-cake': {
      title: 'Der halbe Kuchen',
      text:
        'Jeden Tag wird die Hälfte dessen gegessen, was vom Kuchen übrig ist. Etwas bleibt immer, und du ' +
        'kannst genau sagen, wie viel.',
      idea: 'auch Brüche gehorchen',
      proved: 'Wenn die Schleife endet, ist der Kuchen gegessen, bis auf einen von 2 hoch n gleichen Teilen.',
    },
    'knock-out': {
      title: 'K.-o.-Turnier',
      text:
        'In einem K.-o.-Turnier geht nach jeder Runde die Hälfte der Spieler nach Hause, also muss ihre ' +
        'Zahl eine Zweierpotenz sein. Wie viele Spiele braucht es, bis der Sieger feststeht?',
      idea: 'Hälften, die ganz bleiben',
      proved: 'Wenn die Schleife endet, waren es genau n - 1 Spiele.',
    },
    'casting-out-nines': {
      title: 'Neunerprobe',
      text:
        'Addiere die Ziffern einer Zahl, dann die Ziffern der Summe, bis eine Ziffer übrig ist: eine alte ' +
        'Probe auf Teilbarkeit durch neun. Vom Helfer digit_sum darfst du benutzen, was sein post ' +
        'verspricht.',
      idea: 'dem Versprechen eines Helfers trauen',
      proved: 'Wenn die Schleife endet: Ist n durch 9 teilbar, so ist x gleich 0 oder 9.',
    },
    euclid: {
      title: 'Euklid',
      text:
        'Zieh die kleinere Zahl von der größeren ab, bis beide gleich sind. Über zweitausend Jahre alt und ' +
        'noch immer in Gebrauch.',
      idea: 'was jeder Schritt bewahrt',
      proved: 'Wenn die Schleife endet, ist x der größte gemeinsame Teiler von a und b.',
    },
    'closing-in': {
      title: 'Einkreisen',
      text:
        'Noch einmal die Quadratwurzel, auf dem schnellen Weg: Halte sie zwischen zwei Schranken und sieh ' +
        'jedes Mal in der Mitte nach.',
      idea: 'Schranken, die nach innen rücken',
      proved: 'Wenn die Schleife endet, ist lo der ganze Teil der Quadratwurzel von n.',
    },
    'gcd-and-lcm': {
      title: 'Zwei zum Preis von einem',
      text:
        'Euklid findet den größten gemeinsamen Teiler allein durch Abziehen. Zwei weitere Variablen, von ' +
        'Dijkstra hinzugefügt, ergeben im Mittel das kleinste gemeinsame Vielfache.',
      idea: 'zwei bewahrte Werte zusammen',
      proved:
        'Wenn die Schleife endet, ist x der größte gemeinsame Teiler von a und b, und x mal u + v ist ihr ' +
        'doppeltes Produkt.',
    },
    'rabbit-pairs': {
      title: 'Kaninchen\u00ADpaare',
      text:
        'Fibonaccis Kaninchen: Jeden Monat werden die beiden neuesten Zahlen addiert. Nachbarn in dieser ' +
        'Folge erfüllen beinahe eine Gleichung; sie verfehlen sie um eins, mal auf dieser Seite, mal auf ' +
        'jener.',
      idea: 'zwei Fälle stützen einander',
      proved:
        'Wenn die Schleife endet und n gerade ist, ist b im Quadrat um eins größer als a im Quadrat plus a ' + 'mal b.',
    },
    'folding-paper': {
      title: 'Papier falten',
      text:
        'Ein Papierstreifen wird immer wieder in der Mitte gefaltet, solange er länger ist als ein Finger; was beim ' +
        'Falten übersteht, wird abgeschnitten. Beweise zuerst, wo es aufhört. Dann zünde die zweite Lampe an: Was ' +
        'wird in jedem Umlauf kleiner?',
      idea: 'was schrumpft, hört auf',
      proved: 'Wenn die Schleife endet, ist der Streifen genau einen Finger lang.',
      nudge: 'Sieh dir die Spalte length von Zeile zu Zeile an. Tippe decreases und eine Zahl, die jedes Mal fällt.',
    },
    'two-ropes': {
      title: 'Zwei Seile',
      text:
        'Vom längeren von zwei Seilen wird ein Stück abgeschnitten, das so lang ist wie das kürzere, bis beide ' +
        'gleich ' +
        'lang sind. Kein Seil wird in jedem Umlauf kürzer. Was dann? Und welche Aussagen braucht das?',
      idea: 'ein Fall braucht seine Aussagen',
      proved: 'Wenn die Schleife endet, ist vom ersten Seil noch etwas übrig.',
      nudge:
        'In jedem Umlauf wird ein Seil gekürzt, das andere bleibt. Sieh dir beide zusammen an. Abschneiden macht nur ' +
        'kürzer, wenn das Abgeschnittene länger als 0 ist.',
    },
    'thrown-ball': {
      title: 'Geworfener Ball',
      text:
        'Ein Ball wird hochgeworfen. Er steigt, solange er Schwung hat, und jede Sekunde verliert er etwas ' +
        'davon; dann ' +
        'fällt er, schneller und schneller, auf den Boden. Zuerst wächst die Höhe, am Ende ist die Geschwindigkeit ' +
        'unter null. Was fällt die ganze Zeit?',
      idea: 'erst fällt eines, dann ein anderes',
      proved: 'Wenn die Schleife endet, hat der Ball so viel Geschwindigkeit verloren, wie Sekunden vergangen sind.',
      nudge:
        'Zwei Abschnitte brauchen zwei Zahlen mit einem Komma: Die erste muss im ersten Abschnitt fallen und dann ' +
        'stehen bleiben. Mit max(0, …) bleibt eine Zahl bei 0 stehen.',
    },
    hydra: {
      title: 'Hydra',
      text:
        'Schlag der Hydra einen Kopf ab. Hat ein Hals keinen Kopf mehr, so verdorrt er, und auf dem nächsten ' +
        'wachsen so ' +
        'viele Köpfe, wie die Hydra will. Niemand kann sagen, wie lange es dauert. Warum gewinnt der Held trotzdem?',
      idea: 'die erste Zahl wiegt mehr',
      proved: 'Wenn die Schleife endet, ist kein Hals und kein Kopf mehr da.',
      nudge: 'Mit einem Komma wiegt die erste Zahl mehr: Wo sie fällt, darf die zweite wachsen, wie sie will.',
    },
    'frog-pond': {
      title: 'Froschteich',
      text:
        'Zehn Steine liegen im Kreis im Teich, mit den Nummern 0 bis 9. Ein Frosch startet auf Stein 0 und ' +
        'springt immer ' +
        'zwei Steine weiter, bis er auf seinem Ziel sitzt. Beweise, was versprochen ist. Dann finde ein Ziel, ' +
        'für das ' +
        'der Frosch ewig springt: Kein Maß kann ihm helfen.',
      idea: 'manche Läufe enden nie',
      proved: 'Wenn die Schleife endet, ist die Nummer des Ziels gerade.',
      nudge:
        'Lass das Programm mit anderen Zielen laufen. Sitzt der Frosch auf einem Stein, auf dem er schon saß, so ' +
        'wiederholt sich alles. Unter der Tabelle kannst du sagen, dass dieser Lauf nie endet.',
    },
    ...DE_ROWS_OF_BOXES,
  },
}
