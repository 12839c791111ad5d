import { formatNumber, t } from '#ui';
import { changeText } from '../../Change.tsx';
import { rowLabel } from '../../reports/row-label.ts';
import type { BarRow } from '../bar-rows.ts';
import { differenceText } from '../difference.ts';
import { figures, figureText, type Figure } from '../FigureTiles.tsx';
import { mapSize, stateShade, stateShapes } from '../state-shapes.ts';
import type { Board, BoardRow } from '../use-dashboard.ts';
import type { Pen } from './pen.ts';

/** A part of the picture: how tall it is, and how it is drawn at a place. */
export interface Block {
  height: number;
  /** `height`: of its line, which may be taller. */
  draw: (pen: Pen, x: number, y: number, width: number, height: number) => void;
}

const HEAD = 48;
const ROW = 34;

/** A titled box around a part. */
export const card = (title: string, { height, draw }: Block): Block => ({
  height: height + HEAD + 16,
  draw(pen, x, y, width, lineHeight) {
    pen.frame(x, y, width, lineHeight);
    pen.text(title, x + 16, y + 26, { size: 16, weight: 600, width: width - 32 });
    draw(pen, x + 16, y + HEAD, width - 32, height);
  },
});

/** The five figures, each with its bars. */
export const figureBlock = (board: Board): Block => ({
  height: 128,
  draw(pen, x, y, width) {
    pen.frame(x, y, width, 128);
    const each = width / figures().length;
    figures().forEach((figure, n) => {
      if (n > 0) pen.fill(pen.colors.line, x + n * each, y, 1, 128);
      drawFigure(pen, figure, board, { x: x + n * each + 14, y, width: each - 28 });
    });
  },
});

function drawFigure(
  pen: Pen,
  { name, label, isRate = false, betterWhen }: Figure,
  { data, totals, previous }: Board,
  { x, y, width }: { x: number; y: number; width: number },
): void {
  pen.text(label, x, y + 22, { size: 12, color: pen.colors.quiet, width });
  pen.text(figureText(isRate, totals[name] ?? null), x, y + 46, { size: 20, weight: 600 });
  const change = previous?.change[name];
  if (change) {
    const { success, danger, quiet } = pen.colors;
    const isBetter = change.abs > 0 === (betterWhen === 'more');
    const color = change.abs === 0 ? quiet : isBetter ? success : danger;
    const words = change.abs === 0 ? t('No change') : changeText({ ...change, isRate });
    pen.text(words, x, y + 69, { size: 12, color });
  }
  const most = Math.max(1, ...data.map(({ values }) => values[name] ?? 0));
  const step = width / Math.max(1, data.length);
  data.forEach(({ values }, n) => {
    const value = values[name] ?? 0;
    const tall = Math.max(1, (value / most) * 30);
    const color = value ? pen.colors.accent : pen.colors.line;
    pen.fill(color, x + n * step, y + 116 - tall, step * 0.75, tall);
  });
}

/** Rows as bars, with their calls and what is more or fewer than before. */
export const barBlock = (rows: readonly BarRow[]): Block => ({
  height: Math.max(1, rows.length) * ROW,
  draw(pen, x, y, width) {
    if (rows.length === 0)
      pen.text(t('No calls in this period'), x, y + ROW / 2, { color: pen.colors.quiet });
    rows.forEach(({ name, calls, share, difference }, n) => {
      const top = y + n * ROW;
      const middle = top + ROW / 2;
      if (share !== null) pen.fill(pen.colors.chosen, x, top + 3, share * width, ROW - 6, 4);
      pen.text(name, x + 8, middle, { width: width - 150 });
      pen.text(formatNumber(calls), x + width - 64, middle, { align: 'end' });
      if (difference !== null)
        pen.text(differenceText(difference), x + width - 8, middle, {
          ...{ size: 12, color: pen.colors.quiet, align: 'end' },
        });
    });
  },
});

/** Calls by weekday and hour. */
export const heatBlock = (rows: readonly BoardRow[]): Block => ({
  height: 24 + rows.length * 26,
  draw(pen, x, y, width) {
    const step = (width - 48) / 24;
    const hours = Array.from({ length: 24 }, (_, n) => String(n).padStart(2, '0'));
    const calls = (row: BoardRow, hour: string) => row.values[hour] ?? 0;
    const most = Math.max(1, ...rows.flatMap((row) => hours.map((hour) => calls(row, hour))));
    const quiet = { size: 12, color: pen.colors.quiet };
    hours.forEach((hour, n) => {
      if (n % 3 === 0) pen.text(rowLabel('hour', hour, hour), x + 48 + n * step, y + 8, quiet);
    });
    rows.forEach((row, line) => {
      const top = y + 24 + line * 26;
      pen.text(rowLabel('weekday', row.key, row.key).slice(0, 3), x, top + 12, quiet);
      hours.forEach((hour, n) =>
        pen.shade(calls(row, hour) / most, (color) =>
          pen.fill(color, x + 48 + n * step, top, step - 2, 24, 3),
        ),
      );
    });
  },
});

/** The map, and beside it the states with the most calls. */
export function mapBlock(calls: ReadonlyMap<string, number>, rows: readonly BarRow[]): Block {
  const list = barBlock(rows);
  return {
    height: Math.max(410, list.height),
    draw(pen, x, y, width) {
      const room = width * 0.58;
      const most = Math.max(1, ...calls.values());
      const { ctx, colors } = pen;
      ctx.save();
      ctx.translate(x, y);
      ctx.scale(room / mapSize.width, room / mapSize.width);
      // Islands lie outside of it.
      ctx.beginPath();
      ctx.rect(0, 0, mapSize.width, mapSize.height);
      ctx.clip();
      for (const { code, path } of stateShapes) {
        const shape = new Path2D(path);
        pen.shade(stateShade(calls.get(code) ?? 0, most), (color) => {
          ctx.fillStyle = color;
          ctx.fill(shape);
        });
        ctx.strokeStyle = colors.line;
        ctx.stroke(shape);
      }
      ctx.restore();
      list.draw(pen, x + room + 24, y, width - room - 24, list.height);
    },
  };
}
