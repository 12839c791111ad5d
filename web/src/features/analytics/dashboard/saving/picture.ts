import { t } from '#ui';
import { daysText } from '../../../../shared/printing/days-text.ts';
import { factLines, type PrintedFacts } from '../../../../shared/printing/PrintFacts.tsx';
import { barRows } from '../bar-rows.ts';
import { savedCompanyRows } from '../company-rows.ts';
import { changeSentences } from '../sentences.ts';
import type { Question } from '../use-dashboard.ts';
import { barBlock, card, figureBlock, heatBlock, mapBlock, type Block } from './blocks.ts';
import type { Collected } from './collect.ts';
import { lightColors, Pen } from './pen.ts';

const WIDTH = 1200;
const MARGIN = 40;
const GAP = 20;
/** Pixels for each of the layout, so that text is sharp on slides and dense screens. */
const SCALE = 2;

/**
 * Draws the dashboard as a picture, always light and as wide, with the page's font. It is drawn from
 * the figures, since browsers don't let a page take a picture of itself.
 */
export async function drawDashboard(
  found: Collected,
  question: Question,
  facts: PrintedFacts,
): Promise<HTMLCanvasElement> {
  await document.fonts.ready;
  const canvas = document.createElement('canvas');
  const ctx = canvas.getContext('2d');
  if (!ctx) return canvas;
  const pen = new Pen(ctx, lightColors());
  const rows = [
    [headBlock(pen, found, question, facts)],
    [figureBlock(found.byTime)],
    ...partRows(found),
  ];
  const heights = rows.map((row) => Math.max(...row.map(({ height }) => height)));
  canvas.width = WIDTH * SCALE;
  canvas.height = (heights.reduce((sum, height) => sum + height + GAP, 0) + 2 * MARGIN) * SCALE;
  ctx.scale(SCALE, SCALE);
  pen.fill(pen.colors.page, 0, 0, WIDTH, canvas.height);
  let y = MARGIN;
  rows.forEach((row, at) => {
    const width = (WIDTH - 2 * MARGIN - (row.length - 1) * GAP) / row.length;
    const height = heights[at] ?? 0;
    row.forEach(({ draw }, n) => draw(pen, MARGIN + n * (width + GAP), y, width, height));
    y += height + GAP;
  });
  return canvas;
}

/** Title, what it counts, and what changed. */
function headBlock(
  pen: Pen,
  { byTime, lists, companies }: Collected,
  { range, organization }: Question,
  facts: PrintedFacts,
): Block {
  const listOf = (group: string) => lists.find(({ part }) => part.group === group)?.board;
  const then = byTime.previous;
  const days = then
    ? t('{now}, compared with {then}', { now: daysText(range), then: daysText(then) })
    : daysText(range);
  const about = factLines({ ...facts, days, now: Date.now() });
  const sentences = changeSentences(
    byTime,
    listOf('source'),
    organization ? (companies ?? undefined) : listOf('number'),
  );
  const wrap = (words: string) => pen.lines(words, WIDTH - 2 * MARGIN);
  const quietLines = about.flatMap(wrap);
  const lines = sentences.flatMap(({ text }) => wrap(text));
  return {
    height: 44 + quietLines.length * 20 + 12 + lines.length * 24,
    draw(_, x, y) {
      pen.text(t('Dashboard'), x, y + 16, { size: 26, weight: 600 });
      quietLines.forEach((line, n) =>
        pen.text(line, x, y + 52 + n * 20, { color: pen.colors.quiet }),
      );
      const from = y + 64 + quietLines.length * 20;
      lines.forEach((line, n) => pen.text(line, x, from + n * 24));
    },
  };
}

/** Boxes by line: wide ones alone, lists in pairs. */
function partRows({ heat, lists, states, companies }: Collected): Block[][] {
  const boxes = lists.map(({ part, board }) =>
    card(part.title, barBlock(barRows(part.group, board.data, board.previous?.data ?? null))),
  );
  const stateRows = states.data.map(({ key, label, figures }) => ({
    ...{ key, label },
    values: { ...figures },
  }));
  const calls = new Map(states.data.map(({ key, figures }) => [key, figures.calls]));
  return [
    ...(companies
      ? [
          [
            card(
              t('By company'),
              barBlock(
                barRows('company', savedCompanyRows(companies), companies.previous?.data ?? null),
              ),
            ),
          ],
        ]
      : []),
    [card(t('Busiest hours'), heatBlock(heat.data))],
    ...boxes.flatMap((box, n) => {
      const next = boxes[n + 1];
      return n % 2 === 1 ? [] : [next ? [box, next] : [box]];
    }),
    [card(t('Where callers are'), mapBlock(calls, barRows('geo_state', stateRows, null)))],
  ];
}
