// Draws a view as shown on the page, element by element: boxes, borders, text where the browser has laid it out, SVG.

import { MONO_FONTS, SANS_FONTS, element, textElement, type Attributes } from "./markup.ts";
import { startsRtl } from "../tokens/direction.ts";
import { insetOf, layersOf, movedPath, shadowsOf, shared, type Area, type Shadow } from "./styles.ts";

/** Values inherited from the ancestors. */
interface Around {
  clip: Area;
  opacity: number;
  level: number;
}

/** A colour as SVG viewers support it. */
interface Paint {
  fill: string;
  alpha: number | null;
}

const SHAPES = "path, line, rect, circle, ellipse, polyline, polygon";
const GEOMETRY = ["x1", "y1", "x2", "y2", "x", "y", "width", "height", "r", "cx", "cy", "rx", "ry", "points"];
const CLIPPING = ["hidden", "clip", "auto", "scroll"];
const ABOVE = 0.001; // a positioned element is above its neighbours, and below any z-index
export const MOST_ELEMENTS = 40_000;

/** Collects parts, each with its level. Coordinates are relative to the corner of the picture. */
export class Walk {
  private readonly origin: { x: number; y: number };
  private readonly drawn: { level: number; part: string }[] = [];
  private elements = 0;
  reach: Area | null = null; // of what is drawn
  hides = false; // whether anything is scrolled out of view
  private readonly context: CanvasRenderingContext2D;
  private readonly colours = new Map<string, { fill: string; alpha: number } | null>();
  private readonly fonts = new Map<string, { ascent: number; descent: number }>();

  constructor(origin: { x: number; y: number }) {
    this.origin = origin;
    const canvas = document.createElement("canvas");
    canvas.width = canvas.height = 1;
    this.context = canvas.getContext("2d", { willReadFrequently: true }) as CanvasRenderingContext2D;
  }

  /** Drawn parts, the lowest first. */
  parts() {
    return this.drawn.toSorted((one, other) => one.level - other.level).map(({ part }) => part);
  }

  walk(el: Element, around: Around) {
    if (el.matches("style, script, template, defs, button, select, .hint, :has(> .hint:only-child), .joining, .modebar, [popover]")) return;
    if (++this.elements > MOST_ELEMENTS) throw new RangeError("too large");
    const style = getComputedStyle(el);
    if (style.display === "none" || Number(style.opacity) === 0) return;
    const level = around.level + (style.position === "static" ? 0 : (parseInt(style.zIndex, 10) || 0) + ABOVE);
    const here = { ...around, level, opacity: around.opacity * Number(style.opacity) };
    const box = el.getBoundingClientRect();
    const isShown = style.visibility === "visible";
    if (el instanceof SVGElement && el.matches(SHAPES)) {
      if (isShown) this.shape(el, style, here);
      return;
    }
    const clip = this.drawnClip(el, style) ?? insetOf(style.clipPath, box);
    const cut = clip === box ? here.clip : shared(here.clip, clip);
    if (!cut) return;
    const within = { ...here, clip: cut };
    if (isShown && el instanceof HTMLElement) this.box(el, style, within);
    const inner = el instanceof HTMLElement ? this.clipped(el, style, box, within) : within;
    if (!inner) return;
    if (isShown && isField(el)) this.field(el, style, box, inner);
    else for (const child of el.childNodes) this.child(child, style, isShown, inner);
    if (isShown && el instanceof HTMLElement) this.pseudo(el, style, within);
  }

