// Whether this browser has shown the lesson about `forall`.

const KEY = 'idg.forall-lesson'

export function hasSeenLesson(): boolean {
  try {
    return localStorage.getItem(KEY) !== null
  } catch {
    return true
  }
}

export function lessonSeen(): void {
  try {
    localStorage.setItem(KEY, 'seen')
  } catch {
    // The browser forbids storage; then the lesson was not shown.
  }
}
