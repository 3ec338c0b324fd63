// The player of a recorded page, and the step that all its views show. In a notebook, the kernel receives every step, and is
// asked for the frames of those that are not recorded, one at a time.

import { currentStep, subscribeStep } from "../bridge/current_step.ts";
import { publish } from "../bridge/published.ts";
import { Kept, whenRedrawn } from "./kept.ts";
import { Place } from "./place.ts";
import { bytesOf, type Frames, type Played } from "./recording.ts";
import { tell, whenTold, type Told } from "./wire.ts";

const MOST_FETCHED = 200; // requested steps that are kept

export class Course {
  private readonly player: Place;
  private readonly recording: Played;
  private readonly unit: "merge" | "step";
  private readonly fetched = new Map<number, Frames>();
  private wanted: number | null = null; // requested step
  private last: number;
  private readonly step: Kept<number>;
  private readonly playing = new Kept("playing", false);
  private readonly speed = new Kept("speed", 1);

  constructor(recording: Played, unit: "merge" | "step" = "merge") {
    this.recording = recording;
    this.unit = unit;
    this.last = recording.steps.length - 1;
    this.step = new Kept("step", recording.step);
    this.player = new Place("player", "player", {
      move: (value) => this.move(value as [number, boolean]),
      play: (value) => this.play(value === true),
      speed: (value) => (this.speed.value = Number(value)),
    });
    this.player.onDone = () => this.draw();
    whenRedrawn(subscribeStep(() => this.publish())); // before the views subscribe: they draw what is published
    this.draw();
    for (const [key, frame] of Object.entries(recording.fixed)) publish(key, bytesOf(frame));
    this.publish();
    whenRedrawn(whenTold((told) => this.take(told)));
  }

  get host() {
    return this.player.host;
  }

  private publish() {
    const at = currentStep(this.recording.name) ?? this.step.value;
    const frames = this.recording.steps[at] ?? this.fetched.get(at);
    if (frames) for (const [key, frame] of Object.entries(frames)) publish(key, bytesOf(frame));
    else if (this.wanted === null) tell({ want: "step", of: (this.wanted = at) });
  }

  private take({ step, last, frames }: Told) {
    if (last !== undefined) {
      this.last = last;
      this.wanted = null; // a new connection
    }
    if (frames) {
      this.wanted = null;
      this.fetched.set(...frames);
      if (this.fetched.size > MOST_FETCHED) this.fetched.delete([...this.fetched.keys()][0]);
      this.publish();
    }
    if (step !== undefined && step !== this.step.value) {
      this.step.value = step;
      this.playing.value = false;
    } else if (last === undefined) return;
    this.draw();
  }

  private move([target, byClock]: [number, boolean]) {
    this.step.value = target;
    tell({ step: target });
    this.playing.value &&= byClock && target < this.last;
  }

  private play(playing: boolean) {
    if (playing && this.step.value >= this.last) tell({ step: (this.step.value = 0) });
    this.playing.value = playing;
  }

  private draw() {
    const { step, last, playing, speed, recording, player } = this;
    player.draw({
      step: step.value,
      last,
      playing: playing.value,
      speed: speed.value,
      speeds: recording.speeds,
      predicting: null,
      unit: this.unit,
      followed: recording.name,
      name: "player",
      done: player.done,
    });
  }
}
