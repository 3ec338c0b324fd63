// Reruns the rest of a page after its visible part was drawn alone, once no key follows. Draws nothing itself.

import { readHead } from "../../bridge/payload.ts";
import { View } from "../../bridge/view.ts";

interface FollowUpHead {
  name: string;
  due: "" | "rested" | "now";
}

const REST = 250; // milliseconds without another frame
const LATEST = 2_000; // milliseconds after the first frame

export class FollowUp extends View {
  private timer = 0;
  private since = 0; // time of the first frame that is not followed up; 0 without one

  update(component: Mount) {
    const { name, due } = readHead<FollowUpHead>(component.data);
    this.mountOutbox(name, component);
    clearTimeout(this.timer);
    if (!due) {
      this.since = 0;
      this.outbox?.forget("follow");
      return;
    }
    const now = performance.now();
    this.since ||= now;
    if (!this.outbox?.waits("follow")) this.outbox?.note("follow", null);
    const rest = due === "now" ? 0 : Math.max(0, Math.min(REST, this.since + LATEST - now));
    this.timer = setTimeout(() => this.outbox?.act("follow", null, { replaces: true }), rest);
  }

  override end() {
    super.end();
    clearTimeout(this.timer);
  }
}
