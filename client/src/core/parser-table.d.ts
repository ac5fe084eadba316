// vite.config.ts makes this module from spec/operators.json.
declare module '*/operators.json?parser' {
  const table: {
    readonly operators: readonly {
      readonly token: string
      readonly alternatives: readonly string[]
      readonly fixity: string
      readonly precedence: number
      readonly associativity: string
    }[]
    readonly functions: readonly {
      readonly name: string
      readonly arguments_min: number
      readonly arguments_max: number | null
      readonly example: string
    }[]
    readonly words: readonly { readonly token: string }[]
  }
  export default table
}
