// What the server answers: the records of src/idg/engine/wire and of src/idg/coordinator. `make spec` writes this file
// from their description, and a test fails while it is not up to date. Values of programs are strings, because the
// numbers of JSON are not exact. Arrays are lists on the wire and strings here, because net.ts joins them.

/** How hard a program is, by what the agent needed to prove it. */
export type Assessment = {
  readonly outcome: 'solved' | 'refuted' | 'open'
  readonly rounds: number
  readonly invariants: number
  /** For a solved one: the highest degree of its invariants. */
  readonly degree?: number
  /** For a solved one: from 1 to 5. */
  readonly difficulty?: number
  /** For a refuted one: the run that breaks its promise. */
  readonly run?: RunInputs
  /** For an open one: the state that is left. */
  readonly feedback?: FeedbackAnswer
}

/** A level or a program of an assignment. */
export type AssignedItem = {
  readonly number: number
  readonly level: string | null
  /** The hash of the program. */
  readonly program: string
  readonly title: string
  /** What the teacher says about it. */
  readonly text: string
}

/** What students of a class are to do. */
export type Assignment = {
  readonly number: number
  readonly title: string
  readonly text: string
  /** Whether it is done by two in a shared room; otherwise everybody does it alone. */
  readonly pairs: boolean
  readonly hints: boolean
  readonly opens: number | null
  readonly due: number | null
  readonly points: PointsRule
  readonly items: readonly AssignedItem[]
}

/** A class in the list of somebody who is in it. */
export type AttendedClass = {
  readonly class_id: string
  readonly title: string
  readonly archived: boolean
  readonly role: 'teacher' | 'student'
  /** The name of the student; empty for a teacher. */
  readonly name: string
}

/** A class, as one of its students sees it. */
export type AttendedView = {
  readonly class_id: string
  readonly title: string
  readonly archived: boolean
  readonly number: number
  readonly name: string
  readonly now: number
  readonly assignments: readonly OwnAssignment[]
  /** When assignments open that are not open yet. */
  readonly coming: readonly number[]
  readonly messages: readonly ClassMessage[]
}

/** The verdicts on many proposals, which were judged together, and the books after them. */
export type BatchAnswer = {
  readonly kinds: readonly JudgedFact[]
  readonly promoted: readonly Fact[]
  readonly removed: readonly RemovedFact[]
  readonly inductive: readonly Fact[]
  readonly potential: readonly Fact[]
  readonly solved: boolean
  readonly feedback: FeedbackAnswer
  readonly tried?: readonly string[]
  /** The facts on the books about which nothing could be established. */
  readonly unknown?: readonly Fact[]
  readonly rules_out?: readonly StatesRuledOut[]
  /** The measures, and the runs that are said never to end, among the proposals. They are judged after the facts. */
  readonly moves?: readonly JudgedClaim[]
  /** The measures that waited and that are proved to fall now. */
  readonly measures_proved?: readonly Measure[]
  /** What is known of the end of the program's runs, where something was said of it. */
  readonly ending?: EndingReport
  readonly limited?: '' | 'time' | 'memory' | 'died' | 'error'
}

/** Which facts carry which part of the goal, and what waits for what. */
export type BoardAnswer = {
  readonly parts: readonly GoalPartAnswer[]
  readonly waiting: readonly WaitingFactAnswer[]
  readonly proved: readonly ProvedFactAnswer[]
  /** The number of facts of the shortest known proof; None where none is known. */
  readonly best: number | null
  /** Why nothing more is known: the program is beyond what is analysed. */
  readonly too_large: string
}

/** Somebody joined or left; the event says who. */
export type CameOrWent = Readonly<Record<string, never>>

/** What somebody handed in: what was proved, when, by whom, and the hash of the log that shows it. */
export type Certificate = {
  readonly format: string
  readonly version: number
  readonly class_id: string
  readonly class_title: string
  readonly assignment: number
  readonly assignment_title: string
  readonly item: number
  readonly item_title: string
  readonly student: number
  readonly name: string
  /** When it was handed in. */
  readonly time: number
  readonly late: boolean
  readonly room: string
  /** The hash of the program's text. */
  readonly program: string
  readonly level: string | null
  /** The version of the engine that judged. */
  readonly engine: string
  /** How many events of the log the hash is about, from the first one on. */
  readonly events: number
  readonly log_sha256: string
  /** Null where nothing was proved. */
  readonly proof: CertifiedProof | null
  /** Kind → how many of the student's proposals were of it. */
  readonly kinds: Readonly<Record<string, number>>
  /** How many hints were given in the room. */
  readonly hints: number
  /** How many players, programs among them, are or were in the room. */
  readonly players: number
  readonly medals: readonly ('fewest-invariants' | 'fewest-proposals' | 'no-hint')[]
  readonly points: number
  /** Null where it was not shown how the runs end. */
  readonly ending?: CertifiedEnding
}

/** The second mark that a certificate is about: what shows how the program's runs end. */
export type CertifiedEnding = {
  /** The number of the event of the room's log with which the mark was given. */
  readonly event: number
  readonly time: number
  readonly ends: '' | 'ends' | 'never ends'
  readonly measures: readonly Measure[]
  /** The inputs of the run that never ends. */
  readonly inputs: Readonly<Record<string, Value>> | null
  /** Whether the student has a part in it. */
  readonly credited: boolean
}

/** The proof that a certificate is about. */
export type CertifiedProof = {
  /** The number of the event of the room's log with which the program was solved. */
  readonly event: number
  readonly time: number
  readonly facts: readonly Fact[]
  /** Whether the student has a part in it. */
  readonly credited: boolean
}

/** What a run chose once: by a cassign, or for variables that are declared without a value. */
export type ChoiceMade = {
  readonly values: Readonly<Record<string, Value>>
  /** Whether these are the initial values of declared variables. */
  readonly initial: boolean
}

/**
 * Where a code leads: into a class, back to one's own place in a class, or into a room. People have one place for all
 * codes.
 */
export type ClassEntrance = {
  readonly kind: 'class' | 'personal' | 'room'
  /** The title of the class; empty for other codes. */
  readonly title: string
  /** How one joins the class; null for other codes. */
  readonly joining: 'nickname' | 'roster' | null
}

/** The classes of a player. */
export type ClassList = { readonly classes: readonly AttendedClass[] }

/** What a teacher has sent. */
export type ClassMessage = {
  readonly id: number
  readonly kind: 'hint' | 'invitation'
  readonly text: string
  /** Of an invitation: the code of the room. */
  readonly code: string | null
  readonly time: number
  /** The number of the student to whom it was sent; null for all. */
  readonly student: number | null
}

/** Somebody in a class, as the teacher sees them. */
export type ClassStudent = {
  readonly number: number
  readonly name: string
  /** When they joined; null for a name of the list that nobody has taken yet. */
  readonly joined: number | null
}

/** Into which class somebody comes from a learning platform, and as whom. */
export type ClassTicket = {
  readonly class_id: string
  readonly title: string
  readonly role: 'teacher' | 'student'
  readonly name: string
}

/** A code with which others join a room, or with which a player continues on another device. */
export type CodeAnswer = {
  readonly code: string
  /** Until when it can be used, in seconds since 1970; null for the code of a room, which stays. */
  readonly expires: number | null
}

