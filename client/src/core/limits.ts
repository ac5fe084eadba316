// The bounds of the language that concern the client. They are the same as in src/idg/sip/limits.py; docs/language.md
// explains them.

/** Code points of a program or an expression. */
export const PROGRAM_CHARS_MAX = 100_000
/** Nodes of the tree of an expression. */
export const EXPRESSION_NODES_MAX = 5_000
/** Height of the tree of an expression. */
export const EXPRESSION_LEVELS_MAX = 100
/** Brackets, prefix operators and right operands that are open at the same time while an expression is read. */
export const READING_LEVELS_MAX = 220
/** Digits of a number in a text. */
export const LITERAL_DIGITS_MAX = 1_000
/** Characters of a name. */
export const NAME_CHARS_MAX = 100
/** Blocks inside each other. */
export const BLOCK_LEVELS_MAX = 40
/** Loops inside each other. */
export const LOOP_LEVELS_MAX = 10
/** Branches of one `if`: the `if` and its `else if`s. */
export const IF_BRANCHES_MAX = 100
/** Variables of one function, parameters included. */
export const VARIABLES_MAX = 200
/** Problems that are reported for one text; the others are only counted. */
export const PROBLEMS_MAX = 20
/** Quantifiers inside each other in an expression. */
export const QUANTIFIER_LEVELS_MAX = 3
/** Whole numbers of which one quantifier speaks. */
export const QUANTIFIER_RANGE_MAX = 10_000
/** Cells of an array. */
export const ARRAY_CELLS_MAX = 1_000
/** Bits of the value of a variable. */
export const VARIABLE_BITS_MAX = 8_192
/** Bits of an intermediate result. */
export const NUMBER_BITS_MAX = 65_536
/** Calls, turns of loops and instances of quantifiers that the evaluation of an expression on one row may spend. */
export const EVALUATION_STEPS_MAX = 20_000
/** Calls of helpers inside each other. */
export const CALL_DEPTH_MAX = 200
/** Lines that helpers may print while one row is evaluated. */
export const PRINTS_MAX = 100_000
/** Characters that helpers may print while one row is evaluated. */
export const PRINTED_CHARS_MAX = 5_000_000
