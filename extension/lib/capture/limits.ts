/** How much of a page is read. The extraction time grows with each of these. */

import { CONTENT_LIMIT } from "../draft";

/** More than is saved, because menus and the like are dropped. */
export const CHARACTERS = CONTENT_LIMIT * 1.3;
export const ELEMENTS = 8_000;
/** Elements that are nested deeper become siblings. */
export const DEPTH = 60;
/** The sum of the depths of all elements: the parser visits each element once for each of its ancestors. */
export const NESTING = 160_000;
/** For scripts, because some sites have their text in them. */
export const SCRIPT_CHARACTERS = 4_000_000;
/** For an attribute, which can contain a whole picture as a data URL. */
export const ATTRIBUTE_CHARACTERS = 20_000;
export const COMMENT_CHARACTERS = 20;
/** Nodes that are visited, copied or not. */
export const STEPS = 400_000;
export const SHADOWS = 10;

export class Budget {
  characters = CHARACTERS;
  elements = ELEMENTS;
  nesting = NESTING;
  scripts = SCRIPT_CHARACTERS;
  steps = STEPS;

  get isSpent(): boolean {
    return Math.min(this.characters, this.elements, this.nesting, this.steps) <= 0;
  }
}
