// Parsers of computed styles: shadows, background layers, and clipping.

export interface Area {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

export interface Shadow {
  inset: boolean;
  x: number;
  y: number;
  blur: number;
  spread: number;
  colour: string;
}

/** Split a list of values at its outer commas. */
export function listed(value: string) {
  const parts: string[] = [""];
  let depth = 0;
  for (const char of value) {
    if (char === "(") depth++;
    if (char === ")") depth--;
    if (char === "," && !depth) parts.push("");
    else parts[parts.length - 1] += char;
  }
  return parts.map((part) => part.trim()).filter(Boolean);
}

/** Shadows of a computed `box-shadow`. */
export function shadowsOf(value: string): Shadow[] {
  if (!value || value === "none") return [];
  return listed(value).map((shadow) => {
    const colour = shadow.match(/[a-z]+\([^)]*\)|#\w+/)?.[0] ?? "";
    const [x = 0, y = 0, blur = 0, spread = 0] =
      shadow
        .replace(colour, "")
        .match(/-?[\d.]+(?=px)/g)
        ?.map(Number) ?? [];
    return { inset: /\binset\b/.test(shadow), x, y, blur, spread, colour };
  });
}

/**
 * Single-colour layers of a background, the lowest first, in a box of this size.
 * @param style as computed
 */
export function layersOf(
  { image, position, size }: { image: string; position: string; size: string },
  width: number,
  height: number,
): { colour: string; area: Area }[] {
  if (!image || image === "none") return [];
  const positions = listed(position);
  const sizes = listed(size);
  const layers = listed(image).flatMap((each, at) => {
    const colours = each.match(/(?:rgba?|color|oklab|oklch|lab|lch|hsla?)\([^)]*\)/g) ?? [];
    if (!each.startsWith("linear-gradient") || !colours.length || new Set(colours).size > 1) return [];
    const [w = "auto", h = "auto"] = (sizes[at % sizes.length] ?? "auto").split(/\s+/);
    const [x = "0%", y = "0%"] = (positions[at % positions.length] ?? "0% 0%").split(/\s+/);
    const wide = lengthOf(w, width, width);
    const high = lengthOf(h, height, height);
    const left = lengthOf(x, width - wide, 0);
    const top = lengthOf(y, height - high, 0);
    return [{ colour: String(colours[0]), area: { left, top, right: left + wide, bottom: top + high } }];
  });
  return layers.reverse();
}

/** @param whole value of 100 % */
function lengthOf(value: string, whole: number, otherwise: number) {
  const number = parseFloat(value);
  if (Number.isNaN(number)) return otherwise;
  return value.endsWith("%") ? (number / 100) * whole : number;
}

/** Intersection of two areas; null if it is empty. */
export function shared(one: Area, other: Area): Area | null {
  const left = Math.max(one.left, other.left);
  const top = Math.max(one.top, other.top);
  const right = Math.min(one.right, other.right);
  const bottom = Math.min(one.bottom, other.bottom);
  return left < right && top < bottom ? { left, top, right, bottom } : null;
}

/** Area of a box that a computed `clip-path: inset(…)` leaves visible. */
export function insetOf(value: string, box: Area): Area {
  const inside = value.match(/^inset\(([^)]*(?:\([^)]*\)[^)]*)*)\)$/)?.[1];
  if (inside === undefined) return box;
  const [top, right = top, bottom = top, left = right] = inside.split(/\s+(?![^(]*\))/);
  const width = box.right - box.left;
  const height = box.bottom - box.top;
  return {
    left: box.left + lengthOf(left, width, 0),
    top: box.top + lengthOf(top, height, 0),
    right: box.right - lengthOf(right, width, 0),
    bottom: box.bottom - lengthOf(bottom, height, 0),
  };
}

interface Matrix {
  a: number;
  b: number;
  c: number;
  d: number;
  e: number;
  f: number;
}

/** Transform the data of a path. Null if it contains anything other than lines and curves in absolute coordinates. */
export function movedPath(data: string, { a, b, c, d, e, f }: Matrix) {
  if (!/^[\sMLHVCQSTZ\d.,+\-e]*$/.test(data)) return null;
  let [x, y] = [0, 0];
  const out = [];
  for (const [, command, rest] of data.matchAll(/([MLHVCQSTZ])([^MLHVCQSTZ]*)/g)) {
    const numbers = rest.match(/-?(?:\d+\.?\d*|\.\d+)(?:e-?\d+)?/g)?.map(Number) ?? [];
    const moved: number[] = [];
    const add = (toX: number, toY: number) => {
      [x, y] = [toX, toY];
      moved.push(a * x + c * y + e, b * x + d * y + f);
    };
    if (command === "H") numbers.forEach((value) => add(value, y));
    else if (command === "V") numbers.forEach((value) => add(x, value));
    else for (let at = 0; at + 1 < numbers.length; at += 2) add(numbers[at], numbers[at + 1]);
    const name = command === "H" || command === "V" ? "L" : command;
    out.push(name + moved.map((value) => String(Math.round(value * 100) / 100)).join(" "));
  }
  return out.join("");
}
