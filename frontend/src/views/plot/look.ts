// Adapts a figure to the page's colours, fonts and size: pure functions on Plotly's data.

export interface PointOfChart {
  trace: number;
  point: number;
}

interface Look {
  /** Replacement for each colour of the figure. */
  colours: Map<string, string>;
  scale: number;
  font: string;
}

/** `narrow`: what replaces parts of the layout, and of each trace, in a narrow card. */
export interface Layout {
  meta?: { narrow?: { data?: object[]; layout?: object } };
}

// Sizes that scale with the page's type, by object and property name.
const SCALED =
  /font\.size$|marker\.size$|line\.width$|margin\.[lrtb]$|\.(?:standoff|ticklabelstandoff|ticklen|[xy]shift)$/i;
const COLOUR = /colou?r/i;

/**
 * @param value a part of a figure
 * @param place its name, prefixed by that of its parent
 * @returns a copy; arrays of values are shared
 */
export function dressed(value: unknown, look: Look, place = "", isColour = false): unknown {
  if (typeof value === "string") {
    if (isColour) return look.colours.get(value.toLowerCase()) ?? value;
    return place.endsWith(".family") ? look.font : value;
  }
  if (typeof value === "number") return SCALED.test(place) ? value * look.scale : value;
  if (Array.isArray(value)) {
    const isPlain = !isColour && typeof value[0] !== "object";
    return isPlain ? value : value.map((each) => dressed(each, look, place, isColour));
  }
  if (value === null || typeof value !== "object") return value;
  const name = place.slice(place.lastIndexOf(".") + 1);
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => {
      const ofColour = COLOUR.test(key) && !/^(?:colorbar|coloraxis)/.test(key);
      return [key, dressed(each, look, `${name}.${key}`, isColour || ofColour)];
    }),
  );
}

/** A figure with the replacements for a narrow card that its layout holds. */
export function narrowed(figure: { data: object[]; layout: Layout }) {
  const { data = [], layout = {} } = figure.layout.meta?.narrow ?? {};
  return {
    data: figure.data.map((trace, at) => ({ ...trace, ...data[at] })),
    layout: { ...figure.layout, ...layout },
  };
}

/** Map from one theme's colours to another's. */
export function colourTable(from: string[], to: string[]) {
  return new Map(from.map((colour, at) => [colour.toLowerCase(), to[at]]));
}

/**
 * Theme for figures on a page.
 * @param ground background colour in the page's notation: #0f1216 or rgb(15, 18, 22)
 */
export function themeOf(ground: string, isStrong: boolean) {
  const hex = ground.trim().match(/^#([0-9a-f]{6})$/i);
  const parts = hex ? hex[1].match(/../g)?.map((each) => parseInt(each, 16)) : ground.match(/[\d.]+/g)?.map(Number);
  const [red, green, blue] = parts && parts.length > 2 ? parts : [255, 255, 255];
  const isDark = 0.3 * red + 0.6 * green + 0.1 * blue < 128;
  return (isDark ? "dark" : "light") + (isStrong ? "-strong" : "");
}

/**
 * Target of a key from a point: along its trace, or at the same index of another trace.
 * @param counts number of points of each reachable trace; not empty
 * @returns null for a key without a target
 */
export function walked({ trace, point }: PointOfChart, key: string, counts: Map<number, number>): PointOfChart | null {
  const traces = [...counts.keys()];
  const last = (counts.get(trace) ?? 1) - 1;
  const page = Math.max(1, Math.round(last / 10));
  const points: Record<string, number> = {
    ArrowLeft: point - 1,
    ArrowRight: point + 1,
    PageUp: point - page,
    PageDown: point + page,
    Home: 0,
    End: last,
  };
  if (key in points) return { trace, point: Math.min(Math.max(points[key], 0), last) };
  const by = { ArrowUp: -1, ArrowDown: 1 }[key];
  if (by === undefined) return null;
  const next = traces[(traces.indexOf(trace) + by + traces.length) % traces.length];
  return { trace: next, point: Math.min(point, (counts.get(next) ?? 1) - 1) };
}