/** A fact, and how many students proposed it. */
export type CountedFact = {
  readonly loop: number
  readonly expression: string
  readonly students: number
}

/** What all players' proposals prove together. */
export type CrowdView = {
  readonly solved: boolean
  /** None for players who have not proved the level themselves. */
  readonly inductive: readonly Fact[] | null
  /** How many distinct facts were combined. */
  readonly candidates: number
  readonly players: number
  readonly proposals: number
  /** How many distinct useful facts there are. */
  readonly distinct: number
  /**
   * The inductive invariants that rest on something that is not proved yet. None are told where the invariants are not.
   */
  readonly resting?: readonly RestingFactAnswer[]
}

/** Today's level, the same for everybody, and the days of this week from Monday to today. */
export type DailyAnswer = { readonly today: DailyLevel; readonly week: readonly DailyDay[] }

/** A day of this week, and the program that was or is its level. */
export type DailyDay = { readonly date: string; readonly program: string }

/** Today's level. It is a level, or a variation of one, which is played as a program. */
export type DailyLevel = {
  /** The day in Universal Time, such as "2026-11-18". */
  readonly date: string
  /** The hash of its source. */
  readonly program: string
  readonly level: string | null
  /** The id of the variation, where it is one. */
  readonly variation: string | null
  readonly title: string
  readonly story: string
  readonly difficulty: number
  readonly minutes: number
}

/** What a member is typing for a loop. It is no proposal and stored nowhere. */
export type DraftAnswer = { readonly loop: number; readonly text: string }

/** What a move earned. */
export type Earned = {
  readonly coins: number
  readonly gem: boolean
  readonly medals: readonly ('fewest-invariants' | 'fewest-proposals' | 'no-hint')[]
  /** How many of the coins were added because the fact has a form that the player had not used yet in the level. */
  readonly doubled?: number
  /** The forms that were new, where coins were doubled. */
  readonly patterns?: readonly string[]
}

/** An analysis that reached a limit of time or memory when it was made again. */
export type EndedByLimit = {
  /** The number of the event with the verdict, or with the state to rule out. */
  readonly event: number
  readonly limit: '' | 'time' | 'memory' | 'died' | 'error'
}

/** What is known of the end of a program's runs. */
export type EndingReport = {
  readonly status: 'ends' | 'never ends' | 'open'
  readonly measures: readonly Measure[]
  readonly loops: readonly number[]
  readonly functions: readonly string[]
  readonly rests_on: readonly UnprovedPlace[]
  readonly run: NeverEndsReport | null
  readonly message: string
  readonly second_check?: '' | 'confirmed' | 'not decided' | 'contradicted'
}

/** The verdict on the claim that a run never ends. */
export type EndlessJudged = {
  /** As it was proposed, in canonical form: `endless x = 3, y = 0`. */
  readonly expression: string
  /** The loop for which it was proposed. A run is one of the whole program, so it does not matter. */
  readonly loop: number
  readonly kind: 'never-ends' | 'run-ends' | 'not-shown'
  readonly inputs: Readonly<Record<string, Value>>
  readonly message: string
  readonly ending: EndingReport
  /** Where the run ends: how, in English. */
  readonly outcome?: string
  /** Why nothing can be said about the run, where that is because of the program. */
  readonly because?: string
  /** Whether it was said before, so that nothing changes. */
  readonly known?: boolean
  readonly limited?: '' | 'time' | 'memory' | 'died' | 'error'
}

/** Who a browser is after it came from a learning platform into a class. */
export type EnteredClass = {
  readonly class_id: string
  readonly role: 'teacher' | 'student'
  readonly player: string
  readonly name: string
  /** For programs; browsers get a cookie. */
  readonly token: string
}

/** The one shape of errors. */
export type ErrorAnswer = {
  /** One of the codes of docs/api.md. */
  readonly code: string
  readonly message: string
  readonly where: ErrorPlace | null
  readonly hint: string
  /** All that is wrong with a text. */
  readonly problems?: readonly TextProblem[]
}

/** What is to blame for an error: a field of the request, and a place where that field is a text. */
export type ErrorPlace = {
  readonly field?: string
  readonly line?: number
  readonly column?: number
  readonly start?: number
  readonly end?: number
}

/** A part of a room's history. */
export type EventPage = {
  readonly events: readonly RoomEvent[]
  /** The number of the room's newest event. */
  readonly last_event: number
}

/** Which invariants the proof of each obligation uses. */
export type Explanation = {
  readonly solved: boolean
  readonly obligations: readonly ObligationAnswer[]
  readonly message: string
}

/** A proved program in the language of another verifier. */
export type ExportedProof = {
  /** Which verifier: dafny, why3, … */
  readonly target: string
  /** A name for the file. */
  readonly file: string
  /** How the verifier is called on it. */
  readonly command: string
  readonly text: string
}

/** An expression for one loop, in canonical text. */
export type Fact = { readonly loop: number; readonly expression: string }

/** A run that breaks the program's promise: no invariant can prove it. */
export type FailingRunAnswer = {
  readonly inputs: Readonly<Record<string, Value>>
  /** The seed of the run's choices. */
  readonly seed: number
  readonly cause: string
  readonly where: Where
  /** What the run chose, in order. */
  readonly choices?: readonly ChoiceMade[]
  /** Where a helper was run alone: the helper; `inputs` are its arguments then. */
  readonly function?: string
}

/** A fact that an engine of another version had accepted, and that this one does not accept as what it was. */
export type FallenFact = {
  readonly loop: number
  readonly expression: string
  readonly was: 'inductive' | 'potential' | 'unknown'
  /** What it is according to this engine. */
  readonly kind:
    'type-tautology' | 'displaced' | 'displaced-potential' | 'non-invariant' | 'inductive' | 'potential' | 'unknown'
  /** Why; empty where the fact was one of many proposals that were judged together. */
  readonly message: string
}

/** A measure on the books of an engine of another version that this one does not accept as what it was. */
export type FallenMeasure = {
  readonly loop: number
  readonly expression: string
  readonly was_proved: boolean
  /** What it is according to this engine. */
  readonly kind: 'falls' | 'does-not-fall' | 'may-not-fall' | 'unknown'
}

/** Where the proof stands: solved, or the next state to rule out, or why there is none. */
export type FeedbackAnswer = {
  readonly solved: boolean
  /** Everything would be proved if the facts of `waits_for` were. */
  readonly potential_suffices: boolean
  readonly state: StateToRuleOut | null
  readonly message: string
  readonly failing?: FailingRunAnswer
  /** Why nothing can be said: the program is beyond what is analysed. */
  readonly too_large?: string
  /** The facts, not proved yet, that the proof of everything would use. */
  readonly waits_for?: readonly Fact[]
  /** Whether another state was asked for and none was found: `state` was shown before. */
  readonly no_other?: boolean
  /** Whether the program promises nothing, so that there is nothing to solve. */
  readonly nothing_to_prove?: boolean
  /**
   * For a program whose obligations are all proved: what the second verifier says. Contradicted: it is not called
   * solved.
   */
  readonly second_check?: '' | 'confirmed' | 'not decided' | 'contradicted'
  /** The inductive invariants that rest on something that is not proved yet. */
  readonly resting?: readonly RestingFactAnswer[]
}

