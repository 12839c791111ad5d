import { expect, it } from 'vitest';
import { exportColumns, usualColumns, type ExportEntity } from '#contract/export-columns';
import { move, readChoice } from './choice.ts';

it('every column can be chosen once, the usual ones first and on', () => {
  for (const entity of Object.keys(exportColumns) as ExportEntity[]) {
    const chosen = readChoice(entity, true);
    expect(chosen.map((c) => c.key).toSorted()).toEqual(
      Object.keys(exportColumns[entity]).toSorted(),
    );
    expect(chosen.filter((c) => c.on).map((c) => c.key)).toEqual([...usualColumns[entity]]);
  }
});
it('moving a column keeps all of them', () => {
  expect(move(['a', 'b', 'c'], 0, 2)).toEqual(['b', 'c', 'a']);
  expect(move(['a', 'b', 'c'], 2, 0)).toEqual(['c', 'a', 'b']);
});
