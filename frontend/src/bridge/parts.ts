// Parts of the script that are loaded when they are needed: each a file of ../parts, served beside this script.

import type * as algorithms from "../parts/algorithms.ts";
import type * as encode from "../parts/encode.ts";
import type * as glossary from "../parts/glossary.ts";
import type * as lessons from "../parts/lessons.ts";
import type * as lights from "../parts/lights.ts";
import type * as link from "../parts/link.ts";
import type * as notes from "../parts/notes.ts";
import type * as pictures from "../parts/pictures.ts";
import type * as pipeline from "../parts/pipeline.ts";
import type * as stage from "../parts/stage.ts";
import type * as streamlit from "../parts/streamlit.ts";
import type * as tour from "../parts/tour.ts";

interface Parts {
  algorithms: typeof algorithms;
  encode: typeof encode;
  glossary: typeof glossary;
  lessons: typeof lessons;
  lights: typeof lights;
  link: typeof link;
  /** Loaded by its own window alone. */
  notes: typeof notes;
  pictures: typeof pictures;
  pipeline: typeof pipeline;
  stage: typeof stage;
  streamlit: typeof streamlit;
  tour: typeof tour;
}

const loaded = new Map<string, Promise<unknown>>();
let failures = 0;

/** Load a part, once. After a failure the next call tries again. */
export function loadPart<Name extends keyof Parts>(name: Name) {
  let part = loaded.get(name);
  if (!part) {
    const retry = failures ? `?${failures}` : ""; // many browsers never request a failed URL again
    part = import(new URL(`${name}.js${retry}`, import.meta.url).href);
    loaded.set(name, part);
    part.catch(() => {
      loaded.delete(name);
      failures += 1;
    });
  }
  return part as Promise<Parts[Name]>;
}
