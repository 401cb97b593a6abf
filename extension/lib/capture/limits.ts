/** How much of a page is read: the time of the extraction grows with each of these. */

import { CONTENT_LIMIT } from "../draft";

/** More than is saved, since menus and the like are dropped. */
export const CHARACTERS = CONTENT_LIMIT * 1.3;
export const ELEMENTS = 8_000;
/** What is nested deeper is put side by side. */
export const DEPTH = 60;
/** The sum of the depths of all elements: the reader looks at each element from each of its parents. */
export const NESTING = 160_000;
/** Of scripts, in which some sites have their text. */
export const SCRIPT_CHARACTERS = 4_000_000;
/** Of an attribute: a picture can be written in its own address. */
export const ATTRIBUTE_CHARACTERS = 20_000;
export const COMMENT_CHARACTERS = 20;
/** Nodes that are looked at, copied or not. */
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
