// Script of the window with the speaker's notes: ui/static/notes.html loads it beside the stage.

import "../views.ts"; // all parts share what it imports, so that the build makes one file of this
import { NotesWindow } from "../presenter/notes_window.ts";

export const notes = new NotesWindow(document);
