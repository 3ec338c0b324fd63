// Messages between the stage and the speaker's window, on a channel whose name the stage puts behind the # of the
// window's URL. Types only: the two are parts of their own.

/** From the stage: what the window shows, in words. */
export interface Told {
  title: string;
  heading: string;
  where: string;
  notes: string;
  nextTitle: string;
  next: string;
  elapsed: string;
  reset: string;
}

/** From the window: a key for the stage, or without one a request for what is shown. */
export interface Asked {
  asks: true;
  key?: string;
}
