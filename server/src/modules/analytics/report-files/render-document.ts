import { gray, PdfWriter } from '../../../platform/pdf/pdf-writer.ts';
import { writeTable } from '../../../platform/pdf/write-table.ts';

/** A report on paper: its words and figures, complete and as text. */
export interface ReportDocument {
  title: string;
  /** What it is about, such as the period, by name. */
  facts: [name: string, value: string][];
  figures: { name: string; value: string; change: string }[];
  /** Null: nothing to draw. */
  chart: ReportChart | null;
  /** The heads of the table's columns; names stand in the first one. */
  columns: string[];
  rows: string[][];
  totals: string[];
  /** About rows that are left out; empty: none is. */
  more: string;
  at: Date;
}
export interface ReportChart {
  title: string;
  /** Upright along time, or lying below one another. */
  kind: 'columns' | 'bars';
  points: { name: string; value: number; text: string }[];
  /** What it shows, for people who don't see it. */
  alt: string;
}

const teal = '#0f766e';
const nameWidth = 132;
/** Figures beside one another. */
const perRow = 4;
/** Names below columns: more would run into each other. */
const mostNames = 8;
const chartHeight = 110;

/** The report as a PDF. Runs in a thread: a thousand rows take about a second. */
export async function renderReportDocument(report: ReportDocument): Promise<Buffer> {
  const pdf = new PdfWriter({ title: report.title, at: report.at }, 48);
  pdf.paragraph(report.title, { tag: 'H1', font: 'bold', size: 18 });
  pdf.down(4);
  for (const [name, value] of report.facts) {
    const top = pdf.y;
    pdf.paragraph(name, { size: 9, quiet: true, width: 100 });
    pdf.y = top;
    pdf.paragraph(value, { size: 9, x: pdf.left + 105 });
  }
  writeFigures(pdf, report.figures);
  if (report.chart) writeChart(pdf, report.chart);
  const width = (pdf.right - pdf.left - nameWidth) / Math.max(1, report.columns.length - 1);
  pdf.down(16);
  writeTable(
    pdf,
    report.columns.map((title, i) =>
      i === 0 ? { title, width: nameWidth } : { title, width, figures: true },
    ),
    [...report.rows.map((cells) => ({ cells })), { cells: report.totals, bold: true }],
  );
  if (report.more) {
    pdf.down(6);
    pdf.paragraph(report.more, { size: 9, quiet: true });
  }
  return await pdf.finish(report.title);
}

function writeFigures(pdf: PdfWriter, figures: ReportDocument['figures']): void {
  const width = (pdf.right - pdf.left) / perRow;
  pdf.down(10);
  figures.forEach(({ name, value, change }, i) => {
    if (i % perRow === 0) pdf.down(16, 34);
    const top = pdf.y;
    const at = { x: pdf.left + (i % perRow) * width, width: width - 10 };
    pdf.tag('P', () => {
      pdf.line(name, { ...at, size: 8, quiet: true });
      pdf.y = top + 17;
      pdf.line(value, { ...at, size: 15, font: 'bold' });
      pdf.y = top + 29;
      pdf.line(change, { ...at, size: 8, quiet: true });
    });
    pdf.y = i % perRow === perRow - 1 || i === figures.length - 1 ? top + 30 : top;
  });
}

function writeChart(pdf: PdfWriter, chart: ReportChart): void {
  const lying = chart.kind === 'bars';
  const height = lying ? chart.points.length * 16 : chartHeight + 16;
  pdf.down(28, height + 14);
  pdf.tag('H2', () => pdf.line(chart.title, { font: 'bold', size: 10 }));
  const most = Math.max(...chart.points.map(({ value }) => value));
  pdf.tag('Figure', () => (lying ? drawBars : drawColumns)(pdf, chart.points, most), {
    alt: chart.alt,
  });
}

type Points = ReportChart['points'];

function drawBars(pdf: PdfWriter, points: Points, most: number): void {
  const room = pdf.right - pdf.left - nameWidth - 90;
  for (const { name, value, text } of points) {
    pdf.y += 16;
    pdf.line(name, { size: 8, width: nameWidth - 8 });
    const width = (value / most) * room;
    const [x, y] = [pdf.left + nameWidth, pdf.y - 7];
    pdf.content(() => pdf.doc.rect(x, y, Math.max(0.5, width), 9).fill(teal));
    pdf.line(text, { x: x + width + 6, size: 8, width: 84 });
  }
}

function drawColumns(pdf: PdfWriter, points: Points, most: number): void {
  const [top, bottom] = [pdf.y + 14, pdf.y + 6 + chartHeight];
  const step = (pdf.right - pdf.left) / points.length;
  const isLabeled = points.length <= 16;
  const tallest = bottom - top - (isLabeled ? 10 : 0);
  pdf.content(() => {
    points.forEach(({ value }, i) => {
      const height = (value / most) * tallest;
      const [x, width] = [pdf.left + i * step, Math.max(0.4, step * 0.75)];
      if (value > 0) pdf.doc.rect(x, bottom - height, width, height).fill(teal);
    });
    pdf.doc.moveTo(pdf.left, bottom).lineTo(pdf.right, bottom).lineWidth(0.5).stroke(gray);
  });
  const every = Math.ceil(points.length / mostNames);
  points.forEach(({ name, value, text }, i) => {
    const x = pdf.left + i * step;
    if (isLabeled) {
      pdf.y = bottom - (value / most) * tallest - 3;
      pdf.line(text, { x, size: 7, width: step, quiet: true });
    }
    pdf.y = bottom + 10;
    if (i % every === 0) pdf.line(name, { x, size: 7, width: every * step, quiet: true });
  });
  if (!isLabeled) {
    const highest = points.find(({ value }) => value === most);
    pdf.y = top - 2;
    pdf.line(`Highest: ${highest?.text ?? ''}`, { size: 7, right: pdf.right, quiet: true });
  }
  pdf.y = bottom + 12;
}
