// Where a presenter's remote goes: its two keys alone walk every lesson in one order, its question, its text, the page it
// opens with the steps there, the answer, and the next lesson; without a lesson, the steps and then the cards.

export const MOST_STEPS = 12; // that the remote walks in a lesson; in a longer training, the last step follows

/** What the stage shows. */
export interface Seen {
  /** Whether the player can go back and on; null without one. */
  player: { back: boolean; on: boolean } | null;
  /** Whether a class is asked for the next merge, which is not revealed yet. */
  guessing: boolean;
  /** Whether the page waits for the answer to what its lesson asks. */
  covered: boolean;
  /** Lessons before and after this one, and steps of the player since it opened; null without a lesson. */
  lesson: { before: boolean; after: boolean; walked: number } | null;
  /** Whether this is the page of the lesson, with the question. */
  asks: boolean;
  /** Whether its text follows the question: still hidden, or shown; null if it is no step of its own. */
  text: "hidden" | "shown" | null;
  /** Whether the answer is shown on the page that the lesson opened. */
  answered: boolean;
  /** Whether the card of the answer is shown, on the page of the lesson. */
  onAnswer: boolean;
  /** Whether the shown card or answer has more above and below. */
  above: boolean;
  below: boolean;
  /** Cards after the shown one, and cards that the remote has turned. */
  cards: { after: number; turned: number };
}

export type Walk = "reveal" | "look" | "step" | "far" | "text" | "open" | "answer" | "hide" | "question" | "lesson" | "scroll" | "card" | "end";

export function walkOf(way: number, seen: Seen): Walk {
  return way > 0 ? forward(seen) : back(seen);
}

function forward({ player, guessing, covered, lesson, asks, text, answered, onAnswer, below, cards }: Seen): Walk {
  if (asks) return onAnswer ? (below ? "scroll" : "open") : text === "hidden" ? "text" : below ? "scroll" : "open";
  if (covered) return "look";
  if (guessing) return "reveal";
  if (player?.on && !(lesson && answered)) return !lesson || lesson.walked < MOST_STEPS ? "step" : "far";
  if (lesson && !answered) return "answer";
  if (below && (lesson || !player)) return "scroll";
  if (lesson) return lesson.after ? "lesson" : "end";
  return cards.after ? "card" : "end";
}

function back({ player, lesson, asks, text, answered, onAnswer, above, cards }: Seen): Walk {
  if (asks) {
    if (above) return "scroll";
    if (onAnswer) return "question";
    if (text === "shown") return "text";
    return lesson?.before ? "lesson" : "end";
  }
  if (lesson) {
    if (answered) return "hide";
    if (player?.back && lesson.walked > 0) return lesson.walked > MOST_STEPS ? "far" : "step";
    return "question";
  }
  if (above && !player) return "scroll";
  if (cards.turned && !player?.on) return "card";
  return player?.back ? "step" : "end";
}

/** Name of what forward does next, for the speaker. */
export function comesNext(seen: Seen): Walk {
  return forward({ ...seen, below: false });
}
