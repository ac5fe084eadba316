// vite.config.ts makes these modules from spec/operators.json and spec/operators-arrays.json.
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

declare module '*/operators-arrays.json?parser' {
  import table from '*/operators.json?parser'
  const arrays: Pick<typeof table, 'functions' | 'words'>
  export default arrays
}

declare module '*/operators-arrays-written.json?parser' {
  import arrays from '*/operators-arrays.json?parser'
  export default arrays
}