/** The state that a student has to rule out next. */
export type GhostOnBoard = { readonly loop: number; readonly values: Readonly<Record<string, Value>> }

/** A step of a hint that was given to a room; `left` more follow about the same fact. */
export type GivenHint = {
  readonly message: string
  readonly loop: number
  readonly left: number
  /** What it cost. */
  readonly coins: number
} & (
  | { readonly step: 'variable'; readonly variable: string }
  | { readonly step: 'together'; readonly variables: readonly string[] }
  | { readonly step: 'shape'; readonly shape: string; readonly degree: number }
  | { readonly step: 'template'; readonly template: string }
  | { readonly step: 'invariant'; readonly expression: string }
  | { readonly step: 'falls'; readonly variables: readonly string[] }
  | { readonly step: 'measure-template'; readonly template: string }
  | { readonly step: 'measure'; readonly expression: string }
  | { readonly step: 'endless'; readonly variables: readonly string[] }
  | { readonly step: 'endless-run'; readonly expression: string }
)

/**
 * A part of what is to be proved of the program: a conjunct of a post, an assert or a claim, or another requirement.
 */
export type GoalPartAnswer = {
  /**
   * From 1: the level's posts and asserts, then what else it must ensure, then its helpers; each in the order of the
   * text.
   */
  readonly number: number
  /** The condition. In a post, what is returned stands for `result` where that is one short expression. */
  readonly text: string
  /** In the words of docs/language.md: post, assert, claim, narrowing, … */
  readonly cause: string
  readonly where: Where
  /** The loop whose head is passed last before the part must hold; 0 where none is. */
  readonly loop: number
  /** For a part of a helper's contract or body: the helper's name. */
  readonly function: string
  readonly status: 'proved' | 'waits' | 'open' | 'unknown'
  /** The inductive facts that its proof uses or, where it waits, would use. */
  readonly uses: readonly Fact[]
  /** Where it waits: the facts, not proved yet, that its proof would use. */
  readonly waits_for: readonly Fact[]
  /**
   * Where it waits: the parts, not proved yet, that its proof would take for granted, because the program checks them
   * before.
   */
  readonly rests_on: readonly number[]
  /** Where it is open: a state from which this part fails. */
  readonly state: StateToRuleOut | null
  /** Where it is open because it is wrong: a run that breaks it. No invariant can prove it then. */
  readonly failing: FailingRunAnswer | null
}

/** The points of a class. */
export type Gradebook = {
  readonly class_id: string
  readonly title: string
  readonly time: number
  readonly columns: readonly GradedColumn[]
  readonly students: readonly GradedStudent[]
}

/** What a student has for an assignment. */
export type GradedAssignment = {
  readonly assignment: number
  readonly points: number
  readonly items: readonly GradedItem[]
}

/** A level of the gradebook: its title and the most points without medals that it gives. */
export type GradedColumn = {
  readonly assignment: number
  readonly item: number
  readonly title: string
  readonly points_max: number
}

/** What a student has for one level of an assignment. */
export type GradedItem = {
  readonly item: number
  readonly state: 'new' | 'working' | 'again' | 'proved'
  readonly handed_in: number | null
  readonly late: boolean
  /** The points of what was handed in; 0 where nothing was. */
  readonly points: number
}

/** A student's row of the gradebook. */
export type GradedStudent = {
  readonly number: number
  readonly name: string
  readonly points: number
  readonly assignments: readonly GradedAssignment[]
}

/** The promised expressions, and the place where they must hold. */
export type Guarantee = { readonly expressions: readonly SourcePlace[]; readonly where: Where }

/** What became of one level that was to be handed in. */
export type HandInResult = {
  readonly item: number
  readonly handed_in: boolean
  readonly points: number
  readonly late: boolean
  readonly reason: 'nothing' | 'not-alone' | 'no-pair' | 'again' | 'kept' | null
}

/** What became of the levels of an assignment that were to be handed in. */
export type HandInResults = { readonly items: readonly HandInResult[] }

/** The helper that a loop belongs to: its name and its parameters. */
export type HelperPlaces = {
  readonly name: string
  readonly params: readonly TypedName[]
  /** Parameters that it changes. */
  readonly assigned_params: readonly string[]
}

/** A room into which facts of a progress file were put, and what the engine says of them. */
export type ImportedRoom = {
  readonly room: string
  readonly level: string | null
  readonly program: string
  readonly kinds: readonly JudgedFact[]
  readonly solved: boolean
  /** Medals that the file names and that are not given, because it lacks the seal of this server. */
  readonly unproved?: readonly ('fewest-invariants' | 'fewest-proposals' | 'no-hint')[]
  /** What the engine says of the measures of the file, and of a run in it that is said never to end. */
  readonly moves?: readonly JudgedClaim[]
  /** The second mark of the room. */
  readonly ends?: '' | 'ends' | 'never ends'
}

/** What became of a progress file. */
export type ImportedRooms = {
  readonly rooms: readonly ImportedRoom[]
  /** Whether the file had the seal of this server, so that what was earned and spent came back with it. */
  readonly seal: 'ours' | 'none' | 'not-ours'
}

/** A student who has just joined a class, or has come back. */
export type JoinedClass = {
  readonly class_id: string
  readonly title: string
  readonly number: number
  readonly name: string
  readonly player: string
  /** For programs; browsers get a cookie. Null where the caller is this student already. */
  readonly token: string | null
  /** The personal code with which the student comes back on any device. It is told once. */
  readonly code: string | null
}

/** An engine of another version has judged everything in the room again, from its first event on. */
export type JudgedAgain = {
  /** Its version. */
  readonly engine: string
  readonly engine_before: string
  readonly was_solved: boolean
  readonly solved: boolean
  readonly fallen: readonly FallenFact[]
  /** How many facts that were on the books still hold. */
  readonly kept: number
  /** Facts that are inductive now and were not before. */
  readonly gained: readonly Fact[]
  readonly inductive: readonly OwnedFact[]
  readonly potential: readonly OwnedFact[]
  readonly feedback: FeedbackAnswer
  readonly limited?: readonly EndedByLimit[]
  /** The facts about which nothing could be established. */
  readonly unknown?: readonly OwnedFact[]
  readonly measures?: readonly OwnedMeasure[]
  readonly fallen_measures?: readonly FallenMeasure[]
  /** The second mark that the room had before. */
  readonly had_ended?: '' | 'ends' | 'never ends'
  readonly ends?: '' | 'ends' | 'never ends'
  readonly ending?: EndingReport
}

/** A measure of a batch of proposals, or a run that is said in it never to end, and what it is. */
export type JudgedClaim = {
  readonly loop: number
  readonly expression: string
  /** What it is, in the words of `MeasureKind` or `EndlessKind`. */
  readonly kind: string
}

/** A fact of a batch, and what it is. */
export type JudgedFact = {
  readonly loop: number
  readonly expression: string
  readonly kind:
    'type-tautology' | 'displaced' | 'displaced-potential' | 'non-invariant' | 'inductive' | 'potential' | 'unknown'
}

/** The answer to a proposal: the event with its verdict, what it earned, and the player's score for the program. */
export type JudgedMove = {
  readonly event: RoomEvent
  readonly earned: Earned
  readonly score: Score
}

