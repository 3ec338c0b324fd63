// Steps of a tour as Python sends them, and when the visitor has done one. Python's side is
// ui/session/lesson_steps.py.

export interface Step {
  /** Page on which it is done. */
  page: string;
  /** Selector of the element to point at; `inside`: of an element in a component within it, or "". */
  at: string;
  inside: string;
  says: string;
  done: "seen" | "click" | "token" | "change" | "step" | "reach" | "page";
  /** Step of the player to reach; null for its last one. */
  step: number | null;
}

/** A list of steps: the tour, or those of a lesson. */
export interface Plan {
  /** Name of the lesson; TOUR for the tour. */
  of: string;
  label: string;
  /** Words of the button that ends it. */
  ends: string;
  steps: Step[];
  /** Number of steps that count: the end of the tour does not. */
  counted: number;
}

/** What the visitor has done since a step began. */
export interface Seen {
  page: string;
  /** Page of the next step. */
  nextPage: string | undefined;
  /** Step of the player, and its last one; null without a player. */
  at: number | null;
  last: number | null;
  /** Step of the player when this step began, and whether it was returned to. */
  from: number | null;
  isBack: boolean;
  clicked: boolean;
  picked: boolean;
  changed: boolean;
}

/** Whether a step is done; one that only asks to look never is: only the button and the key go on. */
export function isDone({ done, step }: Step, seen: Seen): boolean {
  const { at, from, last, isBack } = seen;
  const moved = at !== null && from !== null && at !== from;
  return {
    seen: false,
    click: seen.clicked,
    token: seen.picked,
    change: seen.changed,
    step: moved,
    reach: at !== null && at === (step ?? last) && (moved || !isBack),
    page: seen.page === seen.nextPage,
  }[done];
}
