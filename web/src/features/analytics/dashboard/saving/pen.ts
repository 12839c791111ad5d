/** The colors of a picture: those of light pages, in the colors of the company. */
interface Colors {
  page: string;
  sunken: string;
  line: string;
  text: string;
  quiet: string;
  accent: string;
  chosen: string;
  success: string;
  danger: string;
}

/** Reads the light colors, also while the page is dark: nothing is painted in between. */
export function lightColors(): Colors {
  const { dataset } = document.documentElement;
  const before = dataset['mantineColorScheme'];
  dataset['mantineColorScheme'] = 'light';
  const styles = getComputedStyle(document.documentElement);
  const color = (name: string) => styles.getPropertyValue(`--tl-${name}`).trim();
  const colors = {
    page: color('page'),
    sunken: color('sunken'),
    line: color('line'),
    text: color('text'),
    quiet: color('quiet'),
    accent: color('accent'),
    chosen: color('chosen'),
    success: color('success'),
    danger: color('danger'),
  };
  if (before) dataset['mantineColorScheme'] = before;
  return colors;
}

interface TextLook {
  size?: number;
  weight?: 400 | 500 | 600;
  color?: string;
  align?: 'start' | 'end' | 'center';
  /** Longer text ends with an ellipsis. */
  width?: number;
}

const FAMILY = "'Inter Variable', system-ui, sans-serif";

/** What parts of a picture are drawn with. */
export class Pen {
  constructor(
    readonly ctx: CanvasRenderingContext2D,
    readonly colors: Colors,
  ) {}

  text(words: string, x: number, y: number, look: TextLook = {}): void {
    const { size = 14, weight = 400, color = this.colors.text, align = 'start', width } = look;
    this.ctx.font = `${weight} ${size}px ${FAMILY}`;
    this.ctx.fillStyle = color;
    this.ctx.textAlign = align;
    this.ctx.textBaseline = 'middle';
    this.ctx.fillText(width === undefined ? words : this.fitting(words, width), x, y);
  }

  /** Lines of text that are as wide as there is room. */
  lines(words: string, width: number, size = 14): string[] {
    this.ctx.font = `400 ${size}px ${FAMILY}`;
    return words.split(' ').reduce<string[]>((lines, word) => {
      const longer = `${lines.at(-1) ?? ''} ${word}`.trim();
      return lines.length > 0 && this.ctx.measureText(longer).width <= width
        ? [...lines.slice(0, -1), longer]
        : [...lines, word];
    }, []);
  }

  fill(color: string, x: number, y: number, width: number, height: number, radius = 0): void {
    this.ctx.fillStyle = color;
    this.ctx.beginPath();
    this.ctx.roundRect(x, y, width, height, radius);
    this.ctx.fill();
  }

  frame(x: number, y: number, width: number, height: number): void {
    this.ctx.strokeStyle = this.colors.line;
    this.ctx.lineWidth = 1;
    this.ctx.beginPath();
    this.ctx.roundRect(x, y, width, height, 8);
    this.ctx.stroke();
  }

  /** A color of a share of the most, from 0 to 1, as charts have on screen. */
  shade(share: number, draw: (color: string) => void): void {
    draw(this.colors.sunken);
    this.ctx.globalAlpha = share;
    draw(this.colors.accent);
    this.ctx.globalAlpha = 1;
  }

  private fitting(words: string, width: number): string {
    if (this.ctx.measureText(words).width <= width) return words;
    let kept = words;
    while (kept && this.ctx.measureText(`${kept}…`).width > width) kept = kept.slice(0, -1);
    return `${kept}…`;
  }
}
