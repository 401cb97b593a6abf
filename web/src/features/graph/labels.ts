const LONGEST = 32;
const SHORTEST = 6;
const LINE_HEIGHT = 14;
/** Between a node and its name, and between a name and the edge. */
const GAP = 4;

export const LABEL_FONT = '500 12px "Inter Variable", sans-serif';

/** At a word's end, unless that would leave little of it. */
function shortened(name: string, most: number): string {
  if (name.length <= most) return name;
  const cut = name.slice(0, most - 1);
  const space = cut.lastIndexOf(" ");
  return `${(space > most / 2 ? cut.slice(0, space) : cut).replace(/[\s,;:.-]+$/, "")}…`;
}

type Colours = { ink: string; bg: string };

/** Writes the names of nodes beside them; a name that would overlap another one is left out. */
export class Labels {
  count = 0;
  private taken: [left: number, y: number, wide: number][] = [];

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
    let text = shortened(name, LONGEST);
    // Where neither side has room for it, the name is shortened to the wider one.
    for (let most = text.length; measure(text) > Math.max(before, after); most -= 4) {
      if (most < SHORTEST) return;
      text = shortened(name, most);
    }
    const wide = measure(text);
    const left = wide <= after ? x + gap : x - gap - wide;
    if (this.isTaken(left, y, wide)) return;
    this.taken.push([left, y, wide]);
    this.count += 1;
    context.fillStyle = this.colours.ink;
    context.strokeStyle = this.colours.bg;
    context.lineWidth = 3;
    context.strokeText(text, left, y + 4);
    context.fillText(text, left, y + 4);
  }

  private isTaken(left: number, y: number, wide: number): boolean {
    return this.taken.some(
      ([otherLeft, otherY, otherWide]) =>
        Math.abs(otherY - y) < LINE_HEIGHT &&
        left < otherLeft + otherWide &&
        otherLeft < left + wide,
    );
  }
}
