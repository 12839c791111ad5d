import { saveFile } from '../../../../shared/save-text.ts';
import type { PrintedFacts } from '../../../../shared/printing/PrintFacts.tsx';
import { t, toast } from '#ui';
import type { Question } from '../use-dashboard.ts';
import { collect, type Collected } from './collect.ts';
import { dashboardCsv } from './csv.ts';
import { drawDashboard } from './picture.ts';

/** Asks for the figures and saves them as a file. What fails is said. */
export async function saveDashboard(
  as: 'csv' | 'png',
  question: Question,
  facts: PrintedFacts,
): Promise<void> {
  // The request layer says why it failed.
  const found = await collect(question).catch(() => null);
  const file = found && (await fileOf(as, found, question, facts));
  if (file) saveFile(fileName(as, question, facts), file);
  else if (found) toast.danger(t('Couldn’t draw the picture.'), { detail: t('Print it instead.') });
}

async function fileOf(
  as: 'csv' | 'png',
  found: Collected,
  question: Question,
  facts: PrintedFacts,
): Promise<Blob | null> {
  if (as === 'csv')
    return new Blob([dashboardCsv(found, question.range, facts)], { type: 'text/csv' });
  const canvas = await drawDashboard(found, question, facts);
  // null: this browser has no room for it.
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/png'));
}

/** `dashboard-harbor-dental-2026-11-01-2026-11-30.csv` */
const fileName = (
  as: string,
  { range: { start, end } }: Question,
  { of }: PrintedFacts,
): string => {
  const name = of.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '-');
  return `dashboard-${name}-${start}-${end}.${as}`.replace(/-+/g, '-');
};