  /** Clip area of part of a drawing, given by a rectangle in the same drawing. */
  private drawnClip(el: Element, style: CSSStyleDeclaration): Area | null {
    const id = el instanceof SVGGraphicsElement && style.clipPath.match(/^url\("?#([^")]+)"?\)$/)?.[1];
    const root = el.getRootNode();
    const rect =
      id && (root instanceof ShadowRoot || root instanceof Document)
        ? root.getElementById(id)?.firstElementChild
        : null;
    const matrix = el instanceof SVGGraphicsElement ? el.getScreenCTM() : null;
    if (!(rect instanceof SVGRectElement) || !matrix) return null;
    const { x, y, width, height } = rect;
    const [from, to] = [
      { x: x.baseVal.value, y: y.baseVal.value },
      { x: x.baseVal.value + width.baseVal.value, y: y.baseVal.value + height.baseVal.value },
    ];
    const [first, last] = [
      DOMPoint.fromPoint(from).matrixTransform(matrix),
      DOMPoint.fromPoint(to).matrixTransform(matrix),
    ];
    return { left: first.x, top: first.y, right: last.x, bottom: last.y };
  }

  /** @param style of the parent element */
  private child(child: ChildNode, style: CSSStyleDeclaration, isShown: boolean, around: Around) {
    if (child instanceof Element) this.walk(child, around);
    else if (child instanceof Text && isShown && child.data.trim()) this.text(child, style, around);
  }

  /** Area that an element's content may cover; null if it is out of view. */
  private clipped(el: HTMLElement, style: CSSStyleDeclaration, box: DOMRect, around: Around): Around | null {
    if (!CLIPPING.includes(style.overflowX) && !CLIPPING.includes(style.overflowY)) return around;
    if (style.display === "inline") return around;
    const left = box.left + el.clientLeft;
    const top = box.top + el.clientTop;
    const scrolls = /auto|scroll/.test(style.overflowY + style.overflowX);
    if (scrolls && (el.scrollHeight > el.clientHeight + 4 || el.scrollWidth > el.clientWidth + 4)) this.hides = true;
    const clip = shared(around.clip, { left, top, right: left + el.clientWidth, bottom: top + el.clientHeight });
    return clip && { ...around, clip };
  }

  // ---- boxes --------------------------------------------------------------------------------------------

  /** Draw the boxes of an element, one per line. */
  private box(el: HTMLElement, style: CSSStyleDeclaration, around: Around) {
    const rects = style.display === "inline" ? el.getClientRects() : [el.getBoundingClientRect()];
    for (const rect of rects) if (rect.width || rect.height) this.oneBox(rect, style, around);
  }

  private oneBox(rect: Area, style: CSSStyleDeclaration, around: Around) {
    const [width, height] = [rect.right - rect.left, rect.bottom - rect.top];
    const radius = Math.min(radiusOf(style, width), width / 2, height / 2);
    const image = { image: style.backgroundImage, position: style.backgroundPosition, size: style.backgroundSize };
    for (const shadow of shadowsOf(style.boxShadow)) if (!shadow.inset) this.shadow(rect, shadow, radius, around);
    this.rect(rect, style.backgroundColor, radius, around);
    for (const { colour, area } of layersOf(image, width, height))
      this.rect(moved(area, rect), colour, 0, around, rect);
    for (const { inset, x, y, spread, colour } of shadowsOf(style.boxShadow)) {
      if (!inset || spread) continue;
      const { left, top, right, bottom } = rect;
      if (x)
        this.rect(
          x < 0 ? { left: right + x, top, right, bottom } : { left, top, right: left + x, bottom },
          colour,
          0,
          around,
        );
      if (y)
        this.rect(
          y < 0 ? { left, top: bottom + y, right, bottom } : { left, top, right, bottom: top + y },
          colour,
          0,
          around,
        );
    }
    this.borders(rect, style, radius, around);
    const outline = parseFloat(style.outlineWidth) || 0;
    if (outline && style.outlineStyle !== "none") {
      const by = (parseFloat(style.outlineOffset) || 0) + outline;
      this.frame(grown(rect, by), style.outlineColor, outline, style.outlineStyle, radius + by, around);
    }
  }

  /** Draw a shadow as a ring; blurred shadows are omitted. */
  private shadow(rect: Area, { x, y, blur, spread, colour }: Shadow, radius: number, around: Around) {
    if (blur || (!spread && !x && !y)) return;
    const place = moved(rect, { left: x, top: y });
    if (spread > 0) this.frame(grown(place, spread), colour, spread, "solid", radius + spread, around);
    else this.rect(place, colour, radius, around);
  }

  private borders(rect: Area, style: CSSStyleDeclaration, radius: number, around: Around) {
    const sides = ["Top", "Right", "Bottom", "Left"].map((side) => {
      const read = (what: string) => style.getPropertyValue(`border-${side.toLowerCase()}-${what}`);
      return { width: parseFloat(read("width")) || 0, colour: read("color"), kind: read("style") };
    });
    const drawn = sides.map(({ width, kind }) => width > 0 && kind !== "none");
    const same = sides.every((each) => JSON.stringify(each) === JSON.stringify(sides[0]));
    if (!drawn.includes(true)) return;
    if (same) {
      this.frame(rect, sides[0].colour, sides[0].width, sides[0].kind, radius, around);
      return;
    }
    const { left, top, right, bottom } = rect;
    const places = [
      (by: number) => [left, top + by, right, top + by],
      (by: number) => [right - by, top, right - by, bottom],
      (by: number) => [left, bottom - by, right, bottom - by],
      (by: number) => [left + by, top, left + by, bottom],
    ];
    sides.forEach(({ width, colour, kind }, at) => {
      const paint = drawn[at] ? this.paint(colour, around) : null;
      const [x1, y1, x2, y2] = places[at](width / 2);
      const cut = paint && shared(around.clip, grown({ left: x1, top: y1, right: x2, bottom: y2 }, 0.05));
      if (!paint || !cut) return;
      const [from, to] = [
        { x: Math.max(x1, cut.left), y: Math.max(y1, cut.top) },
        { x: Math.min(x2, cut.right), y: Math.min(y2, cut.bottom) },
      ];
      const line = { x1: this.x(from.x), y1: this.y(from.y), x2: this.x(to.x), y2: this.y(to.y) };
      this.put(around, cut, element("line", { ...line, ...stroked(paint, width, kind) }));
    });
  }

  /** Draw the visible part of a filled rectangle. */
  private rect(area: Area, colour: string, radius: number, around: Around, within: Area = area) {
    const paint = this.paint(colour, around);
    const inside = paint && shared(area, within);
    const cut = inside && shared(inside, around.clip);
    if (!paint || !cut) return;
    const place = this.placeOf(cut);
    this.put(around, cut, element("rect", { ...place, rx: radius || null, fill: paint.fill, "fill-opacity": paint.alpha }));
  }

  /** Draw a line along the inner edge of a rectangle. */
  private frame(area: Area, colour: string, width: number, kind: string, radius: number, around: Around) {
    const paint = this.paint(colour, around);
    const line = grown(area, -width / 2);
    const cut = paint && line.left < line.right && shared(grown(around.clip, 3), line);
    if (!paint || !cut) return;
    const place = this.placeOf(cut);
    const rx = Math.max(0, radius - width / 2) || null;
    this.put(around, cut, element("rect", { ...place, rx, fill: "none", ...stroked(paint, width, kind) }));
  }

  /** Draw ::before and ::after of an element if they are positioned boxes. */
  private pseudo(el: HTMLElement, own: CSSStyleDeclaration, around: Around) {
    for (const which of ["::before", "::after"]) {
      const style = getComputedStyle(el, which);
      if (style.content === "none" || style.content === "normal" || style.position !== "absolute") continue;
      const holder = own.position === "static" ? el.offsetParent : el;
      if (!holder) continue;
      const base = holder.getBoundingClientRect();
      const number = (name: string) => parseFloat(style.getPropertyValue(name)) || 0;
      const sides = ["left", "right"].map((side) => number(`border-${side}-width`) + number(`padding-${side}`));
      const ends = ["top", "bottom"].map((side) => number(`border-${side}-width`) + number(`padding-${side}`));
      const isWhole = style.boxSizing === "border-box";
      const width = number("width") + (isWhole ? 0 : sides[0] + sides[1]);
      const height = number("height") + (isWhole ? 0 : ends[0] + ends[1]);
      const left = base.left + holder.clientLeft + number("left") + number("margin-left");
      const top = base.top + holder.clientTop + number("top") + number("margin-top");
      const level = around.level + (parseInt(style.zIndex, 10) || 0) + ABOVE;
      const first = this.drawn.length;
      this.oneBox({ left, top, right: left + width, bottom: top + height }, style, { ...around, level });
      const turn = parseFloat(style.rotate);
      if (!turn) continue;
      const transform = `rotate(${turn} ${this.x(left + width / 2)} ${this.y(top + height / 2)})`;
      for (const each of this.drawn.slice(first)) each.part = element("g", { transform }, each.part);
    }
  }

  // ---- text ---------------------------------------------------------------------------------------------

  /** Draw a text node, line by line. */
  private text(node: Text, style: CSSStyleDeclaration, around: Around) {
    const turned = node.parentElement instanceof SVGElement ? turnOf(node.parentElement) : 0;
    if (turned) {
      this.turnedText(node, style, turned, around);
      return;
    }
    const range = document.createRange();
    range.selectNodeContents(node);
    const rects = [...range.getClientRects()].filter((rect) => rect.width > 0);
    if (!rects.length || !rects.some((rect) => shared(rect, around.clip))) return;
    const isTight = keepsSpaces(style) || !/^\s|\s$/.test(node.data); // collapsed spaces have no width
    const isWhole =
      isTight && rects.length === 1 && rects[0].left >= around.clip.left - 1 && rects[0].right <= around.clip.right + 1;
    const fragments = isWhole ? [{ text: node.data, rect: rects[0] }] : this.fragments(node, range, around.clip, style);
    const colour = node.parentElement instanceof SVGElement ? style.fill : style.color;
    for (const { text, rect } of fragments) this.line(text, rect, style, colour, around);
  }

  /**
   * Draw rotated text of a drawing, such as the title of a vertical axis.
   * @param turned in degrees
   */
  private turnedText(node: Text, style: CSSStyleDeclaration, turned: number, around: Around) {
    const box = node.parentElement?.getBoundingClientRect();
    const paint = this.paint(style.fill, around);
    if (!box || !paint) return;
    const [x, y] = [this.x((box.left + box.right) / 2), this.y((box.top + box.bottom) / 2)];
    const size = parseFloat(style.fontSize);
    const look = { "font-family": SANS_FONTS, "font-size": size, fill: paint.fill, "fill-opacity": paint.alpha };
    const place = { x, y: y + 0.35 * size, "text-anchor": "middle", transform: `rotate(${turned} ${x} ${y})` };
    this.put(around, box, textElement(node.data, { ...place, ...look }));
  }

  /** Visible fragments of a text node, one per line; the part hidden by an ellipsis is omitted. */
  private fragments(node: Text, range: Range, clip: Area, style: CSSStyleDeclaration) {
    const found: { text: string; rect: { left: number; top: number; right: number; bottom: number } }[] = [];
    const collapses = !keepsSpaces(style);
    let isCut = false;
    let space = "";
    let at = 0;
    for (const { segment } of new Intl.Segmenter().segment(node.data)) {
      range.setStart(node, at);
      range.setEnd(node, (at += segment.length));
      const [rect] = [...range.getClientRects()].filter((each) => each.width > 0);
      if (!rect) continue;
      const middle = (rect.left + rect.right) / 2;
      if (middle < clip.left || middle > clip.right) {
        isCut = true;
        continue;
      }
      if (collapses && !segment.trim()) {
        space = " ";
        continue;
      }
      const last = found.at(-1);
      const isNext = last && Math.abs(last.rect.top - rect.top) < 2;
      const touches = last && (Math.abs(last.rect.right - rect.left) < 1 || Math.abs(last.rect.left - rect.right) < 1);
      const before = space;
      space = "";
      if (last && isNext && (touches || before)) {
        last.text += before + segment;
        last.rect.left = Math.min(last.rect.left, rect.left);
        last.rect.right = Math.max(last.rect.right, rect.right);
      } else {
        const { left, top, right, bottom } = rect;
        found.push({ text: segment, rect: { left, top, right, bottom } });
      }
    }
    const end = found.at(-1);
    if (isCut && end && style.textOverflow === "ellipsis" && [...end.text].length > 1) {
      end.text = [...end.text].slice(0, -1).join("") + "\u2026";
    }
    return found;
  }

  /** Draw text on one line. */
  private line(text: string, rect: Area, style: CSSStyleDeclaration, colour: string, around: Around) {
    const middle = (rect.top + rect.bottom) / 2;
    if (middle < around.clip.top || middle > around.clip.bottom) return;
    const shown = cased(
      keepsSpaces(style) ? text.replace(/[\r\n]/g, "") : text.replace(/[ \t\r\n]+/g, " ").trim(),
      style,
    );
    const paint = this.paint(colour, around);
    if (!shown || !paint) return;
    const { ascent, descent } = this.metrics(style);
    const baseline = rect.top + (rect.bottom - rect.top - ascent - descent) / 2 + ascent;
    const isRtlAround = style.unicodeBidi === "plaintext" ? startsRtl(shown) : style.direction === "rtl";
    const isRtl = isRtlAround || /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/.test(shown);
    const width = rect.right - rect.left;
    const isLong = [...new Intl.Segmenter().segment(shown)].length > 1;
    const place = isRtl
      ? { x: this.x((rect.left + rect.right) / 2), "text-anchor": "middle", direction: "rtl", "unicode-bidi": "embed" }
      : { x: this.x(rect.left) };
    this.put(
      around,
      rect,
      textElement(shown, {
        ...place,
        y: this.y(baseline),
        "font-family": /mono/i.test(style.fontFamily.split(",")[0]) ? MONO_FONTS : SANS_FONTS,
        "font-size": parseFloat(style.fontSize),
        "font-weight": style.fontWeight === "400" ? null : style.fontWeight,
        "font-style": style.fontStyle === "normal" ? null : style.fontStyle,
        textLength: isLong ? width : null,
        lengthAdjust: isLong ? "spacingAndGlyphs" : null,
        fill: paint.fill,
        "fill-opacity": paint.alpha,
      }),
    );
  }

  private metrics(style: CSSStyleDeclaration) {
    const font = `${style.fontStyle} ${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
    const known = this.fonts.get(font);
    if (known) return known;
    this.context.font = font;
    const { fontBoundingBoxAscent: ascent, fontBoundingBoxDescent: descent } = this.context.measureText("x");
    this.fonts.set(font, { ascent, descent });
    return { ascent, descent };
  }

  /** Draw the text of a field. */
  private field(
    el: HTMLInputElement | HTMLTextAreaElement,
    style: CSSStyleDeclaration,
    box: DOMRect,
    around: Around,
  ) {
    const text = el.value;
    const isText = !(el instanceof HTMLInputElement && /checkbox|radio|range|file/.test(el.type));
    if (!text || !isText) return;
    this.metrics(style);
    const left = box.left + parseFloat(style.borderLeftWidth) + parseFloat(style.paddingLeft);
    const width = Math.min(this.context.measureText(text).width, box.right - left);
    this.line(text, { left, right: left + width, top: box.top, bottom: box.bottom }, style, style.color, around);
  }

  // ---- drawings -----------------------------------------------------------------------------------------

  /** Draw an SVG shape in picture coordinates, with its computed style. */
  private shape(el: SVGElement, style: CSSStyleDeclaration, around: Around) {
    const matrix = el instanceof SVGGraphicsElement ? el.getScreenCTM() : null;
    if (!matrix || !shared(grown(el.getBoundingClientRect(), 1), around.clip)) return;
    const seen = (share: string) => ({ ...around, opacity: around.opacity * Number(share) });
    const fill = this.paint(style.fill, seen(style.fillOpacity));
    const stroke = this.paint(style.stroke, seen(style.strokeOpacity));
    const keepsWidth = style.vectorEffect === "non-scaling-stroke";
    const scale = keepsWidth ? 1 : Math.sqrt(Math.abs(matrix.a * matrix.d - matrix.b * matrix.c)) || 1;
    const { a, b, c, d } = matrix;
    const here = { a, b, c, d, e: this.x(matrix.e), f: this.y(matrix.f) };
    const data = el.getAttribute("d");
    const path = data === null ? null : movedPath(data, here);
    const pen = path === null ? 1 : scale;
    const dashes = style.strokeDasharray === "none" ? null : style.strokeDasharray.replace(/px/g, "");
    const attributes: Attributes = {
      fill: fill?.fill ?? "none",
      "fill-opacity": fill?.alpha,
      stroke: stroke?.fill,
      "stroke-opacity": stroke?.alpha,
      "stroke-width": stroke && (parseFloat(style.strokeWidth) || 0) * pen,
      "stroke-dasharray": stroke && dashes,
      "stroke-linecap": stroke && style.strokeLinecap === "butt" ? null : stroke && style.strokeLinecap,
      "stroke-linejoin": stroke && style.strokeLinejoin === "miter" ? null : stroke && style.strokeLinejoin,
      "vector-effect": path === null && keepsWidth ? "non-scaling-stroke" : null,
      transform:
        path === null ? `matrix(${[a, b, c, d, here.e, here.f].map((each) => each.toFixed(4)).join(" ")})` : null,
      d: path ?? data,
    };
    for (const name of GEOMETRY) attributes[name] = el.getAttribute(name);
    const box = el.getBoundingClientRect();
    const seenBox = (fill || stroke) && shared(grown(box, 0.5), around.clip);
    this.put(around, seenBox, this.cut(element(el.localName, attributes), box, around.clip));
  }

  /** Clip a shape to the visible area. */
  private cut(shape: string, box: Area, clip: Area) {
    const isWhole =
      box.left >= clip.left - 4 &&
      box.right <= clip.right + 4 &&
      box.top >= clip.top - 4 &&
      box.bottom <= clip.bottom + 4;
    if (isWhole) return shape;
    const id = `cut${this.drawn.length}`;
    const place = this.placeOf(clip);
    return element("clipPath", { id }, element("rect", place)) + element("g", { "clip-path": `url(#${id})` }, shape);
  }

  // ---- helpers ------------------------------------------------------------------------------------------

  /** Colour as SVG viewers support it; null if it is invisible. */
  paint(colour: string, { opacity }: Around): Paint | null {
    if (!colour || colour === "none" || colour === "transparent") return null;
    let known = this.colours.get(colour);
    if (known === undefined) {
      this.context.clearRect(0, 0, 1, 1);
      this.context.fillStyle = "rgba(0, 0, 0, 0)";
      this.context.fillStyle = colour;
      this.context.fillRect(0, 0, 1, 1);
      const [red, green, blue, alpha] = this.context.getImageData(0, 0, 1, 1).data;
      const hex = [red, green, blue].map((each) => each.toString(16).padStart(2, "0")).join("");
      known = alpha ? { fill: `#${hex}`, alpha: alpha / 255 } : null;
      this.colours.set(colour, known);
    }
    if (!known) return null;
    const alpha = Math.round(known.alpha * opacity * 100) / 100;
    return { fill: known.fill, alpha: alpha === 1 ? null : alpha };
  }

  /** @param area what the part covers; null if none of it is visible */
  private put({ level }: Around, area: Area | null, part: string) {
    this.drawn.push({ level, part });
    if (area) this.reach = this.reach ? joined(this.reach, area) : area;
  }

  private placeOf({ left, top, right, bottom }: Area) {
    return { x: this.x(left), y: this.y(top), width: right - left, height: bottom - top };
  }

  private x(x: number) {
    return Math.round((x - this.origin.x) * 10) / 10;
  }

  private y(y: number) {
    return Math.round((y - this.origin.y) * 10) / 10;
  }
}