/** What a player has earned and spent with a program, as a progress file keeps it. */
export type KeptScore = {
  /** The hash of its source. What was ruled out counts for the very same program only. */
  readonly program: string
  /** The version of the engine by whose samples it was ruled out. Another one takes the coins as they are. */
  readonly engine: string
  readonly coins: number
  readonly gem: boolean
  readonly medals: readonly ('fewest-invariants' | 'fewest-proposals' | 'no-hint')[]
  /** For each room in which coins were spent, named by a digest, how many. So no file makes them count twice. */
  readonly spent: Readonly<Record<string, number>>
  readonly ruled_out?: readonly StatesRuledOut[]
  /** Pattern → what it earned once more. */
  readonly doubled?: Readonly<Record<string, number>>
  /** The first few accepted expressions. */
  readonly expressions?: readonly string[]
  /** Whether the player has a part in the second mark. */
  readonly ends?: boolean
}

/** All levels in the order of play, and the worlds that group them. */
export type LevelList = { readonly worlds: readonly ListedWorld[]; readonly levels: readonly ListedLevel[] }

/** How far a participant is with one level. */
export type LevelProgress = {
  readonly opened: boolean
  /** With code: the guarantee is proved. Without code: enough expressions were accepted. */
  readonly done: boolean
}

/** A level in the list of all levels. */
export type ListedLevel = {
  readonly level: string
  readonly title: string
  readonly world: string
  /** From 1 to 5: a stroll, a walk, a climb, steep, a summit. */
  readonly difficulty: number
  readonly story: string
  readonly loops: number
  /** The hash of its source. */
  readonly program: string
  /** About how long a player takes who has played what comes before. */
  readonly minutes: number
  /** The one new idea, in a few words. */
  readonly idea: string
  /** The name of the idea's sign. */
  readonly icon: string
  /** The ids of the patterns that its shortest known proof uses. */
  readonly patterns: readonly string[]
  /** The ids of the levels that prepare it. */
  readonly after: readonly string[]
  /** Inputs that its program never changes. The form of a fact depends on them. */
  readonly fixed: readonly string[]
  /** For a side lamp, which may be left out: the id of the level that it stands beside. */
  readonly beside?: string
  /** Whether it is one of the twelve levels of the paper that first described the game. */
  readonly paper?: boolean
  readonly ending?: '' | 'ends' | 'never ends'
}

/** A measure on the books. */
export type ListedMeasure = {
  readonly loop: number
  readonly expression: string
  /** Whether it is proved to fall. The others wait, and are tried again when facts arrive. */
  readonly proved: boolean
}

/** What became of the list of a course's members that a learning platform told. */
export type ListedMembers = {
  /** Students who are new. */
  readonly added: number
  /** Students who were there already. */
  readonly known: number
  /** Teachers and others, who are no students. */
  readonly others: number
}

/** A room in the list of a player's rooms. */
export type ListedRoom = {
  readonly room: string
  readonly code: string | null
  readonly program: string
  readonly level: string | null
  readonly variant: 'code' | 'trace'
  readonly time: number
  readonly solved: boolean
  readonly version: number
  /**
   * Whether an engine of another version made the books. They are being judged again, and `solved` is false meanwhile.
   */
  readonly judging_again?: boolean
  /** The second mark, as in a `RoomAnswer`. */
  readonly ends?: '' | 'ends' | 'never ends'
}

/**
 * A score in the list of all scores of a player. It says what `Score` says, in the order that this list has always had.
 */
export type ListedScore = {
  readonly coins: number
  readonly gem: boolean
  readonly medals: readonly ('fewest-invariants' | 'fewest-proposals' | 'no-hint')[]
  readonly spent: number
  readonly ends?: boolean
}

/** A group of levels. */
export type ListedWorld = {
  readonly id: string
  readonly title: string
  readonly text: string
  /** The id of the level of this world that is offered as a table game, without its program. */
  readonly table: string
}

/** The room was opened. */
export type Loaded = {
  readonly level: string | null
  readonly program: string
  /** The version of the engine with which it was opened. */
  readonly engine?: string
}

/** A loop of a program: its number, the loop around it, its variables and its parts. */
export type LoopPlaces = {
  readonly number: number
  readonly outer: number | null
  readonly columns: readonly TypedName[]
  readonly where: Where
  readonly test: SourcePlace
  readonly body: Where
  /** The helper that it belongs to. The loops of helpers come after those of the level. */
  readonly helper?: HelperPlaces
}

/** The states at the head of one loop in a run, row by row. */
export type LoopTrace = {
  readonly loop: number
  readonly columns: readonly string[]
  readonly rows: readonly (readonly Value[])[]
  /** The loop around it. */
  readonly outer?: number
  /** For each row: the index of the enclosing loop's row during which it was reached. */
  readonly outer_rows?: readonly number[]
  /**
   * For a loop of a helper: the arguments of the call that is shown. There are no rows where the run does not call it.
   */
  readonly call?: Readonly<Record<string, Value>>
  /** How many rows there were, told or not. */
  readonly rows_total: number
  /** The index of the first row that is told. */
  readonly offset?: number
}

/** What is said to fall in every turn of a loop: components in canonical text, the weightiest first, with commas. */
export type Measure = { readonly loop: number; readonly text: string }

/** The verdict on a proposed measure, and the measures after it. */
export type MeasureJudged = {
  /** As it was proposed, in canonical form: `decreases n - i`. */
  readonly expression: string
  readonly loop: number
  readonly kind: 'falls' | 'does-not-fall' | 'may-not-fall' | 'unknown'
  readonly report: MeasureReport
  /** All measures on the books, after it. */
  readonly measures: readonly ListedMeasure[]
  readonly ending: EndingReport
  readonly limited?: '' | 'time' | 'memory' | 'died' | 'error'
}

/** The answer to a proposed measure. */
export type MeasureReport = {
  readonly measure: string
  readonly loop: number
  readonly kind: 'falls' | 'does-not-fall' | 'may-not-fall' | 'unknown'
  readonly message: string
  readonly uses?: readonly Fact[]
  readonly rests_on?: readonly UnprovedPlace[]
  readonly turn?: TurnReport
  readonly waits_for?: readonly Fact[]
  readonly known?: boolean
  readonly tried?: readonly string[]
  readonly because?: string
}

/** A player of a room. */
export type MemberAnswer = {
  readonly player: string
  readonly name: string
  readonly agent: boolean
  /** Connected to the room's socket now. */
  readonly here: boolean
  readonly left: boolean
}

/** All that a member shows the others at the moment: null where they show nothing. */
export type MemberSignal = {
  readonly player: string
  readonly draft: DraftAnswer | null
  readonly row: PointedRow | null
  readonly said: SaidPhrase | null
}

/** A run that never ends. */
export type NeverEndsReport = {
  readonly loop: number
  readonly inputs: Readonly<Record<string, Value>>
  readonly choices: readonly ChoiceMade[]
  readonly row: number
  readonly state: Readonly<Record<string, Value>>
  readonly again: number
  readonly stays: readonly string[]
  /** Where the program makes choices: what the run chooses each time, for each variable, as an expression. */
  readonly chosen?: Readonly<Record<string, string>>
  /**
   * Where calls go on inside of each other for ever: the function that is called with the arguments `state`, and inside
   * of that call again before it returns, with arguments of which `stays` holds, too. Then `loop` is 0.
   */
  readonly function?: string
  /** Whether it is called with the same arguments again. */
  readonly is_same_call?: boolean
  /** Where a run that chooses comes back to a row: how many of its choices, the last ones, it makes again and again. */
  readonly repeats?: number
}

