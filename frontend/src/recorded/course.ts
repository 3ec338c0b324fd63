// The player of a recorded page, and the step that all its views show.

import { currentStep, subscribeStep } from "../bridge/current_step.ts";
import { publish } from "../bridge/published.ts";
import { Place } from "./place.ts";
import { bytesOf, type Training } from "./recording.ts";

export class Course {
  private readonly player: Place;
  private readonly recording: Training;
  private readonly last: number;
  private step: number;
  private playing = false;
  private speed = 1;

  constructor(recording: Training) {
    this.recording = recording;
    this.last = recording.steps.length - 1;
    this.step = recording.step;
    this.player = new Place("player", "player", {
      move: (value) => this.move(value as [number, boolean]),
      play: (value) => this.play(value === true),
      speed: (value) => (this.speed = Number(value)),
    });
    this.player.onDone = () => this.draw();
    subscribeStep(() => this.publish()); // before the views subscribe: they draw what is published
    this.draw();
    for (const [key, frame] of Object.entries(recording.fixed)) publish(key, bytesOf(frame));
    this.publish();
  }

  get host() {
    return this.player.host;
  }

  private publish() {
    const { name, steps } = this.recording;
    for (const [key, frame] of Object.entries(steps[currentStep(name) ?? this.step])) publish(key, bytesOf(frame));
  }

  private move([target, byClock]: [number, boolean]) {
    this.step = target;
    this.playing &&= byClock && target < this.last;
  }

  private play(playing: boolean) {
    if (playing && this.step >= this.last) this.step = 0;
    this.playing = playing;
  }

  private draw() {
    const { step, last, playing, speed, recording, player } = this;
    player.draw({
      step,
      last,
      playing,
      speed,
      speeds: recording.speeds,
      predicting: null,
      unit: "merge",
      followed: recording.name,
      name: "player",
      done: player.done,
    });
  }
}
