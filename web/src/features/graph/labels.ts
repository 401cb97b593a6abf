const LONGEST = 32;
const LINE_HEIGHT = 14;

export const LABEL_FONT = '500 12px "Inter Variable", sans-serif';

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
    const text = name.length > LONGEST ? `${name.slice(0, LONGEST - 1).trimEnd()}…` : name;
    context.font = LABEL_FONT;
    const wide = context.measureText(text).width;
    const right = x + radius + 4;
    // At the right edge the name stands on the other side.
    const left = right + wide > context.canvas.clientWidth ? x - radius - 4 - wide : right;
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