/** What must be proved of the program at one place, and whether it is. */
export type ObligationAnswer = {
  readonly cause: string
  readonly where: Where
  readonly function: string
  readonly status: 'proved' | 'refuted' | 'unknown'
  /** For a proved one: the invariants that its proof uses. */
  readonly uses: readonly Fact[]
  /** For a proved one: what its proof rests on that is not proved yet. */
  readonly rests_on?: readonly UnprovedPlace[]
}

/** Everything that a client needs to show a room. */
export type OpenedRoom = {
  readonly room: RoomAnswer
  readonly program: ProgramAnswer
  readonly trace: TraceAnswer
  readonly player: PlayerAnswer
  readonly score: Score
}

/** An assignment, as a student sees it. */
export type OwnAssignment = {
  readonly number: number
  readonly title: string
  readonly text: string
  readonly pairs: boolean
  readonly hints: boolean
  readonly due: number | null
  readonly points: PointsRule
  /** Whether what is handed in now is late. */
  readonly is_late: boolean
  readonly items: readonly OwnItem[]
}

/** A level of an assignment, as a student sees it. */
export type OwnItem = {
  readonly item: AssignedItem
  readonly state: 'new' | 'working' | 'again' | 'proved'
  readonly handed_in: number | null
  readonly late: boolean
  /** The points of what was handed in. */
  readonly points: number | null
}

/** A fact on a room's books, and who proposed it first. */
export type OwnedFact = {
  readonly loop: number
  readonly expression: string
  /** Who proposed it first. */
  readonly player: string | null
}

/** A measure on a room's books, and who proposed it first. */
export type OwnedMeasure = {
  readonly loop: number
  readonly expression: string
  readonly player: string | null
  /** Whether it is proved to fall. The others wait, and are tried again when facts arrive. */
  readonly proved: boolean
}

/** Somebody who takes part in a study, as they see it themselves. */
export type ParticipantAnswer = {
  readonly study: string
  readonly title: string
  readonly player: string
  readonly name: string
  readonly variant: 'code' | 'trace'
  /** The ids of the levels; empty in the arm without code, where levels have numbers only. */
  readonly levels: readonly string[]
  readonly level_count: number
  readonly tutorial: boolean
  readonly hints: boolean
  /** Until when they may play, in seconds since 1970; null where there is no bound. */
  readonly until: number | null
  readonly questions: readonly StudyQuestion[]
  /** Of each level, in their order. */
  readonly progress: readonly LevelProgress[]
  /**
   * By the server's clock, in seconds since 1970, so that a browser whose clock is wrong knows how much time is left.
   */
  readonly time: number
  readonly finished: boolean
  /** What to tell the crowd platform, after the questions. */
  readonly code: string | null
}

/** The computer as a partner in a room. */
export type PartnerAnswer = {
  /** The member that it plays as. */
  readonly player: string
  readonly mode: 'hints' | 'turns' | 'helper' | 'solve'
  readonly paused: boolean
  /** Whether it looks for what to do next. */
  readonly thinking: boolean
  readonly says: PartnerSays | null
}

/** What the computer says in a room, as data: clients have the sentences. */
export type PartnerSays = {
  readonly kind: 'hint' | 'enough' | 'next' | 'nothing' | 'solved' | 'refuted' | 'trouble'
  /** Counts what it says. */
  readonly number: number
  readonly hint?: GivenHint
  /** What it proposes. */
  readonly fact?: Fact
  /** The waiting fact that this fact is meant to help. */
  readonly helps?: Fact
}

/** A new personal code of a student, or of a teacher. */
export type PersonalCode = { readonly name: string; readonly code: string }

/** The learning platform to whose course a class belongs, and what it has not been told yet. */
export type PlatformState = {
  readonly platform: string
  /** Whether it tells who is in the course. */
  readonly members: boolean
  readonly unsent: readonly UnsentScore[]
}

/** A player. */
export type PlayerAnswer = {
  readonly player: string
  readonly name: string
  /** Whether it is a program and not a person. */
  readonly agent: boolean
}

/** All scores of a player. */
export type PlayerScores = {
  readonly levels: Readonly<Record<string, ListedScore>>
  /** Hash of a player's own program → the score. */
  readonly programs: Readonly<Record<string, ListedScore>>
  /** What the player has earned with the levels. */
  readonly total: ScoreTotal
}

/** A player and their token, which is told once, to the player alone. */
export type PlayerToken = {
  readonly player: string
  readonly name: string
  /** Whether it is a program and not a person. */
  readonly agent: boolean
  /** For the header `Authorization: Bearer …`. It is also set as a cookie. */
  readonly token: string
}

/** A row of a run's table at which a member points. */
export type PointedRow = {
  readonly loop: number
  /** From 1, as the table counts. */
  readonly row: number
  readonly inputs: Readonly<Record<string, Value>>
  readonly seed?: number
  /** The first choices of the run, where these were asked for. */
  readonly choices?: readonly (readonly string[])[]
}

/** What a level of an assignment is worth. */
export type PointsRule = {
  /** Points for a proof. */
  readonly gem: number
  /** Points for each medal. */
  readonly medal: number
  /** Points for trying. A proof or five different facts get all of them, fewer facts get fewer. */
  readonly effort: number
}

/** What the facts of all students of a class prove together about one level. */
export type PooledFacts = {
  readonly solved: boolean
  /** The facts that prove each other; they are the goal's proof where it is solved. */
  readonly inductive: readonly Fact[]
  /** How many different facts were combined. */
  readonly candidates: number
  /** How many students proposed something. */
  readonly students: number
  readonly proposals: number
  readonly false_facts: readonly CountedFact[]
  readonly kinds: Readonly<Record<string, number>>
}

/** A program that can be played: what a client needs to show it and to check expressions by itself. */
export type ProgramAnswer = {
  /** The hash of its source. */
  readonly program: string
  readonly title: string
  readonly source: string
  readonly level: string | null
  readonly params: readonly TypedName[]
  /** Parameters that the program changes. */
  readonly assigned_params: readonly string[]
  /** Whether its runs depend on the seed of their choices. */
  readonly chooses: boolean
  readonly helpers: readonly string[]
  readonly loops: readonly LoopPlaces[]
  readonly guarantee: Guarantee
  readonly pres: readonly SourcePlace[]
  /** This and the next six are told of levels and variations only, apart from the inputs. */
  readonly story?: string
  /** What a proof of the guarantee says, in plain words and no more than it says. */
  readonly proved?: string
  /** The one new idea of the level, in a few words. */
  readonly idea?: string
  readonly difficulty?: number
  readonly world?: string
  /** The inputs of the first trace, as texts. */
  readonly inputs?: Readonly<Record<string, Value>>
  /** Further inputs worth trying. */
  readonly tries?: readonly Readonly<Record<string, Value>>[]
  /** The guarantee as it is shown to players. */
  readonly guarantee_text: string
  /** For a level with other numbers or in other clothes, which can be today's level: its id. */
  readonly variation?: string
  readonly ending?: '' | 'ends' | 'never ends'
  /** Of a level that asks for its second mark: a little help for it. */
  readonly nudge?: string
  /** The first trace, where the answer is about a program and not about a room. */
  readonly trace?: TraceAnswer
}

