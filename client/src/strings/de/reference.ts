// German: what the operators, functions and words of the language mean. The key is the English explanation in
// spec/operators.json.

export const DE_REFERENCE: Readonly<Record<string, string>> = {
  'If the left side is true, so is the right side.': 'Wenn die linke Seite wahr ist, ist es auch die rechte.',
  'At least one side is true.': 'Mindestens eine Seite ist wahr.',
  'Both sides are true.': 'Beide Seiten sind wahr.',
  'What follows is false.': 'Was folgt, ist falsch.',
  'Both sides are equal.': 'Beide Seiten sind gleich.',
  'The sides are different.': 'Die Seiten sind verschieden.',
  'The left side is smaller.': 'Die linke Seite ist kleiner.',
  'The left side is smaller or equal; comparisons can be chained.':
    'Die linke Seite ist kleiner oder gleich; Vergleiche lassen sich verketten.',
  'The left side is greater.': 'Die linke Seite ist größer.',
  'The left side is greater or equal.': 'Die linke Seite ist größer oder gleich.',
  'The sum.': 'Die Summe.',
  'The difference.': 'Die Differenz.',
  'The product.': 'Das Produkt.',
  'The exact quotient: 7 / 2 is three and a half.': 'Der exakte Quotient: 7 / 2 ist dreieinhalb.',
  'The quotient rounded down: 7 // 2 is 3 and -7 // 2 is -4.':
    'Der abgerundete Quotient: 7 // 2 ist 3 und -7 // 2 ist -4.',
  "The remainder of //: 7 % 2 is 1; it has the divisor's sign.":
    'Der Rest von //: 7 % 2 ist 1; er hat das Vorzeichen des Teilers.',
  'The negative; -x^2 is -(x^2).': 'Das Negative; -x^2 ist -(x^2).',
  'The power: x^3 is x * x * x; the exponent must not be negative.':
    'Die Potenz: x^3 ist x * x * x; der Exponent darf nicht negativ sein.',
  'The absolute value: abs(-3) is 3.': 'Der Betrag: abs(-3) ist 3.',
  'The least of its arguments.': 'Das kleinste der Argumente.',
  'The greatest of its arguments.': 'Das größte der Argumente.',
  'The greatest common divisor: gcd(12, 18) is 6.': 'Der größte gemeinsame Teiler: gcd(12, 18) ist 6.',
  'Whether the first is a power of the second: ispow(8, 2) is true.':
    'Ob das erste eine Potenz des zweiten ist: ispow(8, 2) ist wahr.',
  'Starts a function; the last function of a program is the level.':
    'Beginnt eine Funktion; die letzte Funktion eines Programms ist das Level.',
  'What may be assumed of the inputs.': 'Was von den Eingaben vorausgesetzt werden darf.',
  'What is guaranteed at the end.': 'Was am Ende garantiert wird.',
  'Declares variables with their type.': 'Vereinbart Variablen mit ihrem Typ.',
  'Assigns the value on the right to the variable on the left.': 'Weist der Variablen links den Wert rechts zu.',
  'Runs its block only when the test is true; else if and else may follow.':
    'Führt seinen Block nur aus, wenn die Bedingung wahr ist; else if und else können folgen.',
  'Starts what is run when the test of the if was false.':
    'Beginnt, was ausgeführt wird, wenn die Bedingung des if falsch war.',
  'Repeats its block as long as the test is true; [e] before the test states a given invariant.':
    'Wiederholt seinen Block, solange die Bedingung wahr ist; [e] vor der Bedingung nennt eine gegebene Invariante.',
  'Prints values when the program is run.': 'Gibt Werte aus, wenn das Programm läuft.',
  'Runs in which it is false do not count.': 'Läufe, in denen es falsch ist, zählen nicht.',
  'Must be true whenever the program comes here.': 'Muss wahr sein, wann immer das Programm hierher kommt.',
  'Must be true here; proofs check it and may then use it, runs pass over it.':
    'Muss hier wahr sein; Beweise prüfen es und dürfen es dann benutzen, Läufe gehen darüber hinweg.',
  'Gives the variables any values that make the condition true.':
    'Gibt den Variablen irgendwelche Werte, die die Bedingung wahr machen.',
  'Ends the function with its result, wherever it stands.':
    'Beendet die Funktion mit ihrem Ergebnis, wo immer es steht.',
  'Leaves the innermost loop around it.': 'Verlässt die innerste Schleife, in der es steht.',
  'The value that the function returns.': 'Der Wert, den die Funktion zurückgibt.',
  'The value a parameter had at the start.': 'Der Wert, den ein Parameter am Anfang hatte.',
  'The Boolean that holds.': 'Der Wahrheitswert „wahr“.',
  'The Boolean that does not hold.': 'Der Wahrheitswert „falsch“.',
  'The number of cells of an array.': 'Die Zahl der Zellen eines Feldes.',
  'Whether no cell of a range is greater than the next one.':
    'Ob keine Zelle eines Bereichs größer ist als die nächste.',
  'Whether two arrays have the same values, each as often, in any order.':
    'Ob zwei Felder dieselben Werte haben, jeden gleich oft, in beliebiger Reihenfolge.',
  'What follows holds for every whole number of a range.': 'Was folgt, gilt für jede ganze Zahl eines Bereichs.',
  'What follows holds for some whole number of a range.':
    'Was folgt, gilt für mindestens eine ganze Zahl eines Bereichs.',
  'The sum of the values that follow, over every whole number of a range.':
    'Die Summe der Werte, die folgen, über jede ganze Zahl eines Bereichs.',
  'For how many whole numbers of a range it holds.': 'Für wie viele ganze Zahlen eines Bereichs es gilt.',
  'Exchanges the values of two cells of an array.': 'Vertauscht die Werte zweier Zellen eines Feldes.',
  'Stands before the range of a forall, an exists, a sum or a count.':
    'Steht vor dem Bereich eines forall, exists, sum oder count.',
  'The type of true and false.': 'Der Typ von true und false.',
  'The type of the numbers 0, 1, 2, …': 'Der Typ der Zahlen 0, 1, 2, …',
  'The type of the whole numbers …, -1, 0, 1, …': 'Der Typ der ganzen Zahlen …, -1, 0, 1, …',
  'The type of the fractions, exact.': 'Der Typ der Brüche, exakt.',
}
