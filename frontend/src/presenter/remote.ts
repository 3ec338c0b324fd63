// Where a presenter's remote goes: its two keys alone walk question, steps, answer and next lesson; without a lesson,
// the steps and then the cards.

const MOST_STEPS = 12; // of a lesson by the remote: a long training has hundreds, and the answer comes after them

/** What the stage shows. */
export interface Seen {
  /** Whether the player can go back and on; null without one. */
  player: { back: boolean; on: boolean } | null;
  /** Whether a class is asked for the next merge, which is not revealed yet. */
  guessing: boolean;
  /** Lessons before and after this one, and merges walked in it; null without a lesson. */
  lesson: { before: boolean; after: boolean; walked: number } | null;
  /** Where the lesson's answer is shown: in the strip of a page, or as a card of its own page; "" if it is hidden. */
  answered: "strip" | "card" | "";
  /** Whether that card is the shown one. */
  onAnswer: boolean;
  /** Whether the question is on the page of the lesson, and what it opens has steps. */
  opens: boolean;
  /** Whether the shown card or answer has more above and below. */
  above: boolean;
  below: boolean;
  /** Cards after the shown one, and cards that the remote has turned. */
  cards: { after: number; turned: number };
}

export type Walk = "reveal" | "step" | "open" | "answer" | "hide" | "question" | "lesson" | "scroll" | "card" | "end";

export function walkOf(way: number, seen: Seen): Walk {
  return way > 0 ? forward(seen) : back(seen);
}

function forward({ player, guessing, lesson, answered, opens, below, cards }: Seen): Walk {
  if (guessing) return "reveal";
  if (player?.on && !(lesson && (answered || lesson.walked >= MOST_STEPS))) return "step";
  if (lesson && !answered) return opens ? "open" : "answer";
  if (below && (lesson || !player)) return "scroll";
  if (lesson) return lesson.after ? "lesson" : "end";
  return cards.after ? "card" : "end";
}

function back({ player, lesson, answered, onAnswer, above, cards }: Seen): Walk {
  if (onAnswer) return above ? "scroll" : "question";
  if (answered === "strip") return "hide";
  if (lesson) {
    if (player?.back && lesson.walked > 0) return "step";
    return lesson.before ? "lesson" : "end";
  }
  if (above && !player) return "scroll";
  if (cards.turned && !player?.on) return "card";
  return player?.back ? "step" : "end";
}

/** Name of what forward does next, for the speaker. */
export function comesNext(seen: Seen): Walk {
  return forward({ ...seen, below: false });
}