/** The second mark is given: it is proved that every run ends, or a run is shown that never does. */
export type ProgramEnded = {
  readonly ends: '' | 'ends' | 'never ends'
  /** The players who have a part in it. */
  readonly credited: readonly string[]
  readonly measures: readonly Measure[]
  /** Of the run that never ends. */
  readonly inputs?: Readonly<Record<string, Value>>
}

/** The guarantee is proved. */
export type ProgramSolved = {
  /** The players who have a part in the proof. */
  readonly credited: readonly string[]
  readonly inductive: readonly Fact[]
}

/** The verdict on one proposal, and the books after it. */
export type ProposalAnswer = {
  readonly expression: string
  readonly loop: number
  readonly kind:
    'type-tautology' | 'displaced' | 'displaced-potential' | 'non-invariant' | 'inductive' | 'potential' | 'unknown'
  /** What became inductive with the proposal, itself included where it did. */
  readonly promoted: readonly Fact[]
  readonly removed: readonly RemovedFact[]
  readonly inductive: readonly Fact[]
  readonly potential: readonly Fact[]
  readonly solved: boolean
  readonly feedback: FeedbackAnswer
  readonly message: string
  /**
   * For a displaced proposal: what implies it, which may be nothing but the code before the loop. None for other kinds.
   */
  readonly implied_by?: readonly Fact[]
  /** For a non-invariant. */
  readonly run?: RefutingRun
  /** For a potential invariant: why it is not inductive yet. */
  readonly transition?: Transition
  /** For a potential invariant that every turn keeps if these facts hold, which are not proved yet. */
  readonly waits_for?: readonly Fact[]
  /** For an unknown one: what could not establish it. */
  readonly tried?: readonly string[]
  /** For an unknown one that calls a helper whose calls are not known to have a value: why that is so. */
  readonly because?: string
  /** What the verdict rests on that is not proved yet. */
  readonly rests_on?: readonly UnprovedPlace[]
  /** The facts on the books about which nothing could be established. */
  readonly unknown?: readonly Fact[]
  /** For an accepted fact that a server judged. */
  readonly rules_out?: readonly StatesRuledOut[]
  /** The measures that waited and that are proved to fall now. */
  readonly measures_proved?: readonly Measure[]
  /**
   * What is known of the end of the program's runs, where the proposal changed the books and something was said of it
   * before.
   */
  readonly ending?: EndingReport
  readonly limited?: '' | 'time' | 'memory' | 'died' | 'error'
}

/** A proposal: in canonical form, and as it was typed. It is a fact, a measure, or a run that is said never to end. */
export type Proposed = {
  readonly expression: string
  readonly loop: number
  readonly text: string
}

/** One fact of a batch of proposals. */
export type ProposedFact = { readonly expression: string; readonly loop: number }

/** Many proposals, to be judged together. */
export type ProposedMany = {
  readonly proposals: readonly ProposedFact[]
  /** They came with a progress file. */
  readonly imported?: boolean
}

/** An inductive fact, and what it is good for. */
export type ProvedFactAnswer = {
  readonly loop: number
  readonly expression: string
  /** The other inductive facts that the proof of its own inductiveness uses. */
  readonly uses: readonly Fact[]
  /** The parts of the goal whose proofs use it directly, those included that still wait for other facts. */
  readonly parts: readonly number[]
  /** Whether the proof of a part that is proved uses it, directly or through other facts. */
  readonly needed: boolean
}

/** A C or Python text, read as SIP. */
export type ReadProgram = {
  /** The SIP program. */
  readonly source: string
  readonly notes: readonly ReadingNote[]
}

/** A reading that was made where C and SIP differ: what was taken for what. */
export type ReadingNote = {
  /** The line of the text that was read; 0 where the note is about the whole text. */
  readonly line: number
  readonly text: string
}

/** A run that refutes a proposal: in its last row the proposal is false. */
export type RefutingRun = {
  readonly inputs: Readonly<Record<string, Value>>
  /** The seed of the run's choices. */
  readonly seed: number
  /** The index of the last row in the trace of the loop, from 0. */
  readonly row: number
  readonly columns: readonly string[]
  /** The index of the first row that is told. Only the last rows of a long run are. */
  readonly first_row: number
  readonly rows: readonly (readonly Value[])[]
  /** What the run chose until its last row, in order. */
  readonly choices?: readonly ChoiceMade[]
  /** For a loop of a helper: the helper, which was run alone; `inputs` are its arguments then. */
  readonly function?: string
}

/** An invariant that became redundant, and the ones that imply it. */
export type RemovedFact = {
  readonly loop: number
  readonly expression: string
  readonly by: readonly Fact[]
  /** What it rests on that is not proved yet. */
  readonly rests_on?: readonly UnprovedPlace[]
}

/** The room starts again: the first state to rule out. */
export type Reset = { readonly feedback: FeedbackAnswer }

/** An inductive invariant, and what it rests on. */
export type RestingFactAnswer = {
  readonly loop: number
  readonly expression: string
  readonly rests_on: readonly UnprovedPlace[]
  /** What it rests on, in English. */
  readonly message: string
}

/** What a player had earned came back with a progress file that this server had sealed. */
export type Restored = {
  readonly score?: KeptScore
  /** The hints that were given in the room, where it has none of its own. */
  readonly hints?: readonly GivenHint[]
}

/** A room's state: its books, the state to rule out, and who is in it. */
export type RoomAnswer = {
  readonly room: string
  /** By which others can join, where the room is shared. */
  readonly code: string | null
  readonly program: string
  readonly level: string | null
  readonly variant: 'code' | 'trace'
  readonly owner: string
  /** The version of the engine that judged the room's books. */
  readonly engine: string
  readonly version: number
  readonly last_event: number
  readonly inductive: readonly OwnedFact[]
  readonly potential: readonly OwnedFact[]
  readonly solved: boolean
  readonly feedback: FeedbackAnswer
  /** Given in this sitting. */
  readonly hints: readonly GivenHint[]
  /** What each step of a hint costs. */
  readonly hint_coins: Readonly<Record<string, number>>
  readonly members: readonly MemberAnswer[]
  /**
   * Whether an engine of another version made the books. They are being judged again, and `solved` is false meanwhile.
   */
  readonly judging_again?: boolean
  /** The facts about which nothing could be established. */
  readonly unknown?: readonly OwnedFact[]
  readonly measures?: readonly OwnedMeasure[]
  /**
   * The second mark, beside `solved`: it is shown that every run ends, or that one never does; empty where neither is.
   */
  readonly ends?: '' | 'ends' | 'never ends'
  /** What is known of the end of the program's runs; null where nobody has said anything about it. */
  readonly ending?: EndingReport
}

