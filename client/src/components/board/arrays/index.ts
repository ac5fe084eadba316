// What the board knows of arrays. It is loaded after the board, and before it where the program has arrays.

import '../../../core/arrays'

export { default as Cells } from './Cells.svelte'
export { countersOf, marksOf, numbersIn, paintedIn } from '../../../game/arrays/cells'
export { readInputs, typedTexts } from '../../../game/arrays/inputs'
export { failureText } from '../../../game/arrays/failure'
export { witness } from '../../../core/arrays/witness'
