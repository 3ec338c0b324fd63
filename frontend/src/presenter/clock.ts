// Time that has passed, for the speaker.

/** Minutes and seconds, with hours if there are any. */
export function clockOf(milliseconds: number) {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const shown = parts[0] ? parts : parts.slice(1);
  return shown.map((part, at) => String(part).padStart(at ? 2 : 1, "0")).join(":");
}