/** Something that happened in a room. The body's type depends on the kind, as BODIES says. */
export type RoomEvent = {
  /** From 1 in each room, without gaps. */
  readonly number: number
  readonly player: string | null
  /** Seconds since 1970. */
  readonly time: number
  /** The id that the client chose for its request. */
  readonly request?: string
  /** Of a verdict: the number of the proposal's event. */
  readonly answers?: number
} & (
  | { readonly kind: 'loaded'; readonly body: Loaded }
  | { readonly kind: 'joined'; readonly body: CameOrWent }
  | { readonly kind: 'left'; readonly body: CameOrWent }
  | { readonly kind: 'proposed'; readonly body: Proposed | ProposedMany }
  | { readonly kind: 'judged'; readonly body: ProposalAnswer | BatchAnswer | MeasureJudged | EndlessJudged }
  | { readonly kind: 'solved'; readonly body: ProgramSolved }
  | { readonly kind: 'ended'; readonly body: ProgramEnded }
  | { readonly kind: 'feedback'; readonly body: FeedbackAnswer }
  | { readonly kind: 'transition'; readonly body: TransitionAnswer }
  | { readonly kind: 'hint'; readonly body: GivenHint }
  | { readonly kind: 'reset'; readonly body: Reset }
  | { readonly kind: 'traced'; readonly body: Traced }
  | { readonly kind: 'rejudged'; readonly body: JudgedAgain }
  | { readonly kind: 'restored'; readonly body: Restored }
)

/** A player's rooms, newest first. */
export type RoomList = { readonly rooms: readonly ListedRoom[] }

/** How many names of a list were new. */
export type RosterAdded = { readonly added: number; readonly known: number }

/** What a run starts from. */
export type RunInputs = {
  readonly inputs: Readonly<Record<string, Value>>
  /** The seed of the run's choices. */
  readonly seed: number
  /** Its first choices, in order: initial values of declared variables, and what each cassign picks. */
  readonly choices?: readonly (readonly Value[])[]
}

/** The end of a run that came to its end. */
export type RunReturned = {
  readonly kind: 'returned'
  readonly message: string
  /** What was returned, where the function has a type. */
  readonly value: Value | null
}

/** The end of a run that broke something, that an assumption ended, or that was too long. */
export type RunStopped = {
  readonly kind: 'failed' | 'ignored' | 'bound'
  readonly message: string
  readonly cause: string
  readonly where: Where
  /** The variables visible where it stopped. */
  readonly values: Readonly<Record<string, Value>>
}

/** One of a few fixed phrases that a member said a moment ago. */
export type SaidPhrase = {
  readonly phrase: 'look' | 'nice' | 'stuck'
  /** Counts what members say. Whoever sees the same number again need not show it again. */
  readonly number: number
}

/** What a player has earned with one program. */
export type Score = {
  readonly coins: number
  readonly spent: number
  readonly gem: boolean
  readonly medals: readonly ('fewest-invariants' | 'fewest-proposals' | 'no-hint')[]
  /** The forms of facts that the player has used in it, in the order of the way. They earn double no more. */
  readonly patterns?: readonly string[]
  /**
   * Whether the player has a part in the second mark: that every run ends is proved, or a run is shown that never ends.
   */
  readonly ends?: boolean
}

/** What a player has earned with several programs. */
export type ScoreTotal = {
  /** Those that are left: spent ones are subtracted. */
  readonly coins: number
  readonly gems: number
  readonly medals: number
}

/** How many scores are sent to the learning platform again. */
export type SentScores = { readonly scores: number }

/** A program as another language shows it. */
export type ShownProgram = { readonly language: string; readonly text: string }

/** A message on a room's socket: something happened. */
export type SocketEvent = { readonly type: 'event'; readonly event: RoomEvent }

/**
 * A message on a room's socket about who is in the room. The first one tells all members (`here`). Each further one
 * (`changed`) tells only those who came, went, or have another name.
 */
export type SocketMembers = { readonly type: 'here' | 'changed'; readonly members: readonly MemberAnswer[] }

/** A message on a room's socket: what the computer does there; null where it plays along no more. */
export type SocketPartner = { readonly type: 'partner'; readonly partner: PartnerAnswer | null }

/**
 * A message on a room's socket: what other members are typing, where they point, and what they say. It tells only those
 * for whom something changed. Signals are not stored, and some may be left out: each tells all that its member shows.
 */
export type SocketSignals = { readonly type: 'signals'; readonly signals: readonly MemberSignal[] }

/** A part of a program: its canonical text, and where it stands in the source. */
export type SourcePlace = { readonly text: string; readonly where: Where }

/** A state at the head of a loop. */
export type StateAtHead = { readonly loop: number; readonly state: Readonly<Record<string, Value>> }

/** A state at a loop head that all accepted invariants allow and from which the program would break its promise. */
export type StateToRuleOut = {
  readonly loop: number
  readonly values: Readonly<Record<string, Value>>
  /** The cause of the failure, in the words of docs/language.md. */
  readonly cause: string
  readonly where: Where
  /** True: the loop's test holds in the state, and its body breaks something. False: what comes after the loop does. */
  readonly inside: boolean
  /** Whether only the proved facts allow the state: facts that are not proved yet would rule it out. */
  readonly proved_only?: boolean
}

/** The states of a loop's sample that an accepted fact rules out; scores are computed from it. */
export type StatesRuledOut = {
  readonly loop: number
  /** The size of the sample. */
  readonly states: number
  /** In hexadecimal digits: bit k is set where the fact rules out state k. */
  readonly bits: string
  /**
   * The forms that the fact has, such as `limit`. A form that a player has not used yet in the level earns double once.
   */
  readonly patterns?: readonly string[]
}

/** A room of a student, for replays. */
export type StudentRoom = {
  readonly room: string
  readonly program: string
  readonly level: string | null
  readonly title: string
  readonly time: number
  readonly last_event: number
  readonly solved: boolean
  readonly members: number
}

/** The rooms of a student, newest first. */
export type StudentRooms = { readonly student: ClassStudent; readonly rooms: readonly StudentRoom[] }

/** A study, as somebody sees it who may take part. */
export type StudyAnswer = {
  readonly study: string
  readonly title: string
  /** Whether somebody new may begin. */
  readonly open: boolean
  /** The text to agree to. */
  readonly consent: string
  readonly consent_version: string
  /** What is stored about a participant, one phrase each. */
  readonly stored: readonly string[]
  /** How long one may play; 0 is without a bound. */
  readonly minutes: number
  /** Days after which what is stored about a participant is deleted; 0 is never. */
  readonly retention_days: number
}

/** A question of a study. `choices` is empty for a scale from 1 to 5 and for a free answer. */
export type StudyQuestion = {
  readonly id: string
  readonly text: string
  /** `scale`, `choice` or `text`. */
  readonly kind: string
  readonly choices: readonly string[]
  /** `start`: before the first level; `end`: after the last. */
  readonly when: string
}

/** An expression that was accepted. */
export type TableExpression = { readonly loop: number; readonly expression: string }

/** A level of a study in the arm without code: a table, what was accepted, and points. */
export type TableGame = {
  readonly number: number
  readonly run: TableRun
  readonly accepted: readonly TableExpression[]
  readonly points: number
  /** How many accepted expressions complete the level. */
  readonly target: number
}

/** The table of one loop. */
export type TableLoop = {
  readonly loop: number
  readonly columns: readonly TypedName[]
  /** Values as texts. */
  readonly rows: readonly (readonly Value[])[]
  readonly rows_total: number
}

/** A run, as a table only. */
export type TableRun = {
  /** The names and types of the inputs. */
  readonly params: readonly TypedName[]
  readonly inputs: Readonly<Record<string, Value>>
  readonly loops: readonly TableLoop[]
}

