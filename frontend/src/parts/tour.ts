// The tour, loaded when a visitor begins it or reloads during it.

import "../views.ts"; // all parts share what it imports, so that the build makes one file of this

export { Tour } from "../tour/tour.ts";
