// Paths of the History API, and the page for each. Pages are loaded when they are opened.

import type { Component } from 'svelte'

export type PageName =
  | 'map'
  | 'level'
  | 'room'
  | 'program'
  | 'tutorial'
  | 'glossary'
  | 'own'
  | 'world'
  | 'settings'
  | 'study'
  | 'together'
  | 'class'
  | 'teach'
  | 'enter'
  | 'nothing'
export type Route = {
  readonly page: PageName
  /** What follows the page's name in the path, such as a level's id, a room's code or a program's hash. */
  readonly id: string
  readonly query: URLSearchParams
  readonly path: string
}
/** Every page takes the route that led to it. */
export type Page = Component<{ route: Route }>

const studentClass = (): Promise<{ default: Page }> => import('./pages/Class.svelte')
const level = (): Promise<{ default: Page }> => import('./pages/Level.svelte')
export const PAGES: Readonly<Record<PageName, () => Promise<{ default: Page }>>> = {
  map: () => import('./pages/Map.svelte'),
  level,
  room: level,
  program: level,
  tutorial: () => import('./pages/Tutorial.svelte'),
  glossary: () => import('./pages/Glossary.svelte'),
  own: () => import('./pages/Own.svelte'),
  world: () => import('./pages/World.svelte'),
  settings: () => import('./pages/Settings.svelte'),
  study: () => import('./pages/Study.svelte'),
  together: () => import('./pages/Crowd.svelte'),
  class: studentClass,
  enter: studentClass,
  teach: () => import('./pages/Teach.svelte'),
  nothing: () => import('./pages/Nothing.svelte'),
}
/** Pages whose path must go on after their name. */
const NEEDS_ID: ReadonlySet<PageName> = new Set<PageName>(['level', 'room', 'program', 'together', 'enter'])

/** Pages whose path may go on after their name. */
const MAY_HAVE_ID: ReadonlySet<PageName> = new Set<PageName>([...NEEDS_ID, 'study', 'world', 'class', 'teach'])

const isPage = (name: string): name is PageName => name !== 'nothing' && Object.hasOwn(PAGES, name)

/** The route of a URL. An unknown path leads to a page that says so. */
export function route(url: URL): Route {
  const [name = '', ...rest] = url.pathname.split('/').filter(Boolean).map(decode)
  const id = rest.join('/')
  const known = isPage(name) && (id ? MAY_HAVE_ID.has(name) : !NEEDS_ID.has(name))
  const page = known ? name : name ? 'nothing' : 'map'
  return { page, id: known ? id : '', query: url.searchParams, path: url.pathname + url.search }
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

export const here = (): Route => route(new URL(location.href))

type RouteListener = (route: Route) => void
const listeners = new Set<RouteListener>()
const tell = (): void => {
  for (const listener of listeners) listener(here())
}

export function go(path: string, replace = false): void {
  if (replace) history.replaceState(null, '', path)
  else history.pushState(null, '', path)
  tell()
}

/**
 * Calls back with each new route, until the returned function is called. Plain links inside the site need nothing else.
 */
export function watch(listener: RouteListener): () => void {
  listeners.add(listener)
  if (listeners.size === 1) {
    window.addEventListener('popstate', tell)
    document.addEventListener('click', follow)
  }
  return () => {
    listeners.delete(listener)
    if (!listeners.size) {
      window.removeEventListener('popstate', tell)
      document.removeEventListener('click', follow)
    }
  }
}

/** Handles a click on a link inside the site without loading the whole page again. */
function follow(event: MouseEvent): void {
  const link = event.target instanceof Element ? event.target.closest('a') : null
  const special =
    event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey
  if (!link || special || link.target || link.hasAttribute('download') || link.origin !== location.origin) return
  if (link.pathname.startsWith('/api/') || (link.hash && link.pathname === location.pathname)) return
  event.preventDefault()
  go(link.pathname + link.search + link.hash)
}
