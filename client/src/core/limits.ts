// The bounds of the language that concern the client; the same as src/idg/sip/limits.py, which explains them.

export const PROGRAM_CHARS_MAX = 100_000
export const EXPRESSION_NODES_MAX = 5_000
export const EXPRESSION_LEVELS_MAX = 100
export const READING_LEVELS_MAX = 220
export const LITERAL_DIGITS_MAX = 1_000
export const NAME_CHARS_MAX = 100
export const BLOCK_LEVELS_MAX = 40
export const LOOP_LEVELS_MAX = 10
export const IF_BRANCHES_MAX = 100
export const VARIABLES_MAX = 200
export const PROBLEMS_MAX = 20
export const VARIABLE_BITS_MAX = 8_192
export const NUMBER_BITS_MAX = 65_536
export const EVALUATION_STEPS_MAX = 20_000
export const CALL_DEPTH_MAX = 200
export const PRINTS_MAX = 100_000
export const PRINTED_CHARS_MAX = 5_000_000
