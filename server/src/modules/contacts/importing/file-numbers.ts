import type { Ctx } from '../../../platform/context.ts';
import { readStagedRows, stepRows, type StagedFile } from './staging-file.ts';
import type { FileNumbers } from './plan-numbers.ts';
import type { ImportPlan } from './plan-rows.ts';

/** The numbers of a file. `resumeAt`: the byte before which all rows have been imported. */
export async function readFileNumbers(
  ctx: Pick<Ctx, 'files'>,
  file: StagedFile,
  plan: Pick<ImportPlan, 'readNumbers'>,
  resumeAt = 0,
): Promise<FileNumbers> {
  const seen = new Map<string, number>();
  const own = new Set<string>();
  for await (const rows of readStagedRows(ctx, file, 0, stepRows))
    for (const { row, cells, nextByte } of rows) {
      const { number } = plan.readNumbers(cells);
      if (number === null) continue;
      if (nextByte <= resumeAt && !own.has(number)) seen.set(number, row);
      own.add(number);
    }
  return { seen, own, further: new Map() };
}
