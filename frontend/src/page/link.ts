// Link of the page as others can open it. The button that copies it knows who can: ui/serving/network.py.

/** Who can open a link: others too, only this machine, or only this machine because it is in no network. */
export type Openers = "others" | "here" | "no network";

let openers: Openers = "others";
let site = ""; // scheme, host and port in place of localhost's; "" to keep the page's

export function reachBy(who: Openers, at: string) {
  openers = who;
  site = at;
}

export function isForOthers() {
  return openers === "others";
}

/** A URL of this site with the address that others use. */
export function linkForOthers(href: string) {
  const own = location.origin;
  return site && href.startsWith(own) ? site + href.slice(own.length) : href;
}
