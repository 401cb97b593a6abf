const MAX_LENGTH = 32;
const MIN_LENGTH = 6;
const LINE_HEIGHT = 14;
/** The space between a node and its label, and between a label and the edge. */
const GAP = 4;

export const LABEL_FONT = '500 12px "Inter Variable", sans-serif';

/** Shortens a name, at the end of a word unless that would leave little of it. */
function shortened(name: string, maxLength: number): string {
  if (name.length <= maxLength) return name;
  const cut = name.slice(0, maxLength - 1);
  const space = cut.lastIndexOf(" ");
  return `${(space > maxLength / 2 ? cut.slice(0, space) : cut).replace(/[\s,;:.-]+$/, "")}…`;
}

type Colours = { ink: string; bg: string };

/** Draws labels beside nodes; a label that would overlap another one is left out. */
export class Labels {
  count = 0;
  private taken: [left: number, y: number, width: number][] = [];

  constructor(private readonly colours: Colours) {}

  clear(): void {
    this.count = 0;
    this.taken = [];
  }

  write(context: CanvasRenderingContext2D, name: string, x: number, y: number, radius: number) {
    context.font = LABEL_FONT;
    const gap = radius + GAP;
    const [before, after] = [x - gap - GAP, context.canvas.clientWidth - x - gap - GAP];
    const measure = (text: string) => context.measureText(text).width;
    let text = shortened(name, MAX_LENGTH);
    // If neither side has room, shorten the name to fit the wider one.
    for (let length = text.length; measure(text) > Math.max(before, after); length -= 4) {
      if (length < MIN_LENGTH) return;
      text = shortened(name, length);
    }
    const width = measure(text);
    const left = width <= after ? x + gap : x - gap - width;
    if (this.isTaken(left, y, width)) return;
    this.taken.push([left, y, width]);
    this.count += 1;
    context.fillStyle = this.colours.ink;
    context.strokeStyle = this.colours.bg;
    context.lineWidth = 3;
    context.strokeText(text, left, y + 4);
    context.fillText(text, left, y + 4);
  }

  private isTaken(left: number, y: number, width: number): boolean {
    return this.taken.some(
      ([otherLeft, otherY, otherWidth]) =>
        Math.abs(otherY - y) < LINE_HEIGHT &&
        left < otherLeft + otherWidth &&
        otherLeft < left + width,
    );
  }
}
