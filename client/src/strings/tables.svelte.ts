// Tables of sentences, and the current language. The English table is part of the chunk that uses it; other languages
// are loaded. A sentence is a string, or a function where it depends on its arguments (plurals, order of words).

export type LanguageName = 'en' | 'de'
export const LANGUAGES: Readonly<Record<LanguageName, string>> = { en: 'English', de: 'Deutsch' }

type Sentence = string | ((...args: never[]) => string)
export type Table = Readonly<Record<string, Sentence>>
/** A table in another language: the same keys with the same arguments. */
export type Translation<T extends Table> = {
  readonly [K in keyof T]: T[K] extends (...args: infer A) => string ? (...args: A) => string : string
}
type Args<S> = S extends (...args: infer A) => string ? A : []
export type Translate<T extends Table> = <K extends keyof T>(key: K, ...args: Args<T[K]>) => string

type LoadableTable = { readonly load: (language: LanguageName) => Promise<() => void> }
const parts: LoadableTable[] = []
const spoken = $state<{ language: LanguageName }>({ language: 'en' })
/** Brings a table into the current language. Those that have not come yet stand here. */
const late = new Set<() => Promise<void>>()

export const language = (): LanguageName => spoken.language

export async function speak(wanted: LanguageName): Promise<void> {
  const shows: (() => void)[] = []
  // A page that is loaded in the meantime brings tables of its own, which do not know the wanted language yet.
  while (shows.length < parts.length)
    shows.push(...(await Promise.all(parts.slice(shows.length).map((part) => part.load(wanted)))))
  for (const show of shows) show()
  spoken.language = wanted
  document.documentElement.lang = wanted
}

/**
 * Waits until all tables made so far are in the current language. Await this between loading a page and showing it. A
 * table that could not be loaded is asked for again.
 */
export async function stringsReady(): Promise<void> {
  await Promise.all([...late].map((bring) => bring()))
}

type Loaders<T> = Readonly<Record<Exclude<LanguageName, 'en'>, () => Promise<T>>>

/** A value that differs by language, such as the core's table of problems. */
export function localised<T>(english: T, others: Loaders<T>): () => T {
  const loaded = new Map<LanguageName, T>([['en', english]])
  let current = $state.raw(english)
  const load = async (wanted: LanguageName): Promise<() => void> => {
    const value = loaded.get(wanted) ?? (wanted === 'en' ? english : await others[wanted]())
    loaded.set(wanted, value)
    return () => {
      current = value
    }
  }
  parts.push({ load })
  if (spoken.language !== 'en') {
    let coming: Promise<void> | null = null
    const bring = (): Promise<void> =>
      (coming ??= load(spoken.language).then(
        (show) => {
          show()
          late.delete(bring)
        },
        (error: unknown) => {
          coming = null
          throw error
        },
      ))
    late.add(bring)
    bring().catch(() => {
      // Whoever shows the page awaits `stringsReady`, which asks again.
    })
  }
  return () => current
}

/** Makes the function that says the sentences of a table. */
export function sentences<T extends Table>(english: T, others: Loaders<Translation<T>>): Translate<T> {
  const table = localised<Translation<T>>(english as unknown as Translation<T>, others)
  return ((key: keyof T, ...args: never[]) => {
    const sentence = table()[key] as Sentence
    return typeof sentence === 'string' ? sentence : sentence(...args)
  }) as Translate<T>
}