/** What is said of a proposal in the arm without code: accepted or not, and points. */
export type TableVerdict = {
  readonly accepted: boolean
  /** In canonical form. */
  readonly expression: string
  readonly points: number
  /** How many different expressions are accepted now. */
  readonly count: number
}

/** A class, as its teacher sees it. */
export type TaughtClass = {
  readonly class_id: string
  readonly title: string
  /** The code with which students join. */
  readonly code: string
  readonly joining: 'nickname' | 'roster'
  readonly created: number
  readonly archived: boolean
  /** What stands in the link for teachers. It is told once, when the class or a new link is made. */
  readonly secret: string | null
  readonly students: readonly ClassStudent[]
  readonly assignments: readonly Assignment[]
  readonly messages: readonly ClassMessage[]
  /** The learning platform to whose course the class belongs; null where it belongs to none. */
  readonly platform: string | null
}

/** Something that is wrong with an expression or a program. */
export type TextProblem = {
  readonly code: string
  readonly message: string
  readonly where: Where
  readonly hint: string
}

/** A run of a program. */
export type TraceAnswer = {
  readonly inputs: Readonly<Record<string, Value>>
  readonly outcome: RunReturned | RunStopped
  /** The printed lines, from the same offset on as the rows. */
  readonly printed: readonly string[]
  readonly loops: readonly LoopTrace[]
}

/** Somebody ran the program. */
export type Traced = {
  readonly inputs: Readonly<Record<string, Value>>
  readonly loop: number | null
  readonly seed: number
  /** The first choices of the run, where these were asked for. */
  readonly choices?: readonly (readonly string[])[]
  /**
   * Where the inputs come from: `typed` by the player, the `default` ones, `tried` from a verdict or a hint, or
   * `restored`.
   */
  readonly origin?: string
}

/**
 * A state at the loop head in which everything proved holds, and the state after a turn, in which the expression fails.
 */
export type Transition = {
  readonly loop: number
  readonly before: Readonly<Record<string, Value>>
  readonly after: Readonly<Record<string, Value>>
  /**
   * True where this is no turn: as far as is known, the loop can be reached for the first time in the state `after`.
   */
  readonly at_entry: boolean
  /** The facts of this loop, not proved yet, that do not hold in the state `before`. */
  readonly broken?: readonly Fact[]
  /**
   * Where other loops lie on the way: the states in which they are left. Nothing is known about these loops but their
   * facts, so this is a possible turn only as far as those loops are known.
   */
  readonly passed?: readonly StateAtHead[]
}

/** Why a potential invariant is not inductive yet; no transition where none is known. */
export type TransitionAnswer = {
  readonly loop: number
  readonly expression: string
  readonly transition: Transition | null
  readonly message: string
  /** Where no transition breaks it as long as these facts hold, which are not proved yet. */
  readonly waits_for?: readonly Fact[]
  /** Where it waits for facts: what it would still rest on that is not proved yet. */
  readonly rests_on?: readonly UnprovedPlace[]
}

/** A turn in which a measure does not fall: of a run, or one that what is proved allows. */
export type TurnReport = {
  readonly before: Readonly<Record<string, Value>>
  readonly after: Readonly<Record<string, Value>>
  /** The components before the turn; empty texts where they have no value. */
  readonly measure_before: readonly string[]
  readonly measure_after: readonly string[]
  /** Of a run: its inputs. */
  readonly inputs?: Readonly<Record<string, Value>>
  readonly seed?: number
  /** Of a run: the index of the row, in the loop's trace, from which the turn leads. */
  readonly row?: number
  readonly choices?: readonly ChoiceMade[]
  /** Of a run of a helper alone: the helper. */
  readonly function?: string
  /** Where other loops lie on the way: the states in which they are left. */
  readonly passed?: readonly StateAtHead[]
}

/** A variable and its type. */
export type TypedName = {
  readonly name: string
  readonly type: 'bool' | 'nat' | 'int' | 'rat' | 'bool[]' | 'nat[]' | 'int[]' | 'rat[]'
}

/** Something that the program must ensure and that is not proved yet, but that a proof assumes. */
export type UnprovedPlace = {
  /** Its cause, in the words of docs/language.md: assert, claim, narrowing, … */
  readonly cause: string
  readonly where: Where
  /** The expression, as it stands in the program. */
  readonly expression: string
}

/** A score that the learning platform has not been told. */
export type UnsentScore = {
  readonly assignment: number
  readonly student: number
  /** Why it could not be sent the last time; empty before the first time. */
  readonly problem: string
  /** Whether it is tried again by itself. */
  readonly tried_again: boolean
}

/** A value of a program. An array is a list of texts on the wire, and net.ts makes one text of it. */
export type Value = string

/** A fact that is not proved yet, and why. Where nothing is told of it, no reason was found. */
export type WaitingFactAnswer = {
  readonly loop: number
  readonly expression: string
  /** The facts, not proved yet, with which it would be inductive. */
  readonly waits_for: readonly Fact[]
  /** A turn that breaks it, or an arrival at the loop in which it fails. */
  readonly transition: Transition | null
  /** The parts of the goal whose proofs would use it, directly or through other facts that are not proved yet. */
  readonly parts: readonly number[]
  /** What could neither prove nor refute that it is inductive. */
  readonly tried: readonly string[]
  /** Where that depends on calls of a helper of which nothing is known: why that is so. */
  readonly because: string
  /** Where it waits for facts: what it would still rest on that is not proved yet. */
  readonly rests_on: readonly UnprovedPlace[]
}

/** A place in a text: line and column of its start, from 1; the offsets of its start and end in code points, from 0. */
export type Where = {
  readonly line: number
  readonly column: number
  readonly start: number
  readonly end: number
}

/** What a student has done with one level. */
export type WorkCell = {
  readonly state: 'new' | 'working' | 'again' | 'proved'
  /** Active, but without progress for some minutes. */
  readonly stuck: boolean
  readonly proposals: number
  /** Kind → how many of the student's proposals were of it. */
  readonly kinds: Readonly<Record<string, number>>
  /** How long the student was active in it. */
  readonly seconds: number
  readonly hints: number
  /** When something happened last. */
  readonly last: number | null
  /** The room in which something happened last. */
  readonly room: string | null
  readonly ghost: GhostOnBoard | null
  /** The last of the student's proposals that a run refutes. */
  readonly false_facts: readonly Fact[]
  readonly handed_in: boolean
  readonly points: number | null
  /** Whether the student has a part in the second mark: it is shown how the runs end. */
  readonly ends?: boolean
}

/** A level of the teacher's table, and what the class has in common about it. */
export type WorkColumn = {
  readonly assignment: number
  readonly item: AssignedItem
  /** How many students have proved it. */
  readonly proved: number
  readonly stuck: number
  /** The commonest proposals that a run refutes, with how many students made them. */
  readonly false_facts: readonly CountedFact[]
}

/** A student's row of the teacher's table. */
export type WorkRow = {
  readonly number: number
  /** Empty in the table for the beamer. */
  readonly name: string
  readonly active: boolean
  readonly cells: readonly WorkCell[]
}

/** Students × levels, as they stand now. */
export type WorkTable = {
  readonly now: number
  readonly columns: readonly WorkColumn[]
  readonly rows: readonly WorkRow[]
}