/** Smallest area that contains both. */
function joined(one: Area, other: Area): Area {
  return {
    left: Math.min(one.left, other.left),
    top: Math.min(one.top, other.top),
    right: Math.max(one.right, other.right),
    bottom: Math.max(one.bottom, other.bottom),
  };
}

function isField(el: Element): el is HTMLInputElement | HTMLTextAreaElement {
  return el instanceof HTMLInputElement || el instanceof HTMLTextAreaElement;
}

/** Rotation of an element of a drawing, in degrees. */
function turnOf(el: SVGElement) {
  const matrix = el instanceof SVGGraphicsElement ? el.getScreenCTM() : null;
  return matrix ? Math.round((Math.atan2(matrix.b, matrix.a) * 180) / Math.PI) : 0;
}

function keepsSpaces({ whiteSpace }: CSSStyleDeclaration) {
  return whiteSpace.startsWith("pre") || whiteSpace === "break-spaces";
}

function cased(text: string, { textTransform }: CSSStyleDeclaration) {
  return textTransform === "uppercase" ? text.toUpperCase() : text;
}

function radiusOf(style: CSSStyleDeclaration, width: number) {
  const corners = [style.borderTopLeftRadius, style.borderBottomRightRadius].map((value) =>
    value.endsWith("%") ? (parseFloat(value) / 100) * width : parseFloat(value) || 0,
  );
  return Math.min(...corners);
}

function grown({ left, top, right, bottom }: Area, by: number): Area {
  return { left: left - by, top: top - by, right: right + by, bottom: bottom + by };
}

function moved({ left, top, right, bottom }: Area, by: { left: number; top: number }): Area {
  return { left: left + by.left, top: top + by.top, right: right + by.left, bottom: bottom + by.top };
}

function stroked({ fill, alpha }: Paint, width: number, kind: string) {
  const dashes = kind === "dashed" ? "4 3" : kind === "dotted" ? "1.5 2.5" : null;
  return { stroke: fill, "stroke-opacity": alpha, "stroke-width": width, "stroke-dasharray": dashes };
}
