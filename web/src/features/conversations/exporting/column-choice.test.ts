import { expect, it } from 'vitest';
import {
  exportColumns,
  defaultColumns,
  type ExportEntity,
} from '#contract/fields/presets/export-columns';
import { moveItem, loadColumnChoice } from './column-choice.ts';

it('every column is offered once, the defaults first and selected', () => {
  for (const entity of Object.keys(exportColumns) as ExportEntity[]) {
    const chosen = loadColumnChoice(entity, true);
    expect(chosen.map((c) => c.key).toSorted()).toEqual(
      Object.keys(exportColumns[entity]).toSorted(),
    );
    expect(chosen.filter((c) => c.on).map((c) => c.key)).toEqual([...defaultColumns[entity]]);
  }
});
it('moving a column keeps all columns', () => {
  expect(moveItem(['a', 'b', 'c'], 0, 2)).toEqual(['b', 'c', 'a']);
  expect(moveItem(['a', 'b', 'c'], 2, 0)).toEqual(['c', 'a', 'b']);
});
